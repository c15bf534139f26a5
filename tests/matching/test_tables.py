"""What results may be held in, and that nothing is lost on the way."""

from __future__ import annotations

import sqlite3
from collections import namedtuple
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from goldenlib.matching import MatchOutcome, results_match
from goldenlib.matching.arrowvalues import python_value
from goldenlib.matching.resulttables import read_table

ROWS = [("AMER", 51762.14), ("APAC", 35296.93), ("EMEA", 63023.76)]
Row = namedtuple("Row", ["region", "revenue"])  # as database drivers make them


def sqlite_rows() -> list[Any]:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    rows = connection.execute("SELECT * FROM (VALUES ('AMER', 51762.14), ('APAC', 35296.93), ('EMEA', 63023.76))").fetchall()
    connection.close()
    return rows


ARROW = pa.table({"region": [row[0] for row in ROWS], "revenue": [row[1] for row in ROWS]})
HELD: dict[str, Any] = {
    "tuples": ROWS,
    "lists": [list(row) for row in ROWS],
    "dicts": [{"region": region, "revenue": revenue} for region, revenue in ROWS],
    "dicts in another order of keys": [{"revenue": revenue, "region": region} for region, revenue in ROWS],
    "named tuples": [Row(*row) for row in ROWS],
    "sqlite rows": sqlite_rows(),
    "tuple of tuples": tuple(ROWS),
    "numpy rows": np.array(ROWS, dtype=object),
    "arrow table": ARROW,
    "arrow batches": pa.concat_tables([ARROW.slice(0, 1), ARROW.slice(1)]),
    "record batch": ARROW.to_batches()[0],
    "arrow dictionary": ARROW.set_column(0, "region", ARROW.column("region").dictionary_encode()),
    "large and view strings": ARROW.set_column(0, "region", ARROW.column("region").cast(pa.string_view())),
}


@pytest.mark.parametrize("answer", HELD.values(), ids=HELD.keys())
@pytest.mark.parametrize("golden", HELD.values(), ids=HELD.keys())
def test_rows_match_whatever_they_are_held_in(answer: Any, golden: Any) -> None:
    assert results_match(answer, golden)


def test_readers_cursors_and_generators_are_read_once() -> None:
    assert results_match(pa.RecordBatchReader.from_batches(ARROW.schema, ARROW.to_batches()), ROWS)
    assert results_match((row for row in ROWS), iter(ROWS))


def test_a_duckdb_relation_is_read_as_it_is() -> None:
    with duckdb.connect() as connection:
        relation = connection.sql("SELECT * FROM (VALUES ('AMER', 51762.14), ('APAC', 35296.93), ('EMEA', 63023.76)) AS t(region, revenue)")
        match = results_match(relation, ROWS)
    assert match
    assert [column.answer_name for column in match.columns] == ["region", "revenue"]


DUCKDB_VALUES = """SELECT 1::HUGEINT AS huge, sum(i) AS total, 1.50::DECIMAL(10, 2) AS money,
    12345678901234567890.12::DECIMAL(38, 2) AS much,
    uuid '6ba7b810-9dad-11d1-80b4-00c04fd430c8' AS id, interval '1 month 2 days' AS span, [1, 2] AS list, {'a': 1, 'b': 'x'} AS struct,
    map {'k': 1} AS map, 'a'::ENUM('a', 'b') AS word, timestamptz '2026-03-01 10:00:00+01' AS instant, time '10:00' AS clock,
    'x'::BLOB AS bytes, true AS flag, 3::UTINYINT AS tiny, 18446744073709551615::UBIGINT AS large, 0.1::FLOAT AS short, NULL AS nothing,
    'nan'::DOUBLE AS nan, timestamp '2026-03-01 00:00:00' AS midnight, date '2026-03-01' AS day, '2026-03-01' AS written
    FROM range(4) AS t(i)"""


def test_duckdb_gives_the_same_through_arrow_and_as_python_rows() -> None:
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'Europe/Amsterdam'")
        rows = connection.execute(DUCKDB_VALUES).fetchall()
        table = connection.sql(DUCKDB_VALUES).to_arrow_table()
    assert results_match(rows, table, True, 0, 0)
    assert results_match(table, rows, True, 0, 0)


