"""`golden check` as text: readable at three hundred golds (fd-073)."""

from __future__ import annotations

from typing import Any

import pytest

from goldenlib.cli.goldcheck import Wanted, run_check
from goldenlib.errors import SettingsError
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Item
from goldenlib.severity import Severity
from goldenlib.warehouse import Warehouse
from tests.gold.golds import a_gold

FIRST = "SELECT first(product) FROM sales"


def a_set(*items: Item) -> GoldenSet:
    return GoldenSet("set", items, tuple(item.id for item in items))


def text(warehouse: Warehouse, *items: Item, **wanted: Any) -> list[str]:
    return run_check(a_set(*items), warehouse, wanted=Wanted(**wanted)).text.splitlines()


def many(count: int, **changes: Any) -> list[Item]:
    return [a_gold(f"SELECT sum(units) + {number} AS n FROM sales", id=f"q{number}", **changes) for number in range(count)]


def test_notes_are_summed_by_code_and_shown_when_asked_for(warehouse: Warehouse) -> None:
    lines = text(warehouse, *many(5))
    assert lines[:2] == [
        "· note, check-missing: 5 (q0, q1, q2, and 2 more)",
        "  → --notes shows each of them, --code CODE those of one code",
    ]
    assert len(text(warehouse, *many(5), notes=True)) > 20


def test_a_warning_that_most_golds_have_is_summed_and_others_stand_in_their_place(warehouse: Warehouse) -> None:
    lines = text(warehouse, *many(12, note=""), a_gold(FIRST, id="chance"))
    assert "▲ warning, note-missing: 12 (q0, q1, q2, and 9 more)" in lines
    assert lines[0] == "chance"
    assert len(lines) < 25


def test_golds_with_errors_come_first(warehouse: Warehouse) -> None:
    lines = text(warehouse, a_gold(FIRST, id="chance"), a_gold("SELECT nothing FROM sales", id="broken"))
    assert lines.index("broken") < lines.index("chance")


def test_codes_and_severities_can_be_asked_for(warehouse: Warehouse) -> None:
    items = [*many(2, note=""), a_gold(FIRST, id="chance")]
    assert not [line for line in text(warehouse, *items, severity=Severity.WARNING) if "check-missing" in line]
    of_code = text(warehouse, *items, codes=("changes-with-row-order",))
    assert [line for line in of_code if line.startswith(("q", "chance"))] == ["chance"]
    assert of_code[-1] == text(warehouse, *items)[-1]  # the summary counts all
    with pytest.raises(SettingsError, match="'row-order' is no code of a gold check; the codes are: golden-sql-not-select, "):
        Wanted(codes=("row-order",))


def test_what_was_accepted_is_not_told_again_unless_it_is_an_error(warehouse: Warehouse) -> None:
    accepted = [{"code": code, "reason": "looked at"} for code in ("changes-with-row-order", "check-missing", "gold-fails-to-run")]
    assert len(text(warehouse, a_gold(FIRST, accepted=accepted))) == 1
    assert "gold-fails-to-run" in "".join(text(warehouse, a_gold("SELECT nothing FROM sales", accepted=accepted)))


def test_the_exit_code_is_that_of_all_findings(warehouse: Warehouse) -> None:
    broken = a_set(a_gold("SELECT nothing FROM sales"))
    assert run_check(broken, warehouse, wanted=Wanted(codes=("note-missing",))).exit_code == 1
