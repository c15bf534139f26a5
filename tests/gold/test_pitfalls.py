"""Pitfalls: what a gold does in silence that its author did not mean, and what only looks like it (fd-062, fd-072)."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from goldenlib.gold import check_golds
from goldenlib.warehouse import Warehouse, open_warehouse
from tests.gold.golds import a_gold, found

TOTAL = "SELECT sum(amount) AS sold FROM sales WHERE sold_on < '2026-10-01'"


@pytest.mark.parametrize(
    ("golden", "code"),
    [
        ("SELECT CAST(floor(random() * 10) AS INTEGER) AS x", "changes-between-runs"),
        ("SELECT uuid() AS x", "changes-between-runs"),
        ("SELECT gen_random_uuid() AS x", "changes-between-runs"),
        ("SELECT avg(amount) FROM ledger USING SAMPLE 100 ROWS", "changes-between-runs"),
        ("SELECT product FROM sales GROUP BY product LIMIT 2", "limit-without-order"),
        ("SELECT DISTINCT region FROM sales LIMIT 1", "limit-without-order"),
        ("SELECT count(*) FROM sales WHERE region = 'North'", "filter-finds-nothing"),
        ("SELECT coalesce(sum(amount), 0) FROM sales WHERE product IN ('Pens', 'Ink')", "filter-finds-nothing"),
        ("SELECT count(*) FILTER (WHERE s.region = 'North') FROM sales s", "filter-finds-nothing"),
        ("SELECT count(*) FROM visits WHERE seen_at BETWEEN '2026-07-01' AND '2026-08-31'", "last-day-cut-off"),
        ("SELECT count(*) FROM visits WHERE seen_at >= '2026-07-01' AND seen_at <= DATE '2026-08-31'", "last-day-cut-off"),
        ("SELECT count(CASE WHEN units > 3 THEN 1 ELSE 0 END) FROM sales WHERE sold_on < '2026-10-01'", "count-of-else"),
        ("SELECT count(if(units > 3, 1, 0)) FROM sales WHERE sold_on < '2026-10-01'", "count-of-else"),
        ("SELECT count(*) FROM sales a, sales b", "joined-without-condition"),
        ("SELECT count(*) FROM sales a JOIN sales b ON a.region = b.region, sales c", "joined-without-condition"),
        ("SELECT CAST(TIMESTAMPTZ '2026-07-01 20:00:00+00' AS DATE) AS day", "depends-on-time-zone"),
    ],
)
def test_are_found(warehouse: Warehouse, golden: str, code: str) -> None:
    findings = found(warehouse, golden)
    assert code in findings or (code == "limit-without-order" and "changes-with-row-order" in findings)
    assert findings.keys() <= {code, "changes-with-row-order"}


@pytest.mark.parametrize(
    "golden",
    [
        "SELECT product FROM sales WHERE region = 'north' AND product = 'ink' LIMIT 5",
        "SELECT count(*) AS n FROM sales WHERE sold_on < '2026-10-01' LIMIT 1",
        "SELECT count(*) FROM sales WHERE region <> 'west' AND sold_on < '2026-10-01'",
        "SELECT count(*) FROM sales WHERE region NOT IN ('west') AND sold_on < '2026-10-01'",
        "SELECT count(*) FROM sales WHERE region = 'north' AND product = 'paper' AND sold_on < '2026-10-01'",
        "SELECT count(*) FROM sales WHERE sold_on BETWEEN '2026-07-01' AND '2026-08-31'",
        "SELECT count(*) FROM visits WHERE seen_at >= '2026-07-01' AND seen_at < '2026-09-01'",
        "SELECT count(*) FROM visits WHERE seen_at BETWEEN '2026-07-01' AND '2026-08-31 23:59:59'",
        "SELECT count(CASE WHEN units > 3 THEN 1 END) FROM sales WHERE sold_on < '2026-10-01'",
        "SELECT sum(CASE WHEN units > 3 THEN 1 ELSE 0 END) FROM sales WHERE sold_on < '2026-10-01'",
        "SELECT count(CASE WHEN units > 3 THEN 1 ELSE NULL END) FROM sales WHERE sold_on < '2026-10-01'",
        "SELECT count(*) FROM sales a, sales b WHERE a.region = b.region AND a.sold_on < '2026-10-01' AND b.sold_on < '2026-10-01'",
        "SELECT max(s.amount) / max(t.total) FROM sales s, (SELECT sum(amount) AS total FROM sales) t WHERE s.sold_on < '2026-10-01'",
        "SELECT s.region, u FROM sales s, UNNEST([1, 2]) AS t(u) WHERE s.sold_on < '2026-08-01'",
        "SELECT count(*) FROM sales AS a JOIN sales AS b USING (region) WHERE a.sold_on < '2026-10-01' AND b.sold_on < '2026-10-01'",
        "SELECT count(*) FROM visits WHERE seen_at < '2026-08-01 12:00:00'",
    ],
)
def test_what_only_looks_like_one_is_none(warehouse: Warehouse, golden: str) -> None:
    assert found(warehouse, golden, tolerance=0, absolute=0) == {}


def test_a_part_of_a_filter_that_finds_nothing_is_a_note_and_so_is_a_cross_join(warehouse: Warehouse) -> None:
    part = found(
        warehouse, "SELECT count(*) FROM sales WHERE region IN ('north', 'West') AND sold_on < '2026-10-01'", tolerance=0, absolute=0
    )
    assert [str(finding.severity) for finding in part.values()] == ["note"]
    cross = found(warehouse, "SELECT count(*) FROM sales a CROSS JOIN sales b", tolerance=0, absolute=0)
    assert str(cross["joined-without-condition"].severity) == "note"


def test_a_zone_that_was_set_makes_a_note(tables: Path) -> None:
    """fd-062."""
    golden = "SELECT CAST(TIMESTAMPTZ '2026-07-01 20:00:00+00' AS DATE) AS day"
    with open_warehouse(tables, time_zone="Asia/Jakarta") as jakarta:
        finding = found(jakarta, golden)["depends-on-time-zone"]
    assert str(finding.severity) == "note"
    assert "runs in the time zone Asia/Jakarta, and gives another result in UTC" in finding.message


def test_a_function_that_nobody_can_read_is_run_a_second_time(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("CREATE VIEW draws AS SELECT random() AS x")
    connection.close()
    with open_warehouse(f"sqlite:///{tmp_path}/a.db") as opened:
        assert "changes-between-runs" in found(opened, "SELECT x FROM draws", tolerance=0, absolute=0)


def test_the_same_gold_of_another_question_is_told_at_the_second(warehouse: Warehouse) -> None:
    """field/analyst 10: "per year" and "in each year" stood in one split."""
    items = [a_gold(TOTAL, id="a"), a_gold(TOTAL.lower().replace(" from", "\n  from"), id="b"), a_gold(TOTAL, id="c", role="guest")]
    findings = [finding for finding in check_golds(items, warehouse).findings if finding.code == "same-gold-twice"]
    assert [(finding.item_id, str(finding.severity)) for finding in findings] == [("b", "note")]


@pytest.mark.parametrize(
    ("question", "golden", "is_told"),
    [
        ("What did we sell in each region?", "SELECT region, sum(amount) AS total FROM sales GROUP BY region", True),
        ("Who opened our shops, and when?", "SELECT region, sum(amount) AS total FROM sales GROUP BY region", False),  # another question
        ("What did we sell per region?", "SELECT region, count(*) FROM sales GROUP BY region", False),  # another result
        ("What did we sell per region in 2026?", "SELECT region, sum(amount) AS total FROM sales GROUP BY region", False),  # a figure more
    ],
)
def test_a_question_asked_again_in_other_words_is_told(warehouse: Warehouse, question: str, golden: str, is_told: bool) -> None:
    first = a_gold("SELECT region, sum(amount) FROM sales GROUP BY 1", id="a", question="What did we sell per region?")
    findings = check_golds([first, a_gold(golden, id="b", question=question)], warehouse).findings
    assert [finding.item_id for finding in findings if finding.code == "same-gold-twice"] == ["b"] * is_told


def test_two_questions_with_one_number_for_an_answer_are_two(warehouse: Warehouse) -> None:
    """How many claims, and how many policies: the same number, and not the same question."""
    items = [
        a_gold("SELECT count(*) FROM sales", id="a", question="How many claims do we have?"),
        a_gold("SELECT count(DISTINCT rowid) FROM sales", id="b", question="How many policies do we have?"),
    ]
    assert not [finding for finding in check_golds(items, warehouse).findings if finding.code == "same-gold-twice"]
