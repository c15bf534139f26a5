"""Tables: every table and column of the warehouse, with the comment that the catalogue keeps for it.

Rule: a definition that an answer needs stands in a comment, so that a prompt made from the catalogue can know it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """One column: name, type with constraints, and what it means."""

    name: str
    type: str
    comment: str


@dataclass(frozen=True, slots=True)
class Table:
    """One table, named with its schema. Its first `keys` columns are the primary key."""

    name: str
    comment: str
    columns: tuple[Column, ...]
    keys: int = 1

    @property
    def key(self) -> tuple[str, ...]:
        """The columns of the primary key."""
        return tuple(column.name for column in self.columns[: self.keys])

    def statements(self) -> Iterator[str]:
        """Give the SQL that creates the table, empty, with its comments."""
        columns = ", ".join(f"{column.name} {column.type}" for column in self.columns)
        yield f"CREATE TABLE {self.name} ({columns}, PRIMARY KEY ({', '.join(self.key)}))"
        yield f"COMMENT ON TABLE {self.name} IS {_quoted(self.comment)}"
        for column in self.columns:
            yield f"COMMENT ON COLUMN {self.name}.{column.name} IS {_quoted(column.comment)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _table(name: str, comment: str, columns: str, keys: int = 1) -> Table:
    """Read columns written one a line: name | type, NOT NULL unless it ends in '?' | comment."""
    read = []
    for line in filter(None, map(str.strip, columns.splitlines())):
        column, kind, about = (part.strip() for part in line.split("|"))
        read.append(Column(column, kind.removesuffix("?") if kind.endswith("?") else f"{kind} NOT NULL", about))
    return Table(name, comment, tuple(read), keys)


ANALYTICS = (
    _table(
        "analytics.dim_date",
        "One row per calendar day, 2024 to 2026. Join it on business_date.",
        """
        date_day | DATE | The day
        weekday_number | INTEGER | 1 is Monday, 7 is Sunday
        weekday_name | VARCHAR | Monday to Sunday
        calendar_year | INTEGER | Year from 1 January
        calendar_quarter | INTEGER | 1 to 4, quarter of the calendar year
        month_start | DATE | First day of the calendar month
        fiscal_year | INTEGER | Starts on the Monday nearest 1 April, named after the year it starts in: 2025 is 2025-03-31 to 2026-03-29
        fiscal_quarter | INTEGER | 1 to 4, quarter of the fiscal year, thirteen whole weeks
        fiscal_period | INTEGER | 1 to 12; the three periods of a quarter have 4, 4 and 5 weeks
        fiscal_week | INTEGER | 1 to 52, weeks of the fiscal year from Monday
        campaign | VARCHAR? | Name of the campaign that ran on the day; NULL on other days
        """,
    ),
    _table(
        "analytics.dim_country",
        "Where the shop sells.",
        """
        country_code | VARCHAR | Two letters
        country_name | VARCHAR | English name
        region | VARCHAR | nusantara, semenanjung or oseania
        currency | VARCHAR | Currency customers there pay in
        utc_offset_hours | INTEGER | Offset from UTC of the warehouse of the region, all year
        vat_percent | INTEGER | VAT on goods other than books; books carry none
        """,
    ),
    _table(
        "analytics.fx_month",
        "Book rates: one per month and currency, used for everything ordered in that business month.",
        """
        month_start | DATE | First day of the month
        currency | VARCHAR | Currency
        idr_per_unit | DECIMAL(12,2) | Rupiah for one unit of the currency
        """,
        keys=2,
    ),
    _table(
        "analytics.dim_product",
        "One row per product.",
        """
        product_id | INTEGER | Product
        product_name | VARCHAR | Name in the shop
        category | VARCHAR | paper, pens, paint, brushes, drawing or books
        unit_cost_idr | BIGINT | What one pack costs the shop, rupiah
        list_price_idr | BIGINT | List price of one pack, rupiah, VAT included
        pieces_per_pack | INTEGER | Single pieces in one pack; orders count packs
        is_vat_exempt | BOOLEAN | True for books
        launched_on | DATE | First day on sale
        """,
    ),
    _table(
        "analytics.dim_customer",
        "One row per account. One person may hold several accounts (guest orders, a second e-mail): count people by person_id.",
        """
        customer_id | INTEGER | Account
        person_id | INTEGER | The person behind the account
        account_kind | VARCHAR | registered, guest, or internal (the shop's own testers)
        full_name | VARCHAR | Personal data: only support may see it
        email | VARCHAR | Personal data: only support may see it
        phone | VARCHAR | Personal data: only support may see it
        country_code | VARCHAR | Country of the account
        region | VARCHAR | Region of the country
        signed_up_on | DATE | Day the account was made
        has_newsletter | BOOLEAN | The account gets the newsletter; a person gets it when any of their accounts does
        """,
    ),
    _table(
        "analytics.fct_orders",
        "One row per order. A confirmed order is one that is neither cancelled nor a test. Columns in _idr are rupiah at the book rate of "
        "the business month; columns in _amount are in the currency of the order. Net sales is net_idr of confirmed orders.",
        """
        order_id | INTEGER | Order
        customer_id | INTEGER | Account that ordered
        ordered_at_utc | TIMESTAMP | Moment of the order, in UTC
        business_date | DATE | Day of the order at the warehouse of its region; all reports go by this day
        country_code | VARCHAR | Country shipped to
        region | VARCHAR | Region of the country
        channel | VARCHAR? | search, social, email, referral, marketplace; NULL when tracking was declined: always reported, as unknown
        status | VARCHAR | delivered, picked_up or cancelled
        is_test | BOOLEAN | Placed by the shop's own testers; no report counts it
        currency | VARCHAR | Currency of the _amount columns and of order_total
        gross_amount | DECIMAL(14,2) | Goods at list price, VAT included, before discount
        discount_amount | DECIMAL(14,2) | Discount on goods, VAT included
        vat_amount | DECIMAL(14,2) | VAT contained in the discounted price of the goods
        net_amount | DECIMAL(14,2) | Goods after discount, without VAT
        shipping_amount | DECIMAL(14,2) | Delivery charged to the customer, no VAT
        order_total | DECIMAL(14,2) | What the customer paid: goods after discount with VAT, plus delivery
        gross_idr | BIGINT | gross_amount in rupiah
        discount_idr | BIGINT | discount_amount in rupiah
        vat_idr | BIGINT | vat_amount in rupiah
        net_idr | BIGINT | net_amount in rupiah: gross less discount less VAT, delivery not included
        shipping_idr | BIGINT | shipping_amount in rupiah
        """,
    ),
    _table(
        "analytics.fct_order_lines",
        "One row per product of an order. The amounts of the lines of an order add up to those of the order.",
        """
        order_id | INTEGER | Order
        line_number | INTEGER | From 1 within the order
        product_id | INTEGER | Product
        quantity | INTEGER | Packs
        gross_amount | DECIMAL(14,2) | At list price, VAT included, currency of the order
        net_amount | DECIMAL(14,2) | After discount, without VAT, currency of the order
        gross_idr | BIGINT | gross_amount in rupiah
        discount_idr | BIGINT | Discount in rupiah, VAT included
        vat_idr | BIGINT | VAT contained, rupiah; 0 for books
        net_idr | BIGINT | net_amount in rupiah
        cost_idr | BIGINT | What the goods cost the shop, rupiah
        """,
        keys=2,
    ),
    _table(
        "analytics.fct_refunds",
        "One row per refund paid out; an order may have up to three, weeks or months after it. Cancelled and test orders have none here. "
        "Refunds are set against the business month of their order, unless a report says paid out.",
        """
        refund_id | INTEGER | Refund
        order_id | INTEGER | Order it belongs to
        refunded_on | DATE | Day it was paid out
        reason | VARCHAR | changed mind, damaged, wrong item or arrived late
        refund_amount | DECIMAL(14,2) | Paid out, VAT included, currency of the order
        refund_idr | BIGINT | refund_amount in rupiah at the book rate of the order
        net_refund_idr | BIGINT | refund_idr without the VAT in it: what the refund takes off net sales
        """,
    ),
    _table(
        "analytics.fct_sessions",
        "One row per visit to the web shop, from 1 October 2025 on; marketplace orders have none. Conversion rate is sessions with a "
        "confirmed order over all sessions that are not bots.",
        """
        session_id | INTEGER | Session
        started_at_utc | TIMESTAMP | Start, in UTC
        business_date | DATE | Day of the start at the warehouse of the region
        region | VARCHAR | Region of the visitor
        channel | VARCHAR? | As in fct_orders; NULL is reported as unknown
        device | VARCHAR | phone, desktop or tablet
        is_bot | BOOLEAN | Not a person
        order_id | INTEGER? | The order placed in the session; NULL when none was
        """,
    ),
)

LEGACY = (
    _table(
        "legacy.sales_by_month",
        "Old mart, not loaded since 1 March 2026 and in use nowhere. UTC months; cancelled and test orders counted; revenue is everything "
        "customers paid, VAT and delivery included, at list rates.",
        """
        month | DATE | First day of the UTC month
        market | VARCHAR | Country name
        orders | INTEGER | All orders
        revenue | BIGINT | Rupiah at list rates
        """,
        keys=2,
    ),
    _table(
        "legacy.refunds_by_month",
        "Old mart, not loaded since 1 March 2026 and in use nowhere. By the month in which refunds were paid out, at list rates.",
        """
        month | DATE | First day of the month
        market | VARCHAR | Country name
        refunds | INTEGER | Refunds
        refunded | BIGINT | Rupiah at list rates, VAT included
        """,
        keys=2,
    ),
    _table(
        "legacy.customers",
        "Old mart, not loaded since 1 March 2026 and in use nowhere. One row per account, whoever holds it.",
        """
        customer_no | INTEGER | Account
        market | VARCHAR | Country name
        first_order | DATE | UTC day of its first order
        orders | INTEGER | All orders, cancelled and test ones too
        revenue | BIGINT | Rupiah at list rates, VAT and delivery included
        """,
    ),
)

TABLES = ANALYTICS + LEGACY
