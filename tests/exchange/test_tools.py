"""promptfoo, DeepEval, ragas and plain JSON: what is mapped, and that all else is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from goldenlib.cli.exchanging import run_import
from goldenlib.files.loading import load_set
from goldenlib.files.shipped import shipped
from tests.exchange.sheets import a_book, a_csv, imported, refused

PROMPTFOO = """\
description: chatbot
prompts:
  - "Jawab: {{tanya}}"
providers: [openai:gpt-4o-mini]
defaultTest:
  assert: [{type: cost, threshold: 0.1}]
tests:
  - description: syarat PT
    vars: {tanya: "Apa syaratnya?", nama: Budi, konteks: file://konteks.txt}
    assert:
      - {type: icontains, value: "WNI"}
      - {type: contains, value: "17 tahun", weight: 2}
      - {type: icontains-all, value: ["akta", "{{nama}}"]}
      - {type: contains-all, value: "satu, dua"}
      - {type: not-icontains, value: "dua orang"}
      - {type: not-contains, value: "SIUP"}
      - {type: llm-rubric, value: "Jelas."}
      - {type: llm-rubric, value: file://rubrik.txt}
      - {type: javascript, value: "output.length > 3"}
      - {type: icontains, value: "{{ nama | upper }}"}
      - {type: icontains, value: x, weight: 0}
      - {type: icontains, value: x, transform: output.trim()}
      - {type: not-icontains, value: [a, b]}
      - {type: contains-any, value: [a, b]}
      - $ref: "#/assertionTemplates/a"
    threshold: 0.5
    metadata: {topik: pt}
  - vars: {tanya: [satu, dua]}
    assert: [{type: icontains, value: x}]
  - vars: {lain: "Siapa?"}
    assert: [{type: icontains, value: x}]
  - vars: {tanya: "Siapa?"}
    assert: [{type: is-json}]
  - file://tests.yaml
"""


def test_promptfoo_assertions_are_mapped_and_all_else_is_named(tmp_path: Path) -> None:
    golden_set, text = imported(a_csv(tmp_path, PROMPTFOO, "promptfooconfig.yaml"))
    (item,) = golden_set.items
    assert item.question == "Apa syaratnya?"
    assert item.expected.must_include == ("WNI", "17 tahun", "akta", "Budi", "satu", "dua")
    assert item.expected.must_not_include == ("dua orang", "SIUP")
    assert (item.expected.rubric, item.note, item.verified) == ("Jelas.", "syarat PT", False)
    for told in (
        "not mapped, at the top of the file: providers, defaultTest",
        "the prompts' own words are not mapped",
        "test 1 (line 8): variables not mapped: nama, konteks",
        "test 1 (line 8): 'contains' is mapped, but case counts there and not here: '17 tahun'",
        "test 1 (line 8): 'contains' is mapped without its weight",
        "test 1 (line 8): 'contains-all': the text was divided at its commas, as promptfoo does: 'satu', 'dua'",
        "test 1 (line 8): 'not-contains' is mapped, but case counts there",
        "test 1 (line 8): 'llm-rubric' is not mapped: its value stands in a file, which is not read",
        "test 1 (line 8): 'javascript' is not mapped",
        "test 1 (line 8): 'icontains' is not mapped: its value is a template",
        "test 1 (line 8): 'icontains' is not mapped: it has the weight 0 and never fails",
        "test 1 (line 8): 'icontains' is not mapped: it checks a transformed answer",
        "test 1 (line 8): 'not-icontains' is not mapped: its value is a list",
        "test 1 (line 8): 'contains-any' is not mapped",
        "test 1 (line 8): an assertion without a type (a template or a file) is not mapped",
        "test 1 (line 8): threshold is not mapped",
        "test 1 (line 8): metadata not mapped: topik",
        "left out: vars.tanya is a list",
        "left out: it has no vars.tanya, and which of its variables is the question is not guessed",
        "test 4 (line 32): 'is-json' is not mapped",
        "test 4 (line 32): left out: it has nothing that could be checked here",
        "test 5 (line 34): is no test with keys",
    ):
        assert told in text, told


def test_checks_inside_what_is_not_mapped_are_named(tmp_path: Path) -> None:
    check = {"type": "icontains", "value": "x"}
    test = {"vars": {"question": "Apa?"}, "assert": [check, {"type": "assert-set", "assert": [check, {"type": "is-json"}]}]}
    content = {"defaultTest": {"assert": [{"type": "llm-rubric", "value": "sopan"}]}, "tests": [test]}
    _, text = imported(a_csv(tmp_path, json.dumps(content), "config.json"))
    assert "not mapped, at the top of the file: defaultTest (with llm-rubric)" in text
    assert "'assert-set' (with icontains, is-json) is not mapped" in text


def test_vars_question_comes_before_the_variable_of_the_prompt(tmp_path: Path) -> None:
    content = {"prompts": ["{{x}}"], "tests": [{"vars": {"question": "Apa?", "x": "y"}, "assert": [{"type": "icontains", "value": "z"}]}]}
    golden_set, text = imported(a_csv(tmp_path, json.dumps(content), "config.json"))
    assert golden_set.items[0].question == "Apa?"
    assert "promptfoo configuration" in text


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("tests: file://tests.csv\n", "its tests stand in another file, which is not read"),
        ("prompts: [a]\n", "has no list of tests; write the tests into the configuration itself"),
        ("tests:\n- vars: {question: a}\n  assert: [{type: is-json}]\n", "none of its tests could be mapped"),
        ("tests: !!python/object/apply:os.system ['true']\n", "the tag '!!python/object/apply:os.system' is not allowed"),
    ],
)
def test_a_promptfoo_file_without_a_test_for_us_is_refused(tmp_path: Path, content: str, told: str) -> None:
    assert told in refused(a_csv(tmp_path, content, "promptfooconfig.yaml"))


GOLDEN = {
    "input": "Apa syaratnya?",
    "expected_output": "WNI.",
    "context": ["Pasal 1", "Pasal 2"],
    "retrieval_context": ["x"],
    "actual_output": None,
    "additional_metadata": {"a": 1},
    "comments": "catatan",
}


@pytest.mark.parametrize("content", [[GOLDEN], {"goldens": [GOLDEN], "alias": "x"}])
def test_deepeval_goldens(tmp_path: Path, content: Any) -> None:
    golden_set, text = imported(a_csv(tmp_path, json.dumps(content), "goldens.json"))
    item = golden_set.items[0]
    assert (item.question, item.expected.answer, item.context, item.note) == ("Apa syaratnya?", "WNI.", "Pasal 1\n\nPasal 2", "catatan")
    assert "DeepEval goldens, JSON" in text
    assert "not mapped, and lost: retrieval_context (1 of 1), actual_output (0 of 1), additional_metadata (1 of 1)" in text


def test_deepeval_as_csv_takes_no_python_lists(tmp_path: Path) -> None:
    rows = "input,expected_output,context\nApa?,WNI.,\"['a']\"\n"
    golden_set, text = imported(a_csv(tmp_path, rows), format="deepeval")
    assert (golden_set.items[0].expected.answer, golden_set.items[0].context) == ("WNI.", "")
    assert "not mapped, and lost: context (1 of 1)" in text


RAGAS = {"user_input": "Apa?", "reference": "WNI.", "reference_contexts": ["Pasal 1"], "response": "x", "synthesizer_name": "s"}


@pytest.mark.parametrize("name", ["testset.jsonl", "testset.json"])
def test_ragas_test_sets(tmp_path: Path, name: str) -> None:
    content = json.dumps(RAGAS) + "\n\n" if name.endswith("jsonl") else json.dumps([RAGAS])
    golden_set, text = imported(a_csv(tmp_path, content, name))
    item = golden_set.items[0]
    assert (item.question, item.expected.answer, item.context) == ("Apa?", "WNI.", "Pasal 1")
    assert "ragas test set" in text
    assert "not mapped, and lost: response (1 of 1), synthesizer_name (1 of 1)" in text


def test_entries_of_one_line_that_have_the_same_id_are_told(tmp_path: Path) -> None:
    path = tmp_path / "samples.json"
    path.write_text('[{"id": "a", "user_input": "Apa?", "reference": "x"}, {"id": "A", "user_input": "Siapa?", "reference": "y"}]')
    assert "samples.json:1: item 'A': 'id' the id 'A' is taken by line 1, or differs from it only by case" in refused(path)


def test_ragas_as_csv(tmp_path: Path) -> None:
    rows = "question,answer,contexts,ground_truth\nApa?,jawaban sistem,\"['a']\",WNI.\n"
    golden_set, text = imported(a_csv(tmp_path, rows))
    assert golden_set.items[0].expected.answer == "WNI."
    assert "not mapped, and lost: answer (1 of 1), contexts (1 of 1)" in text


@pytest.mark.parametrize(
    "content",
    [
        [{"question": "Apa?", "answer": "Itu.", "must_include": ["a\nb", "c"]}],
        {"questions": [{"pertanyaan": "Apa?", "jawaban": "Itu.", "harus disebut": ["a\nb", "c"]}]},
    ],
)
def test_plain_questions_and_answers(tmp_path: Path, content: Any) -> None:
    item = imported(a_csv(tmp_path, json.dumps(content), "qa.json"))[0].items[0]
    assert (item.question, item.expected.answer, item.expected.must_include) == ("Apa?", "Itu.", ("a\nb", "c"))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('[{"question": "Apa?", "answer": 5}]', "qa.json:1: 'answer' is the number 5; put it in quotes"),
        ('[{"question": "Apa?", "answer": ["a", "b"]}]', "'answer' is a list of several texts; write one text"),
        ('[{"question": "Apa?", "must_include": [["KTP", "KK"]]}]', "'must_include' is a list that holds something else than texts"),
        ('[{"question": "Apa?", "answer": "a", "skor": 1}]', "no field is called 'skor'"),
        ('["Apa?"]', "this record has no keys"),
        ("[]", "holds no questions"),
        ('{"a": 1}', "holds no list of questions; its keys are a"),
        ('{"cases": []}', "is a golden set already"),
        ('[{"question": "Apa?", "question": "b", "answer": "c"}]', "duplicate key 'question'"),
    ],
)
def test_what_is_no_text_in_json_is_told(tmp_path: Path, content: str, told: str) -> None:
    """Case 124: a list of alternatives never becomes the phrase "['KTP', 'KK']"."""
    assert told in refused(a_csv(tmp_path, content, "qa.json"))


def test_a_bad_line_of_jsonl_is_told_with_its_number(tmp_path: Path) -> None:
    told = refused(a_csv(tmp_path, '{"question": "Apa?", "answer": "a"}\n{"question": \n', "qa.jsonl"))
    assert told.startswith("qa.jsonl:2:")


@pytest.mark.parametrize(
    ("format", "sheet", "told"),
    [("exel", None, "--format: there is no format 'exel'"), (None, "S", "--sheet: "), ("promptfoo", None, "has no list of tests")],
)
def test_options_that_do_not_fit_are_refused(tmp_path: Path, format: str | None, sheet: str | None, told: str) -> None:
    path = a_csv(tmp_path, '[{"question": "Apa?", "answer": "a"}]', "qa.json")
    assert told in refused(path, format=format, sheet=sheet)


def test_a_short_forbidden_phrase_is_imported_as_it_is(tmp_path: Path) -> None:
    """Case 106: the linter speaks of it; importing changes nothing."""
    content = 'tests:\n- vars: {question: "Apa?"}\n  assert: [{type: not-contains, value: "sk-"}, {type: llm-rubric, value: r}]\n'
    assert imported(a_csv(tmp_path, content, "promptfooconfig.yaml"))[0].items[0].expected.must_not_include == ("sk-",)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.json", '[{"id": "q7", "user_input": "Berapa?", "reference": "Rp1"}]'),
        ("r.csv", "id,question,ground_truth\nq7,Berapa?,Rp1\n"),
        ("g.jsonl", '{"question_id": "q7", "input": "Berapa?", "expected_output": "Rp1"}\n'),
        ("qa.json", '[{"id": "q7", "question": "Berapa?", "answer": "Rp1"}]'),
        ("p.csv", "id,question,__expected\nq7,Berapa?,contains: Rp1\n"),
        ("p.yaml", 'tests:\n- vars: {id: q7, question: "Berapa?"}\n  assert: [{type: icontains, value: Rp1}]\n'),
        ("m.yaml", 'tests:\n- vars: {question: "Berapa?"}\n  metadata: {id: q7}\n  assert: [{type: icontains, value: Rp1}]\n'),
        ("t.yaml", 'tests:\n- id: q7\n  vars: {question: "Berapa?"}\n  assert: [{type: icontains, value: Rp1}]\n'),
    ],
)
def test_an_id_is_kept_whatever_the_form(tmp_path: Path, name: str, content: str) -> None:
    """fd-052, field/public 8: an item's history hangs on its id."""
    golden_set, text = imported(a_csv(tmp_path, content, name))
    assert [item.id for item in golden_set] == ["q7"]
    assert "lost" not in text


def test_a_number_that_is_an_id_is_kept_as_its_digits(tmp_path: Path) -> None:
    content = '[{"id": 7, "user_input": "Berapa?", "reference": "Rp1"}, {"id": 70, "user_input": "Apa?", "reference": "Itu."}]'
    assert [item.id for item in imported(a_csv(tmp_path, content, "r.json"))[0]] == ["7", "70"]


SHEET = """\
pertanyaan,nada,__expected,__expected1,__expected2,__description,__prefix,__metadata:topik
Berapa?,ramah,contains: Rp75.000,"icontains-all:akta, notaris",not-icontains: gratis,tarif,Jawab:,pt
Apa?,,grade: Jelas.,similar(0.8): x,Rp5,,,
Siapa?,,is-json,,,,,
Kapan?,,,,,,,
"""


@pytest.mark.parametrize(("name", "format"), [("tests.csv", None), ("tests.csv", "promptfoo")])
def test_the_assertions_of_a_promptfoo_sheet_are_read(tmp_path: Path, name: str, format: str | None) -> None:
    """fd-054, field/public 8: they were taken for phrases, which no answer holds."""
    golden_set, text = imported(a_csv(tmp_path, SHEET, name), format=format)
    first, second = golden_set
    assert (first.question, first.note) == ("Berapa?", "tarif")
    assert first.expected.must_include == ("Rp75.000", "akta", "notaris")
    assert first.expected.must_not_include == ("gratis",)
    assert (second.question, second.expected.rubric, second.expected.must_include) == ("Apa?", "Jelas.", ())
    for told in (
        "promptfoo tests, CSV",
        "not mapped: __prefix (1 of 4 rows)",
        "line 2: variables not mapped: nada",
        "line 2: metadata not mapped: topik",
        "line 2: 'contains' is mapped, but case counts there and not here: 'Rp75.000'",
        "line 3: 'similar' is not mapped",
        "line 3: 'equals' is not mapped",
        "line 4: 'is-json' is not mapped",
        "line 4: left out: it has nothing that could be checked here",
        "line 5: left out: it has nothing that could be checked here",
    ):
        assert told in text


def test_a_promptfoo_sheet_may_be_a_workbook(tmp_path: Path) -> None:
    path = a_book(tmp_path, ("question", "__expected1"), ("Berapa?", "icontains: Rp75.000"))
    assert imported(path)[0].items[0].expected.must_include == ("Rp75.000",)
    bad = a_book(tmp_path, ("question", "__expected1"), ("Berapa?", 75), name="b.xlsx")
    assert "B2: is the number 75" in refused(bad)


def test_which_column_of_a_promptfoo_sheet_is_the_question_is_asked_for(tmp_path: Path) -> None:
    path = a_csv(tmp_path, "a,b,__expected\nBerapa?,pt,contains: Rp1\n")
    assert "say which column is the question with --column NAME=question" in refused(path)
    item = imported(path, a="question", b="domain")[0].items[0]
    assert (item.question, item.domain, item.expected.must_include) == ("Berapa?", "pt", ("Rp1",))


@pytest.mark.parametrize("phrase", ["icontains: Rp50.000", "not-contains:Rp5", "Contains: Rp5", "similar: x", "cost: Rp5", "grade: A"])
def test_a_phrase_that_begins_with_the_name_of_an_assertion_is_refused(tmp_path: Path, phrase: str) -> None:
    """fd-054: no answer holds it; words that stand before facts too are none of these names."""
    path = a_csv(tmp_path, f"id,question,__dugaan\na,Berapa?,{phrase}\n")
    if phrase.startswith(("similar", "cost", "grade")):
        assert imported(path, __dugaan="must_include")[0].items[0].expected.must_include == (phrase,)
    else:
        assert "promptfoo's name of a check, which no answer holds; write what follows alone" in refused(
            path, columns={"__dugaan": "must_include"}
        )


def test_a_question_file_in_toml_becomes_the_same_items_in_yaml(tmp_path: Path) -> None:
    source = shipped("golden", "shop", "questions.toml")
    text, code = run_import(source, tmp_path / "shop.yaml", format=None, sheet=None, columns={})
    assert code == 0, text
    assert load_set(tmp_path / "shop.yaml").items == load_set(source).items
    assert "questions in TOML; 48 questions" in text


def test_a_question_file_has_no_columns_to_map(tmp_path: Path) -> None:
    text, code = run_import(shipped("golden", "shop", "questions.toml"), None, format=None, sheet=None, columns={"a": "b"})
    assert code == 2
    assert "--column: a question file in TOML has none" in text