ARROW_VALUES: list[tuple[pa.Array, list[Any]]] = [
    (pa.nulls(2), [None, None]),
    (pa.array([True, None]), [True, None]),
    (pa.array([2**63 - 1, None]), [2**63 - 1, None]),
    (pa.array([-(2**63), 2**53 + 1]), [-(2**63), 2**53 + 1]),
    (pa.array([2**64 - 1, 2**63], pa.uint64()), [2**64 - 1, 2**63]),
    (pa.array([-0.0, None, float("nan"), float("inf")]), [0, None, float("nan"), float("inf")]),
    (pa.array([0.5, 1.5], pa.float16()), [0.5, 1.5]),
    (pa.array([Decimal("-1.50"), None, Decimal("9999999999999.99")]), [Decimal("-1.5"), None, Decimal("9999999999999.99")]),
    (pa.array([Decimal(10) ** 37, Decimal(-7)]), [10**37, -7]),
    (pa.array([Decimal("1.5")], pa.decimal256(50, 3)), [1.5]),
    (pa.array([Decimal("1.5")], pa.decimal32(5, 3)), [1.5]),
    (pa.array([Decimal("1E-30")], pa.decimal128(38, 35)), [Decimal("1E-30")]),
    (pa.array([date(2026, 3, 1), None]), [date(2026, 3, 1), None]),
    (pa.array([date(2026, 3, 1)], pa.date64()), [date(2026, 3, 1)]),
    (pa.array([datetime(2026, 3, 1), datetime(2026, 3, 1, 1)], pa.timestamp("s")), [date(2026, 3, 1), datetime(2026, 3, 1, 1)]),
    (pa.array([1, 10**18], pa.timestamp("ns")), [np.datetime64(1, "ns"), np.datetime64(10**18, "ns")]),
    (pa.array([datetime(2026, 3, 1, 9)], pa.timestamp("ms", "Asia/Jakarta")), [datetime(2026, 3, 1, 9, tzinfo=UTC)]),
    (pa.array([time(1, 2, 3)], pa.time32("s")), [time(1, 2, 3)]),
    (pa.array([1_000], pa.time64("ns")), [time(0, 0, 0, 1)]),
    (pa.array([timedelta(days=1)], pa.duration("ms")), [timedelta(days=1)]),
    (pa.array([(1, 2, 3_000)], pa.month_day_nano_interval()), [timedelta(days=32, microseconds=3)]),
    (pa.array([b"ab", None], pa.binary(2)), [b"ab", None]),
    (pa.array([[1, 2], None], pa.list_(pa.int64())), [[1, 2], None]),
    (pa.array([[1, 2]], pa.list_(pa.float32(), 2)), [[1, 2]]),
    (pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int64())), [{"k": 1}]),
    (pa.array([UUID(int=5).bytes], pa.uuid()), [UUID(int=5)]),
    (pa.array(["[1]"], pa.json_()), ["[1]"]),
    (pa.RunEndEncodedArray.from_arrays([2, 3], ["a", "b"]), ["a", "a", "b"]),
]


@pytest.mark.parametrize(("array", "values"), ARROW_VALUES, ids=[str(array.type) for array, _ in ARROW_VALUES])
def test_an_arrow_type_means_the_same_as_python_values(array: pa.Array, values: list[Any]) -> None:
    table = pa.table({"column": array})
    rows = [(value,) for value in values]
    assert results_match(table, rows, True, 0, 0)
    assert results_match(rows, table, True, 0, 0)


def test_moments_beyond_the_years_of_python_are_compared_and_shown() -> None:
    table = pa.table({"moment": pa.array([2**60], pa.timestamp("s"))})
    assert results_match(table, pa.table({"other": pa.array([2**60], pa.timestamp("s"))}))
    match = results_match(table, [(None,)])
    assert "answer '36534630048-05-13 13:56:16'" in match.reason


def test_nanoseconds_inside_lists_are_kept() -> None:
    kind = pa.list_(pa.struct({"at": pa.timestamp("ns")}))
    one, other = (pa.table({"a": pa.array([[{"at": number}]], kind)}) for number in (10**18, 10**18 + 1))
    assert results_match(one, one)
    assert not results_match(one, other)


