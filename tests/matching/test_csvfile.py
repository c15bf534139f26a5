"""Results from CSV files: types told from the cells, nothing lost."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from goldenlib.errors import InputError
from goldenlib.matching import read_csv_result, results_match


def a_file(folder: Path, text: str | bytes, name: str = "result.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


COLUMNS: list[tuple[list[str], list[Any]]] = [
    (["1", "-20", ""], [1, -20, None]),
    (["9007199254740993", "0"], [2**53 + 1, 0]),
    (["123456789012345678901234567890", "1"], [123456789012345678901234567890, 1]),
    (["1.50", "2"], [Decimal("1.50"), Decimal(2)]),
    (["1e-05", "2.5"], [0.00001, 2.5]),
    (["nan", "1.0", "-inf"], [float("nan"), 1.0, -float("inf")]),
    (["007", "12"], ["007", "12"]),
    (["1e3", "2e5"], ["1e3", "2e5"]),
    (["1,5", "2"], ["1,5", "2"]),
    (["1", "n/a"], ["1", "n/a"]),
    (["true", "False"], [True, False]),
    (["2026-03-01", ""], [date(2026, 3, 1), None]),
    (["2026-02-30", "2026-03-01"], ["2026-02-30", "2026-03-01"]),
    (["2026-03-01 10:00:00", "2026-03-01T00:00:00.5"], [datetime(2026, 3, 1, 10), datetime(2026, 3, 1, 0, 0, 0, 500_000)]),
    (["2026-03-01T10:00:00Z", "2026-03-01 10:00:00+01:00"], [datetime(2026, 3, 1, 10, tzinfo=UTC), datetime(2026, 3, 1, 9, tzinfo=UTC)]),
    (["2026-03-01 10:00:00", "2026-03-01 10:00:00+01"], ["2026-03-01 10:00:00", "2026-03-01 10:00:00+01"]),
    (["", ""], [None, None]),
    (['"a, ""b"""', " c "], ['a, "b"', " c "]),
    (['"two\nlines"', "é"], ["two\nlines", "é"]),
]


@pytest.mark.parametrize(("cells", "values"), COLUMNS, ids=[" ".join(cells)[:30] for cells, _ in COLUMNS])
def test_a_column_has_the_type_that_all_its_cells_spell(tmp_path: Path, cells: list[str], values: list[Any]) -> None:
    written = [cell if "," not in cell or cell.startswith('"') else f'"{cell}"' for cell in cells]
    table = read_csv_result(a_file(tmp_path, "name,n\n" + "".join(f"{cell},{n}\n" for n, cell in enumerate(written))))
    assert table.column_names == ["name", "n"]
    assert results_match(table, [(value, n) for n, value in enumerate(values)], True, 0, 0)


def test_two_files_can_be_compared(tmp_path: Path) -> None:
    golden = read_csv_result(a_file(tmp_path, "region,revenue\nAMER,51762.14\nAPAC,35296.93\n", "gold.csv"))
    answer = read_csv_result(a_file(tmp_path, "total,region,month\n35297,APAC,2026-03\n51762,AMER,2026-03\n", "answer.csv"))
    assert results_match(answer, golden)


def test_windows_line_ends_and_a_byte_order_mark_are_no_part_of_the_cells(tmp_path: Path) -> None:
    table = read_csv_result(a_file(tmp_path, b"\xef\xbb\xbfa,b\r\n1,x\r\n\r\n2,y\r\n"))
    assert table.to_pydict() == {"a": [1, 2], "b": ["x", "y"]}


def test_an_empty_cell_of_a_single_column_is_a_row(tmp_path: Path) -> None:
    assert read_csv_result(a_file(tmp_path, "a\n1\n\n2\n")).to_pydict() == {"a": [1, None, 2]}


def test_a_file_with_only_a_header_is_an_empty_result(tmp_path: Path) -> None:
    assert results_match(read_csv_result(a_file(tmp_path, "a,b\n")), [])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a,b\n1\n2,3\n4,5,6\n", r"result\.csv:2: 1 cells, the header has 2\n.*result\.csv:4: 3 cells, the header has 2"),
        ("", r"has no header line; write the names of the columns in the first line"),
        (b"a\n\xff\n", r"is not CSV in UTF-8: .*; export it as CSV, UTF-8"),
        ('a\n"x\n', r"is not CSV in UTF-8"),
    ],
    ids=["ragged", "empty", "latin", "quote"],
)
def test_a_file_that_is_no_csv_is_refused_with_every_line(tmp_path: Path, text: str | bytes, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_csv_result(a_file(tmp_path, text))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.csv: cannot be read: No such file"):
        read_csv_result(tmp_path / "gone.csv")


def result_of(folder: Path, text: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    table = read_csv_result(a_file(folder, text))
    return table.column_names, [tuple(row.values()) for row in table.to_pylist()]


def test_what_a_spreadsheet_writes_where_the_comma_is_the_point_is_read_as_meant(tmp_path: Path) -> None:
    """fd-055: it was one column of text, and did not match."""
    golden = read_csv_result(a_file(tmp_path, "kota;n\nA;1,5\n", "gold.csv"))
    assert golden.to_pylist() == [{"kota": "A", "n": Decimal("1.5")}]
    for answer in ("kota;n\nA;1,50\n", "n;kota\r\n1,5;A\r\n", "kota,n\nA,1.5\n", 'kota,n\n"A",1.50\n', "kota\tn\nA\t1,5\n"):
        assert results_match(read_csv_result(a_file(tmp_path, answer)), golden), answer
    assert not results_match(read_csv_result(a_file(tmp_path, "kota;n\nA;1,6\n")), golden)


@pytest.mark.parametrize(
    ("text", "names", "rows"),
    [
        ("a;b\n1;2\n", ["a", "b"], [(1, 2)]),
        ("a\tb\n1\t2,5\n", ["a", "b"], [(1, Decimal("2.5"))]),
        ("sep=;\na;b\n1;2\n", ["a", "b"], [(1, 2)]),
        ("a;b\n1.5;x\n", ["a", "b"], [(Decimal("1.5"), "x")]),  # a point is a point
        ("a;b\n1,5;x\n1.23;y\n", ["a", "b"], [("1,5", "x"), ("1.23", "y")]),  # neither, so text
        ("total, net;b\n1,5;x\n2,5;y\n", ["total, net", "b"], None),
        ("n\n1;5\n", ["n"], [("1;5",)]),
        ("a;b\n1.234,5;x\n1.000;y\n", ["a", "b"], [(Decimal("1234.5"), "x"), (Decimal(1000), "y")]),  # grouped, since one has a comma
        ("a;b\n1.234;x\n", ["a", "b"], [(Decimal("1.234"), "x")]),
    ],
    ids=["semicolon", "tab", "said", "point", "mixed", "both fit", "one column", "grouped", "not grouped"],
)
def test_the_sign_that_divides_is_found(tmp_path: Path, text: str, names: list[str], rows: list[tuple[Any, ...]] | None) -> None:
    if rows is None:
        with pytest.raises(InputError, match=r"result.csv:1: the cells may be divided by commas or semicolons; put cells .* 'sep=;'"):
            result_of(tmp_path, text)
    else:
        assert result_of(tmp_path, text) == (names, rows)


def test_a_row_that_fits_no_sign_is_told_by_the_one_that_the_header_shows(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"result.csv:3: 1 cells, the header has 2"):
        result_of(tmp_path, "a;b\n1;2\n3\n")
