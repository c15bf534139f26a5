"""Which functions SQL may call: an engine's everyday ones, what a setting names, what the golden SQL of a question calls."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from goldenlib.answers import Status
from goldenlib.config.settings import load_settings
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Item
from goldenlib.running import RunOptions, evaluate
from goldenlib.storage import Store
from goldenlib.warehouse import QueryFailed, QueryResult, Refusal, check_select, open_warehouse
from goldenlib.warehouse.functions import why_never, why_refused
from goldenlib.warehouse.refusing import called_functions, check_golden
from tests.warehouse.conftest import LIMITS

# What people write every day, by engine.
EVERYDAY = {
    "sqlite": [
        "select date(d, '-7 days'), time(d) from o",
        "select date(d, '+1 month'), date('now', 'start of month', '-1 day'), datetime(d, 'localtime') from o",
        "select strftime('%Y-%m', d), julianday(d) - julianday('2026-01-01'), unixepoch(d), strftime('%w', d) from o",
        "select value, key from o, json_each(o.items)",
        "select json_extract(items, '$[0]'), json_group_array(d), json_array_length(items) from o",
        "select printf('%.2f', 1.5), instr('abc', 'b'), substr('abc', 2), iif(1, 2, 3), ifnull(null, 1), total(1), quote('a') from o",
        "select group_concat(d, ';'), round(1.5), abs(-1), typeof(d), length(d), replace(d, '-', '/'), trim(d), d glob '2026*' from o",
    ],
    "postgres": [
        "select date(d), to_char(d, 'YYYY'), age(d), date_trunc('month', d), unaccent(t), similarity(t, 'x') from o",
        "select st_distance(a, b), st_dwithin(a, b, 10), st_x(a), st_area(st_transform(a, 3857)) from o",
        "select embedding <-> '[1,2]', cosine_distance(a, b), vector_dims(a) from o",
        "select attrs -> 'k', akeys(attrs), (each(attrs)).key, hstore_to_json(attrs) from o",
        "select * from json_to_recordset('[]') as t(a int), jsonb_array_elements(x) as e",
    ],
    "clickhouse": [
        "select toDate(d), toYYYYMM(d), sumIf(a, b > 1), countIf(a), uniqExact(a), toStartOfMonth(d), formatDateTime(d, '%Y') from o",
        "select arrayJoin([1, 2]), groupArray(a), quantile(0.5)(a), dateDiff('day', a, b), toString(a) from o",
    ],
}


@pytest.mark.parametrize(("dialect", "sql"), [(dialect, sql) for dialect, texts in EVERYDAY.items() for sql in texts])
def test_an_engines_own_everyday_functions_may_be_called(dialect: str, sql: str) -> None:
    """fd-069, field/analyst 2."""
    assert check_select(sql, dialect) == sql


@pytest.mark.parametrize("sql", EVERYDAY["sqlite"])
def test_they_run_on_sqlite(tmp_path: Path, sql: str) -> None:
    """fd-069: what the check allows, SQLite's own leave allows too."""
    with sqlite3.connect(tmp_path / "o.db") as connection:
        connection.execute("create table o (d text, items text)")
        connection.execute("insert into o values ('2026-03-01 10:30:00', '[1, 2]')")
    connection.close()
    with open_warehouse(f"sqlite:///{tmp_path}/o.db", limits=LIMITS) as warehouse:
        outcome = warehouse.run(sql)
        assert isinstance(outcome, QueryResult), outcome
        assert outcome.row_count > 0