def test_cells_that_arrow_would_change_are_taken_as_they_are() -> None:
    golden = [(date(2026, 3, 1),), (datetime(2026, 3, 1, 5),), (2**53 + 1,), (2.5,), ("a",), (b"a",), (True,), (1.25,)]
    assert results_match(golden[::-1], golden, tolerance=0, absolute=0)
    for place, other in ((1, date(2026, 3, 2)), (2, 2**53), (5, "a"), (6, False)):
        changed = [*golden[:place], (other,), *golden[place + 1 :]]
        assert not results_match(changed, golden, tolerance=0, absolute=0)


def test_zoned_and_plain_datetimes_are_not_taken_for_each_other() -> None:
    plain, zoned = datetime(2026, 3, 1, 12), datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert results_match([(plain,), (zoned,)], [(zoned,), (plain,)])
    assert not results_match([(plain,), (plain,)], [(zoned,), (plain,)])


def test_decimals_of_a_column_keep_every_digit() -> None:
    golden = [(Decimal("12345678901234567890.12"),), (Decimal("0.1"),), (7,)]
    assert results_match(golden, golden[::-1], tolerance=0, absolute=0)
    assert not results_match([(Decimal("12345678901234567890.13"),), *golden[1:]], golden, tolerance=0, absolute=0)


@pytest.mark.parametrize("golden", [[], pa.table({"a": pa.array([], pa.int64())}), pa.table({})])
@pytest.mark.parametrize("answer", [[], pa.table({"x": pa.array([], pa.string()), "y": pa.array([], pa.string())})])
def test_two_empty_results_match_whatever_their_columns(answer: Any, golden: Any) -> None:
    assert results_match(answer, golden)
    assert results_match(answer, golden, True, tied_on=[3])


def test_rows_without_columns_are_counted() -> None:
    assert results_match([(), ()], [(), ()])
    assert results_match([(1,), (2,)], [(), ()])
    assert not results_match([()], [(), ()])
    assert not results_match([(), ()], [(1,), (2,)])


def test_columns_may_share_a_name() -> None:
    table = pa.table([pa.array([1]), pa.array(["x"])], names=["a", "a"])
    assert results_match(table, [("x", 1)])


def test_pandas_frames_are_read_column_by_column() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "region": ["AMER", "APAC", None],
            "revenue": [51762.14, None, 63023.76],
            "exact": [Decimal("1.10"), Decimal(2), None],
            "mixed": [1, "x", None],
            "day": pandas.to_datetime(["2026-03-01 00:00", None, "2026-03-02 10:00"]),
        }
    )
    rows = [
        ("AMER", 51762.14, 1.1, 1, date(2026, 3, 1)),
        ("APAC", None, 2, "x", None),
        (None, 63023.76, None, None, datetime(2026, 3, 2, 10)),
    ]
    assert results_match(frame, rows, True)
    assert results_match(rows, pandas.concat([frame, frame["region"]], axis=1).iloc[::-1], False).outcome is MatchOutcome.MISMATCH
    assert results_match(frame.iloc[::-1], rows)


class AColumn:
    """As much of a pandas Series of Python objects as is used."""

    dtype = np.dtype(object)

    def __init__(self, cells: list[Any]) -> None:
        self.cells = np.array(cells, dtype=object)
        self.iloc = self.cells

    def isna(self) -> Any:
        return np.array([cell is None for cell in self.cells])

    def tolist(self) -> list[Any]:
        return list(self.cells)


class AFrame:
    """As much of a pandas DataFrame as is used."""

    def __init__(self, **columns: list[Any]) -> None:
        self.columns = list(columns)
        self.shape = (len(next(iter(columns.values()))), len(columns))
        self._columns = [AColumn(cells) for cells in columns.values()]

    @property
    def iloc(self) -> AFrame:
        return self

    def __getitem__(self, key: tuple[slice, int]) -> AColumn:
        return self._columns[key[1]]

    def __len__(self) -> int:
        return self.shape[0]


