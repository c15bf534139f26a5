"""Neighbours of the public cases, each decided by contract 9 before it was run: one claim a case."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from goldenlib.matching import MatchOutcome, results_match

NAN = float("nan")
JAKARTA = timezone(timedelta(hours=7))
DAY, MIDNIGHT = date(2026, 3, 1), datetime(2026, 3, 1)
ORDERED = {"order_matters": True}
EXACT = {"tolerance": 0, "absolute": 0}

# what is claimed, golden, answer, whether they match, the rule where it is not the usual one
CASES: list[tuple[str, list[Any], list[Any], bool, dict[str, Any]]] = [
    ("rows of NULL are counted", [(None,), (None,), (1,)], [(None,), (1,), (1,)], False, {}),
    ("lists are counted", [([1],), ([1],), ([2],)], [([1],), ([2],), ([2],)], False, {}),
    ("two equal columns need two", [(1, 1), (2, 2)], [(1, "a"), (2, "b")], False, {}),
    ("a constant column needed twice is not met by another constant", [("x", "EUR", "EUR")], [("x", "EUR", "USD")], False, {}),
    ("a NULL column needs a column of NULL", [(1, None), (2, None)], [(1, None), (2, 3)], False, {}),
    ("a NULL column is no missing column", [(1, None)], [(1,)], False, {}),
    ("an extra NULL column is allowed", [(1,)], [(1, None)], True, {}),
    ("columns are assigned along a chain", [(100.0, 100.05, 100.1)], [(100.15, 99.95, 100.05)], True, {}),
    ("a chain of columns may break", [(100.0, 100.05, 100.1)], [(99.94, 99.96, 100.1)], False, {}),
    ("a bag of one row's cells is a match", [tuple(range(12))], [tuple(reversed(range(12)))], True, {}),
    ("columns swapped throughout", [(1, 2), (1, 2), (2, 1)], [(2, 1), (1, 2), (1, 2)], True, {}),
    ("columns swapped in some rows", [(1, 2), (3, 4), (5, 6)], [(1, 2), (4, 3), (5, 6)], False, {}),
    ("one row of NULL is not no row", [(None,)], [], False, {}),
    ("NULL is no empty list", [(None,)], [([],)], False, {}),
    ("NULL is not 'NULL'", [(None,)], [("NULL",)], False, {}),
    ("NaN of either type", [(Decimal("NaN"),), (1,)], [(1.0,), (NAN,)], True, {}),
    ("no tolerance reaches infinity", [(1.7e308,)], [(float("inf"),)], False, {"tolerance": 10}),
    ("the limit itself agrees, from above", [(100,)], [(100.055,)], True, {}),
    ("the limit itself agrees, from below", [(Decimal("100.00"),)], [(99.945,)], True, {}),
    ("beyond the limit by 1e-26", [(Decimal(100),)], [(Decimal("100.05500000000000000000000001"),)], False, {}),
    ("half a cent of one tenth", [(0.1,)], [(0.105,)], True, {"tolerance": 0}),
    ("the size of a negative golden number", [(-100,)], [(-100.055,)], True, {}),
    ("a flipped sign within half a cent", [(-0.004,)], [(0.001,)], True, {}),
    ("a flipped sign beyond", [(-12.5,)], [(12.5,)], False, {}),
    ("nothing is relative to zero", [(0,)], [(0.0001,)], False, {"absolute": 0}),
    ("a share and its percentage", [(0.4448,)], [(44.48,)], False, {}),
    ("an integer beside the float it nearly is", [(2**53 + 1,)], [(float(2**53),)], False, {"tolerance": 0, "absolute": 0.999}),
    ("the scale of a Decimal", [(Decimal("1.50"),)], [(Decimal("1.5000000"),)], True, EXACT),
    ("float noise is no equality", [(0.3,)], [(0.1 + 0.2,)], False, EXACT),
    ("a boolean has no tolerance", [(True,)], [(0,)], False, {"tolerance": 5, "absolute": 5}),
    ("a boolean inside a list has none either", [([True],)], [([1.004],)], False, {}),
    ("a boolean is not 't'", [(True,)], [("t",)], False, {}),
    ("a day early in another zone", [(DAY,), (date(2026, 3, 2),)], [(date(2026, 2, 28),), (DAY,)], False, {}),
    ("one instant in two zones", [(datetime(2026, 3, 1, 7, tzinfo=JAKARTA),)], [(datetime(2026, 3, 1, tzinfo=UTC),)], True, {}),
    ("a date is not its month", [(DAY, 5)], [("2026-03", 5)], False, {}),
    ("text that spells a date among dates", [(DAY, 1.0), ("2026-03-01", 2.0)], [("2026-03-01", 1.0), (DAY, 2.0)], True, {}),
    ("a field that is NULL is not missing", [({"a": 1, "b": None},)], [({"a": 1},)], False, {}),
    ("lists trade partners", [([100.0],), ([100.05],)], [([100.049],), ([99.96],)], True, {}),
    ("rows of one key trade partners", [("a", 100.0), ("a", 100.1)], [("a", 100.1), ("a", 100.05)], True, {}),
    ("two answers above leave the lower without", [("a", 100.0), ("a", 100.1)], [("a", 100.1), ("a", 100.06)], False, {}),
    ("equal rows have their places", [(1,), (1,), (2,)], [(1,), (2,), (1,)], False, ORDERED),
    ("a descending column and its rank", [(3,), (2,), (1,)], [(1, 3), (2, 2), (3, 1)], True, ORDERED),
    ("no keys, no ties", [("a", 5), ("b", 5)], [("b", 5), ("a", 5)], False, ORDERED),
    ("rows tie on NULL", [("a", None), ("b", None)], [("b", None), ("a", None)], True, ORDERED | {"tied_on": [1]}),
    ("nearly equal is no tie", [("a", 5.0), ("b", 5.001)], [("b", 5.001), ("a", 5.0)], False, ORDERED | {"tied_on": [1]}),
    ("within a tie numbers trade partners", [(5, 100.0), (5, 100.05)], [(5, 100.049), (5, 99.96)], True, ORDERED | {"tied_on": [0]}),
    ("a date ties with its midnight", [("a", DAY), ("b", MIDNIGHT)], [("b", DAY), ("a", DAY)], True, ORDERED | {"tied_on": [1]}),
    ("a boolean ties with its number", [("a", True), ("b", 1)], [("b", 1), ("a", 1)], True, ORDERED | {"tied_on": [1]}),
    ("a list ties with its equal", [("a", [True]), ("b", [1.0])], [("b", [1]), ("a", [1])], True, ORDERED | {"tied_on": [1]}),
    ("an hour is no tie", [("a", DAY), ("b", datetime(2026, 3, 1, 1))], [("b", DAY), ("a", DAY)], False, ORDERED | {"tied_on": [1]}),
]


@pytest.mark.parametrize(("golden", "answer", "matches", "rule"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_held_out_case(golden: list[Any], answer: list[Any], matches: bool, rule: dict[str, Any]) -> None:
    match = results_match(answer, golden, **rule)
    assert match.outcome is (MatchOutcome.MATCH if matches else MatchOutcome.MISMATCH), match.reason
    assert match.reason