class TestTheWayOut:
    """fd-070: what the golden SQL calls, the agent may call; more by the setting warehouse_functions."""

    SQL = "select mart.fiscal_year(d) from o"

    def test_an_unknown_function_is_refused_with_the_name_of_a_setting_that_exists(self) -> None:
        refused = check_select(self.SQL, "postgres")
        assert isinstance(refused, Refusal)
        assert "leave it out, or allow it with the setting warehouse_functions" in refused.reason
        assert load_settings(overrides={"warehouse_functions": "mart.fiscal_year, doubled"})[0].warehouse_functions == (
            "mart.fiscal_year",
            "doubled",
        )

    @pytest.mark.parametrize("name", ["fiscal_year", "mart.fiscal_year", "MART.Fiscal_Year"])
    def test_a_name_is_allowed_with_its_schema_or_without(self, name: str) -> None:
        assert check_select(self.SQL, "postgres", allow_functions=[name]) == self.SQL

    def test_what_a_text_calls_is_found(self) -> None:
        assert called_functions("SELECT mart.Fiscal_Year(d), f(g(x)) FROM h(1), o", "postgres") == {"fiscal_year", "f", "g", "h"}
        assert called_functions("SELEC (", "postgres") == frozenset()

    @pytest.mark.parametrize(
        ("dialect", "sql"),
        [
            ("postgres", "select set_config('a', 'b', true)"),
            ("postgres", "select * from dblink('x', 'select 1') as t(a int)"),
            ("postgres", "select query_to_xml('select 1', true, true, '')"),
            ("postgres", "select lo_import('/etc/passwd')"),
            ("mysql", "select load_file('/etc/passwd')"),
            ("duckdb", "select * from read_csv('/etc/passwd')"),
            ("duckdb", "select getenv('HOME')"),
            ("sqlite", "select load_extension('x')"),
            ("oracle", "select utl_http.request('http://x') from dual"),
            ("clickhouse", "select * from url('http://x', 'CSV')"),
            ("snowflake", "select 1; drop table o"),
        ],
    )
    def test_what_leads_out_is_refused_whatever_is_allowed(self, dialect: str, sql: str) -> None:
        """The golden deny-list stands before every allowance (contract 9.5b)."""
        assert isinstance(check_golden(sql, dialect), Refusal)
        assert isinstance(check_select(sql, dialect, allow_functions=called_functions(sql, dialect)), Refusal)

    def test_a_run_lets_an_agent_send_the_golden_sql(self, tmp_path: Path, small_file: Path) -> None:
        golden = "SELECT sum(doubled(amount)) AS net FROM sales"
        path = tmp_path / "answers.jsonl"
        path.write_text("\n".join(json.dumps({"item_id": name, "sql": golden}) for name in "ab"), encoding="utf-8")

        def run(**more: Any) -> dict[str, bool | None]:
            overrides = {"targets": {"public": {"kind": "recorded", "path": str(path)}}, "judge_url": "off", "warehouse": str(small_file)}
            settings, _ = load_settings(overrides=overrides | more, environ={})
            questions = [("a", golden), ("b", "SELECT sum(amount) * 2 AS net FROM sales")]
            items = tuple(
                Item.model_validate({"id": name, "question": f"Net {name}?", "note": "Net.", "expected": {"sql": {"golden": sql}}})
                for name, sql in questions
            )
            with Store.open(str(tmp_path / "golden.db")) as store:
                report = evaluate(GoldenSet("sales", items, ("a", "b")), settings, store, RunOptions(allow_unverified=True))
            assert {result.status for result in report.results} == {Status.SCORED}
            return {result.item_id: result.passed for result in report.results}

        assert run() == {"a": True, "b": False}
        assert run(warehouse_functions=["doubled"]) == {"a": True, "b": True}


def test_golden_sql_calls_functions_of_the_warehouse_whatever_they_are_called(small_file: Path) -> None:
    for name in ("import_duty", "copy_number", "load_factor", "export_price", "user_score", "http_status_text", "read_rate", "version_of"):
        assert check_golden(f"SELECT {name}(a) FROM t", "postgres") == f"SELECT {name}(a) FROM t"
    with open_warehouse(small_file, limits=LIMITS) as warehouse:
        assert isinstance(warehouse.run("SELECT doubled(2)", trusted=True), QueryResult)
        assert isinstance(warehouse.run("SELECT * FROM query('SELECT 1')", trusted=True), QueryFailed)


@pytest.mark.parametrize(
    "name",
    [
        *("ts_rewrite", "ts_stat", "query_to_xml", "query_to_xmlschema", "query_to_xml_and_xmlschema", "cursor_to_xml", "table_to_xml"),
        *("schema_to_xml", "database_to_xml", "database_to_xmlschema", "crosstab", "crosstab3", "crosstabn", "connectby", "xpath_table"),
        *("dblink", "dblink_exec", "dblink_open", "dblink_fetch", "plpgsql_check_function"),
    ],
)
def test_a_function_that_runs_a_text_is_refused_to_everyone(name: str) -> None:
    """ts_rewrite(query, text) runs the text; golden SQL and the setting `warehouse_functions` may not open it either."""
    assert why_never(name, "postgres")
    assert why_refused(name, "postgres", known_to_parser=True)