def test_a_frame_needs_no_pandas() -> None:
    frame = AFrame(region=["AMER", "APAC", "EMEA"], revenue=[51762.14, 35296.93, 1.0])
    match = results_match(frame, ROWS)
    assert match.first_difference is not None
    assert (match.first_difference.answer, match.columns[1].answer_name) == (1.0, "revenue")
    assert read_table(frame, "answer").row(2) == ("EMEA", 1.0)


@pytest.mark.parametrize("source", ["rows", b"rows", {"a": 1}, 5, None])
def test_what_is_no_result_is_refused_with_the_way_out(source: Any) -> None:
    with pytest.raises(TypeError, match=r"the answer result is a .*; give a list of rows .*, an Arrow table"):
        results_match(source, ROWS)


@pytest.mark.parametrize("row", ["ab", 5, None])
def test_a_row_that_is_none_is_refused(row: Any) -> None:
    with pytest.raises(TypeError, match="row 1 of the golden result is a"):
        results_match(ROWS, [row])


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([(1, 2), (3,)], "row 2 of the answer result has 1 cells, row 1 has 2"),
        ([(1, 2), (3, 4, 5)], "row 2 of the answer result has 3 cells, row 1 has 2"),
        ([{"a": 1}, {"b": 1}], "row 2 of the answer result has the keys"),
        ([(1,), {"a": 1}], "row 2 of the answer result is a dict, unlike row 1"),
        ([{"a": 1}, (1,)], "row 2 of the answer result is a tuple, unlike row 1"),
        ([(1, 2), "ab"], "row 2 of the answer result is a str, unlike row 1"),
        ([(1, 2)] * 2000 + [(1,)], "row 2001 of the answer result has 1 cells"),
    ],
)
def test_ragged_rows_are_refused_with_the_row(rows: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        results_match(rows, [(1, 2)])


ENDLESS = {
    "a date": pa.array([2**31 - 1], pa.int32()).view(pa.date32()),
    "a timestamp": pa.array([2**63 - 1], pa.timestamp("us")),
    "a timestamp of seconds": pa.array([2**63 - 1], pa.timestamp("s")),
    "a timestamp of nanoseconds": pa.array([2**63 - 1], pa.timestamp("ns")),
    "a timestamp with zone": pa.array([2**63 - 1], pa.timestamp("us", "UTC")),
}


@pytest.mark.parametrize("answer", ENDLESS.values(), ids=list(ENDLESS))
@pytest.mark.parametrize("golden", ENDLESS.values(), ids=list(ENDLESS))
def test_infinity_is_one_moment_whatever_its_type(golden: pa.Array, answer: pa.Array) -> None:
    """fd-074."""
    assert results_match(pa.table({"a": answer}), pa.table({"g": golden}))
    before = pa.table({"a": pa.array([-(2**63) + 1], pa.timestamp("us"))})
    assert results_match(before, pa.table({"g": golden})).outcome is MatchOutcome.MISMATCH


def test_a_date_without_end_agrees_with_its_spelling_as_text() -> None:
    """fd-074: JSON has no dates, so that an agent's rows hold text."""
    golden = pa.table({"until": ENDLESS["a date"]})
    assert results_match([("infinity",)], golden)
    assert not results_match([("-infinity",)], golden)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (ENDLESS["a date"][0], "infinity"),
        (pa.array([-735_000], pa.int32()).view(pa.date32())[0], "0044-08-22 (BC)"),
        (pa.scalar(-(2**63) + 1, pa.timestamp("s")), "-infinity"),
        (pa.scalar(90_580_000 * 86_400_000_000 + 1, pa.timestamp("us")), "249969-08-14 00:00:00.000001"),
        (pa.scalar(90_580_000 * 86_400_000_000, pa.timestamp("us", "UTC")), "249969-08-14 00:00:00.000000+00"),
        (pa.array([[ENDLESS["a date"][0]]], pa.list_(pa.date32()))[0], ["infinity"]),
        (pa.array([[([1], 2), ([0], 1)]], pa.map_(pa.list_(pa.int64()), pa.int64()))[0], [[[0], 1], [[1], 2]]),
    ],
)
def test_every_value_can_be_told(value: pa.Scalar, told: object) -> None:
    """fd-074: a moment that Python has no type for in SQL's spelling, whatever holds it."""
    assert python_value(value) == told
