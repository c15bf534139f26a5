"""Make tables/ and schema.sql: python golden/shop/generator

Rule: the same rows on every machine. They are made by integer arithmetic in Python and only loaded by DuckDB, so neither its
threads nor the machine's time zone and locale can change them; a test makes them again and compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import duckdb
import pyarrow
import pyarrow.parquet
from dates import WEEKDAYS, days, fiscal_day
from duckdb import DuckDBPyConnection
from facts import COUNTRIES, FIRST_DAY, LEGACY_FROZEN_SINCE, PRODUCTS, campaign_on
from people import accounts_of, make_people
from selling import make_orders, make_rates, make_refunds, money
from tables import TABLES
from visits import make_sessions

HERE = Path(__file__).parents[1]
Rows = Sequence[tuple[object, ...]]

# The old mart converts at the rates that prices are listed at, and knows neither VAT nor tests nor business days.
_LEGACY = {
    "legacy.sales_by_month": """
        SELECT date_trunc('month', o.ordered_at_utc)::DATE, c.country_name, count(*), sum(floor(o.order_total * l.rate)::BIGINT)
        FROM analytics.fct_orders AS o
        JOIN analytics.dim_country AS c USING (country_code)
        JOIN list_rates AS l ON l.currency = o.currency
        WHERE o.ordered_at_utc < $frozen GROUP BY 1, 2""",
    "legacy.refunds_by_month": """
        SELECT date_trunc('month', r.refunded_on)::DATE, c.country_name, count(*), sum(floor(r.refund_amount * l.rate)::BIGINT)
        FROM analytics.fct_refunds AS r
        JOIN analytics.fct_orders AS o USING (order_id)
        JOIN analytics.dim_country AS c USING (country_code)
        JOIN list_rates AS l ON l.currency = o.currency
        WHERE r.refunded_on < $frozen GROUP BY 1, 2""",
    "legacy.customers": """
        SELECT o.customer_id, any_value(c.country_name), min(o.ordered_at_utc)::DATE, count(*), sum(floor(o.order_total * l.rate)::BIGINT)
        FROM analytics.fct_orders AS o
        JOIN analytics.dim_country AS c USING (country_code)
        JOIN list_rates AS l ON l.currency = o.currency
        WHERE o.ordered_at_utc < $frozen GROUP BY 1""",
}


def main() -> None:
    """Write the tables and the statements that create them, beside this folder."""
    tables = HERE / "tables"
    tables.mkdir(exist_ok=True)
    statements = ["CREATE SCHEMA analytics", "CREATE SCHEMA legacy", *(line for table in TABLES for line in table.statements())]
    (HERE / "schema.sql").write_text(";\n".join(statements) + ";\n", encoding="utf-8")
    with duckdb.connect() as connection:
        for statement in statements:
            connection.execute(statement)
        for name, rows in _analytics_rows():
            _insert(connection, name, rows)
        _fill_legacy(connection)
        for table in TABLES:
            rows = connection.sql(f"SELECT * FROM {table.name} ORDER BY {', '.join(table.key)}").to_arrow_table()
            pyarrow.parquet.write_table(rows, tables / f"{table.name}.parquet", compression="zstd")


def _analytics_rows() -> Iterator[tuple[str, Rows]]:
    """Give each table of `analytics` with its rows."""
    rates = make_rates()
    people, testers = make_people()
    orders = list(make_orders(people, testers, rates))
    yield "analytics.dim_date", [_date_row(day) for day in days(FIRST_DAY, date(2026, 12, 31))]
    yield "analytics.dim_country", [(c.code, c.name, c.region, c.currency, c.utc_offset_hours, c.vat_percent) for c in COUNTRIES]
    yield "analytics.fx_month", [(month, currency, money(rate)) for (month, currency), rate in rates.items()]
    yield (
        "analytics.dim_product",
        [(p.product_id, p.name, p.category, p.cost_idr, p.price_idr, p.pieces, p.is_vat_exempt, p.launched) for p in PRODUCTS],
    )
    yield "analytics.dim_customer", [account.row() for account in accounts_of([*people, *testers])]
    yield "analytics.fct_orders", [order.row() for order in orders]
    yield "analytics.fct_order_lines", [row for order in orders for row in order.line_rows()]
    yield "analytics.fct_refunds", make_refunds(orders)
    yield "analytics.fct_sessions", make_sessions(orders)


def _date_row(day: date) -> tuple[object, ...]:
    fiscal = fiscal_day(day)
    calendar = (day.year, (day.month + 2) // 3, day.replace(day=1))
    weekday = (day.weekday() + 1, WEEKDAYS[day.weekday()])
    return day, *weekday, *calendar, fiscal.year, fiscal.quarter, fiscal.period, fiscal.week, campaign_on(day)


def _insert(connection: DuckDBPyConnection, name: str, rows: Rows) -> None:
    """Load rows through Arrow: a hundred times faster than one statement a row."""
    columns = list(zip(*rows, strict=True))
    connection.register("made", pyarrow.table([pyarrow.array(column) for column in columns], names=[f"c{n}" for n in range(len(columns))]))
    connection.execute(f"INSERT INTO {name} SELECT * FROM made")
    connection.unregister("made")


def _fill_legacy(connection: DuckDBPyConnection) -> None:
    values = ", ".join(f"('{country.currency}', {money(country.price_rate)})" for country in COUNTRIES)
    connection.execute(f"CREATE TEMP TABLE list_rates AS SELECT * FROM (VALUES {values}) AS rates(currency, rate)")
    for name, query in _LEGACY.items():
        connection.execute(f"INSERT INTO {name} {query}", {"frozen": LEGACY_FROZEN_SINCE})
    connection.execute("DROP TABLE list_rates")


if __name__ == "__main__":
    main()
