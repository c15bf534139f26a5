"""Import of export is the same set, whatever the texts are; and what a form cannot carry is named."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from goldenlib.cli.exchanging import run_export, run_import
from goldenlib.errors import InputError
from goldenlib.exchange.exporting import as_csv, as_promptfoo, as_workbook
from goldenlib.exchange.guarding import guarded, unguarded
from goldenlib.exchange.importing import read_items
from goldenlib.exchange.promptfoo import escaped_template
from goldenlib.exchange.reviews import Reviews
from goldenlib.exchange.setfile import set_text
from goldenlib.files.loading import load_set
from goldenlib.folding import fold
from goldenlib.items import Item
from tests.builders import an_item, hides_nothing

HOSTILE = (
    *(
        "=1+1",
        "'=1+1",
        "''=x",
        "+62",
        "-1",
        "@SUM(A1)",
        "\tx",
        "\rx",
        "\nx",
        "x\n",
        "a\r\nb",
        "a\rb",
        " spasi ",
        '"',
        '""',
        "a,b;c\td",
        "'",
    ),
    *("😀", "a\u2028b\u2029c", "a\x85b", "\ufeffx", "_x000D_", "_x005F_x0041_", "x005F_", "012", "50.000", "1e3", "#N/A", "TRUE", "null"),
    *("{{nama}}", "{% raw %}", "{# x #}", "file://x", "- butir", "a\n\nb", "ya: tidak # bukan", "＝1", "é", "e\u0301", "sep=;", "#REF!"),
)
texts = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(
        st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"], exclude_characters="\ufffe\uffff"), min_size=1, max_size=20
    ),
    st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=4).map(" ".join),
).filter(hides_nothing)
full = texts.filter(lambda text: bool(fold(text)))
dates = st.sampled_from(["2026-11-29", "2026-11-29T08:00:00+07:00"])
few = st.lists(full, max_size=3).map(tuple)
FAST = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def items(draw: Any, item_id: str) -> Item:
    verified = draw(st.booleans())
    review: dict[str, Any] | None = None
    if verified or draw(st.booleans()):
        review = {"by": draw(full), "source": draw(st.just("") | texts), "at": draw(st.none() | dates), "digest": draw(st.none() | texts)}
    kind = draw(st.sampled_from(["answer", "decline", "forbidden"]))
    with_sql = draw(st.booleans())
    sql = {"golden": draw(full), "tolerance": draw(st.floats(0, 10)), "order_matters": draw(st.booleans())} if with_sql else None
    expected = {
        "must_include": draw(st.lists(full, min_size=1, max_size=3)),
        "must_not_include": draw(few),
        "rubric": draw(st.just("") | texts),
        "answer": draw(st.just("") | texts),
        "sql": sql,
    }
    asked = {"question": draw(full)} if draw(st.integers(0, 4)) else {"turns": draw(st.lists(full, min_size=1, max_size=3))}
    plain = {key: draw(st.just("") | texts) for key in ("domain", "context", "role", "note")}
    item = Item.model_validate(
        {
            "id": item_id,
            "surface": draw(st.sampled_from(["public", "internal"])),
            "expected": expected,
            "verified": verified,
            "review": review,
            "kind": kind,
            "decline_type": draw(st.sampled_from([None, "ambiguous"])) if kind == "decline" else None,
            "split": draw(st.sampled_from([None, "dev", "test"])),
            "tags": draw(few),
            "traps": draw(few),
            **asked,
            **plain,
        }
    )
    if item.review is None or not draw(st.booleans()):
        return item
    return item.model_copy(update={"review": item.review.model_copy(update={"digest": item.digest})})


sets = st.integers(1, 3).flatmap(lambda count: st.tuples(*(items(f"item-{number}") for number in range(count))))


def read_back(data: bytes, name: str) -> tuple[Item, ...]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        return read_items(path, format=None, sheet=None, columns={}).items


def taken_over(golden: tuple[Item, ...]) -> tuple[Item, ...]:
    """The items as they come back: what is not signed loses its review to the note, and nothing else."""
    return tuple(Reviews().settled(item, "") for item in golden)


@FAST
@given(sets)
def test_csv_gives_back_the_same_set(golden: tuple[Item, ...]) -> None:
    assert read_back(as_csv(golden, "x").data, "x.csv") == taken_over(golden)


@FAST
@given(sets)
def test_a_workbook_gives_back_the_same_set(golden: tuple[Item, ...]) -> None:
    assert read_back(as_workbook(golden, "x").data, "x.xlsx") == taken_over(golden)


@FAST
@given(sets)
def test_promptfoo_gives_back_what_it_carries(golden: tuple[Item, ...]) -> None:
    def carried(item: Item) -> bool:
        asked = (item.question or "file://", *item.expected.must_include, *item.expected.must_not_include)
        rubric = item.expected.rubric if item.expected.rubric.strip() else ""
        return all(escaped_template(text) is not None for text in (*asked, rubric))

    kept = tuple(item for item in golden if carried(item))
    if not kept:
        with pytest.raises(InputError, match="no item can be a promptfoo test"):
            as_promptfoo(golden, "x")
        return
    exported = as_promptfoo(golden, "x")
    assert exported.count == len(kept)
    assert read_back(exported.data, "x.yaml") == taken_over(kept)


@FAST
@given(sets)
def test_the_yaml_of_a_set_says_the_same(golden: tuple[Item, ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.yaml"
        path.write_text(set_text(golden, ["Imported from\nx.csv"]), encoding="utf-8", newline="")
        assert load_set(path).items == golden


dangerous = st.text(st.sampled_from("'\"=+-@\t\r\n;, \u3000\ufeff＝﹢x"), max_size=12)


@given(dangerous)
@example("a;=1+1;b")
@example("IN (\n'-1',\n'+2')")
def test_a_guard_can_be_taken_away_again(text: str) -> None:
    assert unguarded(guarded(text)) == text


def cells_of(data: bytes, delimiter: str) -> list[str]:
    """The cells as a sheet sees them that divides lines so."""
    lines = io.StringIO(data.decode("utf-8-sig"), newline="")
    return [cell for row in csv.reader(lines, delimiter=delimiter) for cell in row]


def is_formula(cell: str) -> bool:
    return cell.lstrip(" \u3000\ufeff").startswith(tuple("=+-@\t\r\n＝＋－＠﹦﹢﹣﹫"))


@settings(max_examples=200, deadline=None)
@given(st.lists(dangerous.filter(lambda text: bool(fold(text))), min_size=3, max_size=6))
@example(["a;=1+1;b", "x", "y"])
@example(['a;"=1+1', "=x", 'b\t""@y'])
@example(["a;", "b\n", "c\r\n=d"])
def test_no_cell_of_a_csv_is_a_formula_whatever_divides_it(written: list[str]) -> None:
    """fd-078, field/security 8: Excel divides by semicolon where the comma is a decimal sign, and heeds no quotes inside a cell."""
    question, note, *phrases = written
    item = an_item(question=question, note=note, must_include=tuple(phrases), rubric=question)
    data = as_csv([item], "x").data
    assert [cell for delimiter in ",;\t" for cell in cells_of(data, delimiter) if is_formula(cell)] == []
    assert read_back(data, "x.csv") == (item,)


def test_a_csv_for_excel_has_a_byte_order_mark_and_ends_lines_in_crlf() -> None:
    data = as_csv([an_item(question="=cmd|' /C calc'!A0", must_include=("@a", "+1", "-2"), rubric="\t=1")], "x").data
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.count(b"\r\n") == 2


def test_every_cell_of_a_workbook_is_a_text(tmp_path: Path) -> None:
    path = tmp_path / "x.xlsx"
    path.write_bytes(as_workbook([an_item(question="=1+1", rubric="#N/A", must_include=("012",))], "x").data)
    sheet = load_workbook(path).active
    assert sheet is not None
    cells = {sheet.cell(1, column).value: sheet.cell(2, column) for column in range(1, sheet.max_column + 1)}
    assert {cell.data_type for cell in cells.values() if cell.value is not None} == {"s"}
    assert cells["question"].value == "=1+1"
    assert cells["question"].quotePrefix
    assert {cell.number_format for cell in cells.values()} == {"@"}
    assert cells["rubric"].alignment.wrap_text
    assert sheet.freeze_panes == "B2"
    assert sheet.column_dimensions["D"].width > 30


def test_what_no_cell_can_hold_is_refused_with_a_way_out() -> None:
    with pytest.raises(InputError, match=r"x: item 'pt-syarat': rubric holds the control character U\+0007, .*remove it from the item"):
        as_workbook([an_item(rubric="a\x07", must_include=("x",))], "x")
    long = an_item(rubric="a" * 32_768)
    with pytest.raises(InputError, match=r"rubric is longer than the 32,767 characters of a cell; export to .csv"):
        as_workbook([long], "x")
    assert read_back(as_csv([long], "x").data, "x.csv") == (long,)


def test_a_long_list_is_spread_over_columns() -> None:
    item = an_item(must_include=tuple(f"{number} " + "a" * 900 for number in range(40)))
    assert read_back(as_workbook([item], "x").data, "x.xlsx") == (item,)


def test_what_a_form_does_not_carry_is_named() -> None:
    accepted = an_item(accepted=[{"code": "own-denial", "reason": "ya"}])
    unsigned = an_item("pt-dua", verified=True)
    notes = as_csv([accepted, unsigned], "x").notes
    assert "not carried: pt-syarat (accepted)" in notes
    assert "not signed as they are (review.digest), so that importing makes them unverified: pt-dua" in notes


def test_promptfoo_gets_the_checks_it_has() -> None:
    item = an_item(must_include=("WNI", "{{x}}"), must_not_include=("dua orang",), rubric="Jelas.", domain="pt")
    with_turns, with_answer = an_item("b", turns=("satu", "dua")), an_item("c", expected={"answer": "ya"})
    exported = as_promptfoo([item, with_turns, with_answer], "x")
    content = yaml.safe_load(exported.data)
    assert content["prompts"] == ["{{question}}"]
    assert content["tests"] == [
        {
            "description": "pt-syarat",
            "vars": {"question": item.question},
            "assert": [
                {"type": "icontains", "value": "WNI"},
                {"type": "icontains", "value": "{% raw %}{{x}}{% endraw %}"},
                {"type": "not-icontains", "value": "dua orang"},
                {"type": "llm-rubric", "value": "Jelas."},
            ],
            "metadata": {"golden_id": "pt-syarat", "golden_surface": "public", "golden_domain": "pt", "golden_verified": "false"},
        }
    ]
    assert exported.notes == ("left out: b (several messages), c (nothing that promptfoo could check)",)


# --- the commands ---


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    path = tmp_path / "golden.yaml"
    path.write_text("items:\n- id: a\n  question: Apa?\n  expected: {must_include: [WNI]}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["out.csv", "out.xlsx", "out.yaml"])
def test_export_and_import_write_files_and_say_so(golden: Path, name: str) -> None:
    target, back = golden.parent / name, golden.parent / "back.yaml"
    text, code = run_export([golden], target, format=None)
    assert (text.splitlines()[-1].startswith(f"wrote {target}"), code) == (True, 0)
    text, code = run_import(target, back, format=None, sheet=None, columns={})
    assert (text.splitlines()[-1], code) == (f"wrote {back}", 0)
    assert load_set(back).items == load_set(golden).items
    assert back.read_text(encoding="utf-8").startswith(f"# Imported from {name}. An item is verified: true only")


@pytest.mark.parametrize("force", [False, True])
def test_a_file_that_exists_is_replaced_only_with_force(golden: Path, force: bool) -> None:
    source, target = golden.parent / "soal.csv", golden.parent / "ada.yaml"
    source.write_text("id,question,rubric\nb,Siapa?,r\n", encoding="utf-8")
    target.write_text("milik orang lain", encoding="utf-8")
    target.chmod(0o640)
    imported = run_import(source, target, format=None, sheet=None, columns={}, force=force)
    exported = run_export([golden], source, format=None, force=force)
    assert [imported[1], exported[1]] == ([0, 0] if force else [2, 2])
    if force:
        assert load_set(target).items[0].id == "b"
        assert target.stat().st_mode & 0o777 == 0o640
    else:
        assert "exists already and was not overwritten; choose another name, or give --force" in imported[0]
        assert target.read_text(encoding="utf-8") == "milik orang lain"
    assert sorted(path.name for path in golden.parent.iterdir()) == ["ada.yaml", "golden.yaml", "soal.csv"]


def test_without_a_target_the_set_itself_is_the_output(golden: Path) -> None:
    source = golden.parent / "soal.json"
    source.write_text(json.dumps([{"question": "Apa?", "answer": "Itu."}]), encoding="utf-8")
    text, code = run_import(source, None, format=None, sheet=None, columns={})
    (golden.parent / "dari-keluaran.yaml").write_text(text, encoding="utf-8")
    assert code == 0
    assert load_set(golden.parent / "dari-keluaran.yaml").items[0].expected.answer == "Itu."


@pytest.mark.parametrize(
    ("target", "format", "told"),
    [
        ("x.doc", None, "does not say what to write; end it in .xlsx or .csv"),
        ("x.csv", "xls", "there is no format 'xls' (did you mean 'xlsx'?); choose csv, xlsx, promptfoo"),
        ("tak/ada/x.csv", None, "does not exist; create it first"),
    ],
)
def test_an_export_that_cannot_be_is_refused(golden: Path, target: str, format: str | None, told: str) -> None:
    text, code = run_export([golden], golden.parent / target, format=format)
    assert code == 2
    assert told in text


@pytest.mark.parametrize(
    ("source", "target", "told"),
    [
        ("soal.doc", "x.yaml", "'.doc' is no form that can be imported; save it as .xlsx or CSV UTF-8"),
        ("tak-ada.csv", "x.yaml", "cannot be read (No such file or directory)"),
        ("golden.yaml", "x.yaml", "is a golden set already"),
        ("golden.yaml", "x.json", "a golden set is written as YAML"),
    ],
)
def test_an_import_that_cannot_be_is_refused(golden: Path, source: str, target: str, told: str) -> None:
    text, code = run_import(golden.parent / source, golden.parent / target, format=None, sheet=None, columns={})
    assert code == 2
    assert told in text


def test_one_golden_sql_is_carried_and_what_else_is_right_is_named() -> None:
    """Contract 9.5a: a cell holds one."""
    sql = {"golden": ["SELECT 1", "SELECT 2"], "tolerance": {"n": 0.1, "*": 0}, "absolute": {"n": 1}}
    item = Item.model_validate({"id": "q", "question": "How many?", "expected": {"sql": sql}})
    exported = as_csv([item], "set.csv")
    assert "SELECT 1" in exported.data.decode()
    assert "SELECT 2" not in exported.data.decode()
    assert "not carried: q (golden SQL beyond the first, tolerance by column, absolute by column)" in exported.notes


def test_a_set_file_carries_all_golden_sql_and_every_limit(tmp_path: Path) -> None:
    """Contract 9.5a."""
    sql = {"golden": ["SELECT 1", "SELECT 2"], "tolerance": {"n": 0.1, "*": 0}, "allow_null": True}
    item = Item.model_validate({"id": "q", "question": "How many?", "expected": {"sql": sql}})
    (tmp_path / "set.yaml").write_text(set_text([item]), encoding="utf-8")
    assert load_set(tmp_path / "set.yaml").items[0].expected == item.expected
