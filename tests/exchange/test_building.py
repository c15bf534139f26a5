"""What columns mean, and what becomes of their cells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goldenlib.exchange.building import made_id
from goldenlib.exchange.itemfields import FIELDS, meant_by, plain
from tests.builders import an_item
from tests.exchange.sheets import a_csv, imported, refused


def test_no_name_means_two_fields() -> None:
    names = [plain(name) for field in FIELDS for name in {plain(field.name), *map(plain, field.others)}]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("name", "field"),
    [
        *[("Pertanyaan", "question"), ("Harus disebut", "must_include"), ("TIDAK BOLEH DISEBUT", "must_not_include"), ("Rubrik", "rubric")],
        *[("Terverifikasi", "verified"), ("Jawaban ideal", "answer"), ("review by", "review_by"), ("Review-Due", "review_due")],
        *[("must include 3", "must_include"), ("harus disebut_2", "must_include"), ("sumber", "review_source")],
    ],
)
def test_columns_are_known_by_english_and_indonesian_names(name: str, field: str) -> None:
    meant = meant_by(name)
    assert meant is not None
    assert meant.field.name == field


def test_one_phrase_stands_on_each_line_and_numbered_columns_hold_one_each(tmp_path: Path) -> None:
    rows = 'id,question,must_include_2,must_include,must_include_1,tags\na,Apa?,tiga,"satu\n\n dua",a; b,"x\r\ny"\n'
    item = imported(a_csv(tmp_path, rows))[0].items[0]
    assert item.expected.must_include == ("satu", " dua", "a; b", "tiga")
    assert item.tags == ("x", "y")


def test_an_unknown_column_is_a_problem_until_it_is_mapped_or_left_out(tmp_path: Path) -> None:
    path = a_csv(tmp_path, "No,Pertanyaann,must_include,Dasar\n1,Apa?,WNI,UU 40\n")
    told = refused(path)
    assert "no field is called 'No'; say what it means with --column 'No=FIELD', or leave it out with --column 'No='" in told
    assert "no field is called 'Pertanyaann' (did you mean 'pertanyaan', question?)" in told
    golden_set, text = imported(path, No="", Pertanyaann="question", dasar="note")
    assert (golden_set.items[0].question, golden_set.items[0].note) == ("Apa?", "UU 40")
    assert "left out as asked: No" in text
    assert "'Pertanyaann' as question" in text


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"Noo": ""}, "--column: there is no column 'Noo' (did you mean 'No'?); the columns are No, question, rubric"),
        ({"No": "rubrc"}, "--column: there is no field 'rubrc' (did you mean 'rubric'?)"),
        ({"No": "rubric"}, "the columns 'No' and 'rubric' both mean rubric; leave one out with --column 'rubric='"),
        ({"No": "", "rubric": ""}, "no column says what a right answer holds"),
        ({"No": "", "question": "note"}, "no column holds the question"),
    ],
)
def test_a_mapping_that_cannot_be_is_refused(tmp_path: Path, columns: dict[str, str], message: str) -> None:
    assert message in refused(a_csv(tmp_path, "No,question,rubric\n1,Apa?,r\n"), columns=columns)


def test_every_problem_is_told_with_its_cell(tmp_path: Path) -> None:
    rows = (
        "id,question,must_include,verified,surface,review_due,tolerance,sql,decline_type\n"
        "a b,Apa?,x,ya,publik,besok,1,,\n"
        "b,,x,,,,,,\n"
        "d,Apa?,\x07,,,,banyak,SELECT 1,ambiguous\n"
    )
    told = refused(a_csv(tmp_path, rows)).splitlines()
    assert "soal.csv:2: 'verified' is the text 'ya'; write true or false" in told
    assert any(line.startswith("soal.csv:2: item 'a b': 'id' holds white space") for line in told)
    assert "soal.csv:2: item 'a b': 'surface' is the text 'publik'; write 'public' or 'internal' (did you mean 'public'?)" in told
    assert any(line.startswith("soal.csv:2: item 'a b': 'review_due' 'besok' is not a date") for line in told)
    assert any("'tolerance' is given, but no sql" in line for line in told)
    assert any(line.startswith("soal.csv:3: item 'b': 'question' has no question") for line in told)
    assert "soal.csv:4: 'must_include' holds the control character U+0007; remove it" in told
    assert any("'tolerance' is the text 'banyak' and must be a number" in line for line in told)


def test_duplicate_ids_are_refused_with_both_places(tmp_path: Path) -> None:
    told = refused(a_csv(tmp_path, "id,question,must_include\na,Apa?,x\nA,Siapa?,y\n"))
    assert "soal.csv:3: item 'A': 'id' the id 'A' is taken by line 2, or differs from it only by case; give it an id of its own" in told


def test_missing_ids_are_made_from_the_question_and_said(tmp_path: Path) -> None:
    first, text = imported(a_csv(tmp_path, "question,must_include\nApa saja syarat PT?,x\nSiapa?,y\n"))
    again, _ = imported(a_csv(tmp_path, "question,must_include\nLain?,z\n  apa saja  syarat PT? ,x\n", name="lain.csv"))
    assert first.items[0].id == again.items[1].id == made_id("Apa saja syarat PT?")
    assert f"2 ids made from the question, the same at every import as long as it is not reworded: {first.items[0].id} (line 2)" in text


def test_the_same_question_twice_without_an_id_is_refused(tmp_path: Path) -> None:
    assert "asks the same question as line 2" in refused(a_csv(tmp_path, "question,must_include\nApa?,x\napa?,y\n"))


def test_nobody_becomes_a_reviewer_by_import(tmp_path: Path) -> None:
    """fd-058, field/workbench 2: a name in a sheet is a note, not a signature."""
    rows = "id,question,must_include,verified,reviewer\na,Apa?,x,TRUE,Budi\nb,Siapa?,x,true,\nc,Di mana?,x,,Budi\nd,Kapan?,x,false,\n"
    golden_set, text = imported(a_csv(tmp_path, rows))
    assert [(item.verified, item.review) for item in golden_set] == [(False, None)] * 4
    note = "Imported as reviewed by Budi; not signed, so not verified."
    assert [item.note for item in golden_set] == [note, "", note, ""]
    assert "1 item said to be verified, but without the name of a reviewer; imported as verified: false: b (line 3)" in text
    told = "2 items with the name of a reviewer, but not signed (review_digest); imported as verified: false, the name in the note"
    assert f"{told}: a (line 2), c (line 4)" in text
    assert "4 items, 0 verified by an expert" in text


REVIEWED = {"question": "Apa?", "must_include": ["WNI"], "verified": "true", "review_by": "Rina", "review_at": "2026-11-29"}


@pytest.mark.parametrize(("text", "is_kept"), [("Apa?", True), ("Apa sih?", False)])
def test_a_signature_is_taken_over_only_where_it_fits(tmp_path: Path, text: str, is_kept: bool) -> None:
    """fd-058: the sheet holds the digest of what was signed, so a row that was changed in it comes back unverified."""
    digest = an_item("a", question="Apa?", must_include=("WNI",)).digest
    rows = f"id,question,must_include,verified,review_by,review_source,review_digest,note\na,{text},WNI,true,Rina,UU 40,{digest},catatan\n"
    golden_set, told = imported(a_csv(tmp_path, rows))
    (item,) = golden_set.items
    assert item.is_verified is is_kept
    assert ("1 item with a signature that does not fit the item" in told) is not is_kept
    if is_kept:
        assert (item.review and item.review.by, item.note) == ("Rina", "catatan")
    else:
        assert (item.review, item.note) == (None, "catatan\nImported as reviewed by Rina, source: UU 40; not signed, so not verified.")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("soal.json", json.dumps([REVIEWED | {"id": "a"}])),
        ("soal.jsonl", json.dumps(REVIEWED | {"verified": True}) + "\n"),
        (
            "promptfooconfig.yaml",
            "tests:\n- vars: {question: 'Apa?'}\n  assert: [{type: icontains, value: WNI}]\n"
            "  metadata: {golden_verified: 'true', golden_review_by: Rina, golden_review_at: '2026-11-29'}\n",
        ),
        (
            "soal.toml",
            '[[questions]]\nquestion_id = "a"\nquestion = "Apa?"\ngolden_sql = "SELECT 1"\nverified = true\n'
            'review = {by = "Rina", at = "2026-11-29"}\n',
        ),
    ],
)
def test_no_form_makes_anybody_a_reviewer(tmp_path: Path, name: str, content: str) -> None:
    """fd-058, in each form that can say so."""
    golden_set, told = imported(a_csv(tmp_path, content, name))
    (item,) = golden_set.items
    assert (item.verified, item.review, item.note) == (
        False,
        None,
        "Imported as reviewed by Rina on 2026-11-29; not signed, so not verified.",
    )
    assert "1 item with the name of a reviewer, but not signed" in told
    assert "0 verified by an expert" in told


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("soal.csv", "id,question,must_include\na,Apa?,x\nb,Siapa?,\n", "b (line 3)"),
        ("soal.json", '[{"id": "a", "question": "Apa?", "answer": "x"},\n{"id": "b", "question": "Siapa?", "answer": ""}]', "b (line 2)"),
        (
            "g.json",
            '[{"id": "a", "input": "A?", "expected_output": "x"},\n{"id": "b", "input": "B?", "expected_output": null}]',
            "b (line 2)",
        ),
        ("r.jsonl", '{"id": "a", "user_input": "A?", "reference": "x"}\n{"id": "b", "user_input": "B?", "reference": " "}\n', "b (line 2)"),
    ],
)
def test_a_row_with_nothing_to_check_is_left_out_and_named(tmp_path: Path, name: str, content: str, place: str) -> None:
    """fd-053, field/public 8: one gap does not hold up the file."""
    golden_set, text = imported(a_csv(tmp_path, content, name))
    assert [item.id for item in golden_set] == ["a"]
    assert f"1 row left out, with nothing to check; fill must_include, must_not_include or rubric: {place}" in text


def test_a_file_of_which_nothing_would_be_left_is_refused(tmp_path: Path) -> None:
    told = refused(a_csv(tmp_path, "id,question,must_include\na,Apa?,\nb,Siapa?,\n"))
    assert "soal.csv:3: item 'b': 'must_include' has nothing to check; fill must_include, must_not_include or rubric" in told


def test_a_review_without_a_reviewer_is_a_problem(tmp_path: Path) -> None:
    told = refused(a_csv(tmp_path, "id,question,must_include,sumber\na,Apa?,x,UU 40\n"))
    assert "'sumber' is given, but nobody who reviewed; fill review_by" in told


def test_bullets_and_semicolons_are_kept_and_pointed_out(tmp_path: Path) -> None:
    golden_set, text = imported(a_csv(tmp_path, 'id,question,must_include\na,Apa?,"- satu\n- dua"\nb,Siapa?,WNI; KTP\n'))
    assert golden_set.items[0].expected.must_include == ("- satu", "- dua")
    assert golden_set.items[1].expected.must_include == ("WNI; KTP",)
    assert "\nline 2, 'must_include' has bullets" in text
    assert "\nline 4, 'must_include' is taken as one phrase" in text


@pytest.mark.parametrize("cell", ["• satu", "•satu", "✓ satu", "a) satu", "(b) satu", "1. satu"])
def test_every_kind_of_bullet_is_pointed_out(tmp_path: Path, cell: str) -> None:
    golden_set, text = imported(a_csv(tmp_path, f"id,question,must_include\na,Apa?,{cell}\n"))
    assert golden_set.items[0].expected.must_include == (cell,)
    assert "line 2, 'must_include' has bullets or numbers" in text


@pytest.mark.parametrize(("cell", "is_told"), [("WNI, KTP, NPWP", True), ("WNI | KTP", True), ("WNI, yang cakap", False), ("-x", False)])
def test_a_cell_that_may_hold_several_phrases_is_pointed_out(tmp_path: Path, cell: str, is_told: bool) -> None:
    golden_set, text = imported(a_csv(tmp_path, f'id,question,must_include\na,Apa?,"{cell}"\n'))
    assert golden_set.items[0].expected.must_include == (cell,)
    assert ("is taken as one phrase" in text) is is_told


@pytest.mark.parametrize(("rows", "told"), [(1, ("1 row", "1 id made", "1 item, 0 verified")), (2, ("2 rows", "2 ids made", "2 items, 0"))])
def test_what_is_counted_is_said_in_its_number(tmp_path: Path, rows: int, told: tuple[str, ...]) -> None:
    text = imported(a_csv(tmp_path, "question,must_include\n" + "".join(f"Apa {number}?,x\n" for number in range(rows))))[1]
    assert [part for part in told if part not in text] == []


def test_every_field_and_its_indonesian_name_stand_in_the_docs() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "exchange.md").read_text(encoding="utf-8")
    assert [field.name for field in FIELDS if f"`{field.name}`" not in page] == []


def test_what_a_file_says_does_not_steer_the_terminal(tmp_path: Path) -> None:
    told = refused(a_csv(tmp_path, "id,question,must_include,\x1b[31mmerah\na,Apa?,x,y\n"))
    assert "\\x1b[31mmerah" in told
    assert "\x1b" not in told
