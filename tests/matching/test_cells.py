"""What agrees with what, one cell against one cell (contract 9.2)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from goldenlib.matching import results_match

CET = timezone(timedelta(hours=1))
NAN, INF = float("nan"), float("inf")
AN_ID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

EQUAL: list[tuple[Any, Any]] = [
    (None, None),
    (NAN, NAN),
    (NAN, Decimal("NaN")),
    (INF, INF),
    (-INF, Decimal("-Infinity")),
    ("Bonn", "Bonn"),
    ("", ""),
    ("\ud800", "\ud800"),
    (True, True),
    (True, 1),
    (True, 1.0),
    (False, Decimal("0.00")),
    (0, -0.0),
    (1, 1.0),
    (0.1, Decimal("0.1")),
    (0.1, Fraction(1, 10)),
    (2**60, float(2**60)),
    (10**30, Decimal(10**30)),
    (10**400, 10**400),
    (Decimal("1e-400"), Decimal("1e-400")),
    (Decimal("1e+99999"), Decimal("10e+99998")),
    (np.int64(7), 7),
    (np.float32(0.5), 0.5),
    (np.str_("a"), "a"),
    (date(2026, 3, 1), datetime(2026, 3, 1)),
    (date(2026, 3, 1), "2026-03-01"),
    (np.datetime64("2026-03-01T00:00"), date(2026, 3, 1)),
    (np.datetime64("2026-03-01T10:00:00.000000001"), np.datetime64("2026-03-01T10:00:00.000000001")),
    (np.datetime64("NaT"), None),
    (datetime(2026, 3, 1, 13, tzinfo=UTC), datetime(2026, 3, 1, 14, tzinfo=CET)),
    (time(10, 30), time(10, 30)),
    (time(10, 30, tzinfo=UTC), time(11, 30, tzinfo=CET)),
    (time(23, 30, tzinfo=UTC), time(0, 30, tzinfo=CET)),
    (timedelta(hours=24), timedelta(days=1)),
    (np.timedelta64(1, "D"), timedelta(days=1)),
    (b"ab", bytearray(b"ab")),
    (UUID(AN_ID), UUID(AN_ID)),
    (UUID(AN_ID), AN_ID),
    ([], []),
    ([1, [2, None]], (1.0, (2, None))),
    ([True], [1]),
    (np.array([1, 2]), [1, 2]),
    ({"a": 1, "b": "x"}, {"b": "x", "a": 1}),
    ([date(2026, 3, 1)], ["2026-03-01"]),
    (Decimal("Infinity"), INF),
    (1 + 2j, 1 + 2j),
]
DIFFERENT: list[tuple[Any, Any]] = [
    (None, 0),
    (None, ""),
    (None, "None"),
    (None, NAN),
    (NAN, INF),
    (INF, -INF),
    (INF, 1e308),
    ("Bonn", "bonn"),
    ("Bonn", "Bonn "),
    ("é", "e\u0301"),
    (1, "1"),
    (Decimal("1.5"), "1.5"),
    (True, "True"),
    (True, False),
    (True, 1.0000000001),
    (True, 2),
    (2**53, 2**53 + 1),
    (2**53 + 1, float(2**53)),
    (10**400, 10**400 + 1),
    (Decimal("0.10000000000000000000000000001"), Decimal("0.1")),
    (Decimal("1e-400"), 0),
    (date(2026, 3, 1), date(2025, 3, 1)),
    (date(2026, 3, 1), datetime(2026, 3, 1, 0, 0, 1)),
    (date(2026, 3, 1), "2026-3-1"),
    (date(2026, 3, 1), "20260301"),
    (date(2026, 3, 1), "2026-03-01 00:00:00"),
    (date(2026, 3, 1), "２０２６-03-01"),
    (date(2026, 3, 1), 20260301),
    (date(2026, 3, 1), datetime(2026, 3, 1, tzinfo=UTC)),
    (datetime(2026, 3, 1), "2026-03-01"),
    (datetime(2026, 3, 1, 12), "2026-03-01T12:00:00"),
    (datetime(2026, 3, 1, 12), datetime(2026, 3, 1, 12, tzinfo=UTC)),
    (np.datetime64("2026-03-01T10:00:00.000000001"), datetime(2026, 3, 1, 10)),
    (time(10), time(10, tzinfo=UTC)),
    (time(10), timedelta(hours=10)),
    (b"ab", "ab"),
    (UUID(AN_ID), AN_ID.upper()),
    ([1, 2], [2, 1]),
    ([1], [1, None]),
    ([1], 1),
    (["1"], [1]),
    ([1], {"a": 1}),
    ({"a": 1}, {"b": 1}),
    (Decimal("-Infinity"), INF),
    (Decimal("Infinity"), -INF),
    (1 + 2j, 1 + 3j),
]


def names(pairs: list[tuple[Any, Any]]) -> list[str]:
    return [f"{one!r} and {other!r}"[:60] for one, other in pairs]


@pytest.mark.parametrize(("one", "other"), EQUAL, ids=names(EQUAL))
def test_the_same_thing_agrees_either_way_without_tolerance(one: Any, other: Any) -> None:
    assert results_match([(one,)], [(other,)], tolerance=0, absolute=0)
    assert results_match([(other,)], [(one,)], tolerance=0, absolute=0)


@pytest.mark.parametrize(("one", "other"), EQUAL, ids=names(EQUAL))
def test_the_same_thing_agrees_among_cells_of_other_kinds(one: Any, other: Any) -> None:
    others = [("x",), (7.25,), (None,), (date(1999, 1, 1),)]
    assert results_match([*others, (one,)], [(other,), *others])


def test_structs_are_compared_field_by_field_whatever_their_values() -> None:
    """field/tests C7."""
    assert results_match([({"a": 1.0, "b": 1.004},)], [({"a": 1.004, "b": 1.0},)])
    assert not results_match([({"a": 1.0, "b": 2.0},)], [({"a": 2.0, "b": 1.0},)])


def test_a_tolerance_within_a_list_is_measured_from_the_exact_number() -> None:
    """field/tests C7: the nearest float of 2**53 + 1 is 2**53."""
    for near, agrees in ((2**53 + 2, True), (2**53 - 1, False)):
        assert bool(results_match([([2**53 + 1],)], [([near],)], tolerance=0, absolute=1)) is agrees


@pytest.mark.parametrize(("one", "other"), DIFFERENT, ids=names(DIFFERENT))
def test_different_things_do_not_agree_either_way(one: Any, other: Any) -> None:
    assert not results_match([(one,)], [(other,)], tolerance=0, absolute=0)
    assert not results_match([(other,)], [(one,)], tolerance=0, absolute=0)


@pytest.mark.parametrize(
    ("answer", "golden"),
    [
        ([1, [2.0005]], [1, [2]]),
        ({"share": 0.5001}, {"share": 0.5}),
        ((100.05, "a"), [100, "a"]),
    ],
)
def test_numbers_inside_lists_and_structs_have_the_tolerance(answer: Any, golden: Any) -> None:
    assert results_match([(answer,)], [(golden,)])
    assert not results_match([(answer,)], [(golden,)], tolerance=0, absolute=0)


@pytest.mark.parametrize("other", [date(2026, 3, 1), "2026-03-01", datetime(2026, 3, 1, 1)])
def test_a_mixed_column_pairs_date_text_with_the_date_and_not_with_the_timestamp(other: Any) -> None:
    golden = [(date(2026, 3, 1),), ("2026-03-01",)]
    assert bool(results_match([(datetime(2026, 3, 1),), (other,)], golden)) is not isinstance(other, datetime)


def test_booleans_and_numbers_mixed_in_one_column_pair_up_completely() -> None:
    # 1.004 can only go to 1, so True has to go to True although it agrees with 1 as well.
    assert results_match([(True,), (1.004,)], [(1,), (True,)])
    assert not results_match([(1.004,), (1.004,)], [(1,), (True,)])


def test_numbers_of_any_exponent_can_be_compared() -> None:
    assert results_match([(Decimal("10E+99999998"),)], [(Decimal("1E+99999999"),)])
    assert not results_match([(Decimal("1E+99999999"),)], [(Decimal("1E+99999998"),)])
