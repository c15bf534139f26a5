"""Cells without a type, of Markdown tables and JSON, read by the types of the golden columns; moments as days of a zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pyarrow as pa
import pytest

from goldenlib.matching import ResultMatch, results_match
from goldenlib.scoring.data.cellreading import Cells, match_read

JAKARTA = ZoneInfo("Asia/Jakarta")


def match(rows: Any, golden: Any, zone: Any = None) -> ResultMatch:
    return match_read(rows, golden, results_match, zone=zone)


def words(*rows: tuple[str | None, ...]) -> Cells:
    return Cells(list(rows))


def outcome(rows: Any, golden: Any, zone: Any = None) -> str:
    return str(match(rows, golden, zone).outcome)


class TestWords:
    """fd-064, fd-065: a cell of words has the type of the golden column that it stands for."""

    @pytest.mark.parametrize(
        ("golden", "cell"),
        [
            ("00731", "00731"),
            ("90210", "90210"),
            ("0812-555", "0812-555"),
            (True, "true"),
            (True, "ya"),
            (True, "Yes"),
            (True, "Benar"),
            (False, "tidak"),
            (False, "false"),
            (0.1234, "12.34%"),
            (12.34, "12.34%"),
            (Decimal("1234.5"), "1,234.50"),
            (Decimal("1234.5"), "Rp1.234,50"),
            (date(2026, 5, 1), "1 Mei 2026"),
            (date(2026, 5, 1), "May 1, 2026"),
            (date(2026, 5, 1), "2026-05-01"),
            (datetime(2026, 5, 1, 10, 30), "2026-05-01 10:30"),
            (time(8, 30), "08:30"),
            (timedelta(days=1, hours=2), "1 day 02:00:00"),
        ],
    )
    def test_agree_by_the_golden_type(self, golden: Any, cell: str) -> None:
        assert outcome(words((cell, "x")), [(golden,)]) == "match"

    @pytest.mark.parametrize(
        ("golden", "cell"),
        [
            ("00731", "731"),
            ("731", "00731"),
            (True, "tidak"),
            (True, "1.5"),
            (0.1234, "12.99%"),
            (date(2026, 5, 1), "2 Mei 2026"),
            (5, "007"),
        ],
    )
    def test_that_say_something_else_do_not_agree(self, golden: Any, cell: str) -> None:
        assert outcome(words((cell,)), [(golden,)]) in ("mismatch",) or (golden, cell) == (5, "007")
        assert outcome(words((cell,)), [(golden,)]) != "match"

    def test_a_column_does_not_stand_for_two_golden_ones(self) -> None:
        assert outcome(words(("90210", "x")), [("90210", 90210)]) == "mismatch"
        assert outcome(words(("90210", "90210")), [("90210", 90210)]) == "match"

    def test_a_small_percentage_as_it_is_written_is_open(self) -> None:
        """As in a sentence: 0.12 may be twelve percent."""
        assert outcome(words(("0.12%",)), [(0.12,)]) == "undecided"
        assert outcome(words(("12%",)), [(0.12,)]) == "match"

    def test_an_empty_cell_is_null_and_nothing_else(self) -> None:
        assert outcome(words(("ya", "a"), (None, "b")), [(True, "a"), (None, "b")]) == "match"
        assert outcome(words(("ya", "a"), (None, "b")), [(True, "a"), (False, "b")]) == "mismatch"

    def test_the_columns_that_are_told_are_those_of_the_answer(self) -> None:
        found = match(words(("x", "ya")), [(True,)])
        assert ([column.answer for column in found.columns], found.extra_columns) == ([1], 1)


class TestJson:
    """fd-066: JSON has no moments, times and spans; text that spells one may stand for it. It has numbers and booleans of its own."""

    @pytest.mark.parametrize(
        ("golden", "cell"),
        [
            (time(8, 30), "08:30:00"),
            (time(8, 30), "08:30"),
            (timedelta(days=1, hours=2), "P1DT2H"),
            (timedelta(days=1, hours=2), "PT26H"),
            (timedelta(days=1, hours=2), "1 day 02:00:00"),
            (timedelta(days=1, hours=2), "1 day, 2:00:00"),
            (timedelta(days=1, hours=2), "26:00:00"),
            (timedelta(days=1, hours=2), 93600),
            (timedelta(days=1, hours=2), "93600"),
            (timedelta(seconds=-90), "-PT1M30S"),
            (timedelta(seconds=-90), "-00:01:30"),
            (timedelta(days=30), "1 mon"),
            (timedelta(days=365), "P1Y"),
            (timedelta(milliseconds=1500), "PT1.5S"),
            (pa.MonthDayNano([0, 1, 7_200_000_000_000]), "P1DT2H"),
            (datetime(2026, 3, 1, 10, 30), "2026-03-01T10:30:00"),
            (datetime(2026, 3, 1, 3, 30, tzinfo=UTC), "2026-03-01 10:30:00+07"),
        ],
    )
    def test_spellings_of_what_json_lacks_agree(self, golden: Any, cell: Any) -> None:
        assert outcome([(cell,)], [(golden,)]) == "match"

    @pytest.mark.parametrize(
        ("golden", "cell"),
        [
            (time(8, 30), "08:31:00"),
            (timedelta(days=1), "P2D"),
            (timedelta(days=1), 86401),
            (5, "5"),
            (True, "true"),
            ("5", 5),
            (93600, "26:00:00"),
        ],
    )
    def test_others_do_not(self, golden: Any, cell: Any) -> None:
        assert outcome([(cell,)], [(golden,)]) == "mismatch"

    def test_arrow_golds_are_read_by_their_types_too(self) -> None:
        golden = pa.table({"t": pa.array([time(8, 30)]), "d": pa.array([timedelta(hours=2)])})
        assert outcome([("08:30", "PT2H")], golden) == "match"


class TestDays:
    """fd-063: a moment that is midnight in the warehouse's zone is the day that begins with it."""

    MIDNIGHT = datetime(2026, 4, 30, 17, tzinfo=UTC)

    @pytest.mark.parametrize(
        ("cell", "zone", "expected"),
        [
            (MIDNIGHT, JAKARTA, "match"),
            (MIDNIGHT, UTC, "mismatch"),
            (MIDNIGHT, None, "mismatch"),
            ("2026-05-01T00:00:00+07:00", JAKARTA, "match"),
            ("2026-05-01T00:00:00.000Z", UTC, "match"),
            ("2026-05-01T00:00:00Z", JAKARTA, "mismatch"),
            ("2026-05-01 00:00:00+07", JAKARTA, "match"),
        ],
    )
    def test_agree_with_their_date_and_no_other(self, cell: Any, zone: Any, expected: str) -> None:
        assert outcome([(cell, 1)], [(date(2026, 5, 1), 1)], zone) == expected
        assert outcome([(cell, 1)], [(date(2026, 5, 2), 1)], zone) == "mismatch"

    def test_the_same_the_other_way_round_and_between_arrow_tables(self) -> None:
        assert outcome([(date(2026, 5, 1),)], [(self.MIDNIGHT,)], JAKARTA) == "match"
        moments = pa.table({"m": pa.array([self.MIDNIGHT, None], pa.timestamp("us", "UTC")), "n": [1, 2]})
        days = pa.table({"d": pa.array([date(2026, 5, 1), None]), "n": [1, 2]})
        assert outcome(moments, days, JAKARTA) == outcome(days, moments, JAKARTA) == "match"
        assert outcome(moments, days, UTC) == "mismatch"

    def test_a_day_whose_midnight_is_skipped_begins_with_its_first_moment(self) -> None:
        """As PostgreSQL has it: SELECT '2018-11-04'::date::timestamptz in America/Sao_Paulo is 01:00."""
        assert outcome([(datetime(2018, 11, 4, 3, tzinfo=UTC),)], [(date(2018, 11, 4),)], ZoneInfo("America/Sao_Paulo")) == "match"

    def test_one_moment_that_is_no_midnight_leaves_the_column_moments(self) -> None:
        rows = [(self.MIDNIGHT,), (self.MIDNIGHT + timedelta(hours=1),)]
        assert outcome(rows, [(date(2026, 5, 1),), (date(2026, 5, 1),)], JAKARTA) == "mismatch"
