from __future__ import annotations

import json
import locale
import time
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from goldenlib.answers import EvidenceKind, Score
from goldenlib.folding import fold
from goldenlib.items import Expected
from goldenlib.scoring.facts import PASSAGE_MARGIN, check_facts, shown

CASES = {
    case["n"]: case
    for line in (Path(__file__).parents[1] / "cases" / "facts.jsonl").read_text(encoding="utf-8").splitlines()
    for case in [json.loads(line)]
    if case["input"]["kind"] == "fact_gate"
}
# What the contract makes of the cases that leave a choice: (missing phrases, near misses by phrase).
CHOSEN: dict[int, tuple[list[str], dict[str, str]]] = {
    108: ([], {}),  # contract 4.1: every kind of white space is one space
    110: (["102"], {}),  # casefold takes the ligature apart, NFC leaves the superscript alone
    # Contract 4.1 says casefold: 'ß' becomes 'ss', so STRASSE is found; 'İ' becomes 'i' with a dot above, which 'istanbul' has not.
    112: (["istanbul"], {}),
    116: (["e-KTP", "2020-2024"], {"e-KTP": "e\u2011KTP", "2020-2024": "2020–2024"}),
    118: (
        ["berusia minimal 17 tahun", "satu orang"],
        {"berusia minimal 17 tahun": "berusia minimal **17 tahun**", "satu orang": "_satu_ orang"},
    ),
    122: ([], {}),  # silence satisfies no forbidden phrase and passes nevertheless nothing, see below
}


def check(answer: str, must_include: Any = (), must_not_include: Any = ()) -> Score:
    score = check_facts(Expected(must_include=tuple(must_include), must_not_include=tuple(must_not_include)), answer)
    assert score is not None
    return score


def check_case(number: int) -> Score:
    case = CASES[number]["input"]
    return check(case["answer"], case["must_include"], case["must_not_include"])


def phrases(score: Score, kind: EvidenceKind) -> list[str]:
    return [part.phrase for part in score.evidence if part.kind is kind]


def hits(score: Score, kind: EvidenceKind) -> dict[str, str]:
    return {part.phrase: part.passage[part.start : part.end] for part in score.evidence if part.kind is kind}


# --- the cases of tests/cases/facts.jsonl ---


@pytest.mark.parametrize("number", [number for number, case in CASES.items() if "literal" in case["expect"]])
def test_case_has_the_result_of_the_plain_substring_rule(number: int) -> None:
    expected, score = CASES[number]["expect"]["literal"], check_case(number)
    assert phrases(score, EvidenceKind.MISSING) == expected["missing"]
    assert phrases(score, EvidenceKind.FORBIDDEN) == expected["forbidden"]
    assert score.passed == (not expected["missing"] and not expected["forbidden"])


@pytest.mark.parametrize("number", CHOSEN)
def test_case_with_a_choice_has_the_result_of_the_contract(number: int) -> None:
    missing, near = CHOSEN[number]
    score = check_case(number)
    assert phrases(score, EvidenceKind.MISSING) == missing
    assert hits(score, EvidenceKind.NEAR_MISS) == near
    for phrase, words in near.items():
        assert f"missing '{phrase}' - the answer has '{words}'" in score.reason


def test_every_case_of_the_fact_gate_is_tested() -> None:
    assert {number for number, case in CASES.items() if "literal" not in case["expect"]} == set(CHOSEN)


def test_the_report_shows_the_words_around_a_forbidden_phrase() -> None:  # case 88
    evidence = check_case(88).evidence[-1]
    assert CASES[88]["expect"]["report_shows"].strip(".") in shown(evidence)
    assert shown(evidence) == "PT perorangan tidak [wajib akta notaris]."


@pytest.mark.parametrize("answer", ["", " \n\t", "\u200b\u00ad\ufeff"])
def test_an_answer_that_says_nothing_does_not_pass(answer: str) -> None:  # case 122
    score = check(answer, must_not_include=["wajib akta notaris"])
    assert (score.passed, score.value, score.reason) == (False, 0.0, "the answer is empty")


def test_letter_case_is_the_same_in_every_locale() -> None:  # case 112, never
    before = locale.setlocale(locale.LC_ALL)
    results = set()
    try:
        for name in ("C", "C.UTF-8", "tr_TR.UTF-8"):
            try:
                locale.setlocale(locale.LC_ALL, name)
            except locale.Error:
                continue
            results.add(tuple(phrases(check_case(112), EvidenceKind.MISSING)))
    finally:
        locale.setlocale(locale.LC_ALL, before)
    assert results == {("istanbul",)}


# --- what counts as the same, and what does not ---

SAME = [
    pytest.param("Biaya Rp\u00a050.000", "Rp 50.000", id="no-break space"),
    pytest.param("Biaya Rp\u202f50.000 dan\u2009lain", "Rp 50.000 dan lain", id="narrow and thin spaces"),
    pytest.param("satu\r\n\t orang", "satu orang", id="line break and tab"),
    pytest.param("perse\u00adroan ter\u200bbatas", "perseroan terbatas", id="soft hyphen, zero-width space"),
    pytest.param("ab\u200dc \u200e123\u200f", "abc 123", id="joiner and direction marks"),
    pytest.param("\ufeffWNI", "wni", id="byte order mark"),
    pytest.param("cafe\u0301 Apostille", "café apostille", id="decomposed answer"),
    pytest.param("café Apostille", "CAFE\u0301 APOSTILLE", id="decomposed phrase"),
    pytest.param("Straße", "STRASSE", id="sharp s"),
    pytest.param("Notiﬁkasi", "NOTIFIKASI", id="ligature, by casefold"),
    pytest.param("ΟΔΟΣ", "οδος", id="final sigma"),
    pytest.param("İZMİR", "İzmİr", id="Turkish capital I with itself"),
    pytest.param("WNI", "WNI", id="the phrase is the whole answer"),
    pytest.param("WNI adalah syarat", "wni", id="at the very start"),
    pytest.param("syaratnya WNI", "wni", id="at the very end"),
    pytest.param("adaptor", "PT", id="no word boundary"),
    pytest.param("Tom &amp; Jerry", "&amp;", id="entities are text"),
    pytest.param("| WNI | 17 |", "| 17 |", id="tables are text"),
]
DIFFERENT = [
    pytest.param("10²", "102", id="superscript"),
    pytest.param("½ bagian", "1/2 bagian", id="fraction"),
    pytest.param("usia １７", "17", id="full-width digits"),
    pytest.param("istanbul", "İstanbul", id="Turkish i"),
    pytest.param("ısı", "isi", id="dotless i"),
    pytest.param("café", "cafe", id="accent in the answer"),
    pytest.param("cafe\u0301", "cafe", id="combining accent in the answer"),
    pytest.param("cafe\u200d\u0301", "cafe", id="combining accent behind a joiner"),
    pytest.param("caf\u200be \u0301", "cafe\u0301", id="an accent on a blank is on no letter"),
    pytest.param("1.500", "1,500", id="dot and comma"),
    pytest.param("Rp50,000", "Rp50.000", id="digit grouping"),
    pytest.param("Rp 50.000", "Rp50.000", id="gap after the currency"),
    pytest.param("50 ribu", "50.000", id="number in words"),
    pytest.param("e\u2011KTP", "e-KTP", id="no-break hyphen"),
    pytest.param("2020–2024", "2020-2024", id="en dash"),
    pytest.param("“wajib”", '"wajib"', id="curly quotes"),
    pytest.param("**17** tahun", "17 tahun", id="bold"),
    pytest.param("minimal [17 tahun](https://x.example)", "minimal 17 tahun", id="link"),
    pytest.param("`17` tahun", "17 tahun", id="code"),
    pytest.param("WNI | 17 tahun", "WNI 17 tahun", id="table cells"),
    pytest.param("- WNI\n- satu orang", "WNI satu orang", id="list markers"),
    pytest.param("Tom &amp; Jerry", "Tom & Jerry", id="entities are not decoded"),
    pytest.param("nama", "N/A", id="signs are kept"),
    pytest.param("catatan", "C++", id="plus signs are kept"),
    pytest.param("memberikan", "berikanlah", id="longer than its stem"),
    pytest.param("penerima", "menerima", id="no stemming"),
    pytest.param("berusia", "berumur", id="no synonyms"),
    pytest.param("txt\u202egnp", "txtgnp", id="a directional override changes what is read"),
    pytest.param("WNI", "WNI dan berusia 17 tahun", id="longer than the answer"),
    pytest.param("satuorang", "satu orang", id="a blank is not nothing"),
]


@pytest.mark.parametrize(("answer", "phrase"), SAME)
def test_a_phrase_is_found_where_a_reader_sees_no_difference(answer: str, phrase: str) -> None:
    assert check(answer, [phrase]).passed
    assert not check(answer, must_not_include=[phrase]).passed


@pytest.mark.parametrize(("answer", "phrase"), DIFFERENT)
def test_a_phrase_is_not_found_in_what_only_resembles_it(answer: str, phrase: str) -> None:
    assert not check(answer, [phrase]).passed
    assert check(answer, must_not_include=[phrase]).passed


# --- the score ---


def test_an_item_without_phrases_has_no_score() -> None:
    assert check_facts(Expected(rubric="sopan"), "apa saja") is None


def test_the_value_is_the_share_of_phrases_that_hold() -> None:
    assert check("a b", ["a", "x"], ["b", "y"]).value == 0.5
    assert check("a", ["a", "x", "y"]).value == 1 / 3
    assert check("a", ["a"], ["x"]).value == 1.0


def test_all_violated_phrases_are_reported() -> None:  # contract 4.2
    score = check("wajib akta notaris, biaya Rp50.000", ["WNI", "17 tahun"], ["wajib akta notaris", "Rp50.000", "lain"])
    assert phrases(score, EvidenceKind.MISSING) == ["WNI", "17 tahun"]
    assert phrases(score, EvidenceKind.FORBIDDEN) == ["wajib akta notaris", "Rp50.000"]
    for phrase in ("missing 'WNI'", "missing '17 tahun'", "says 'wajib akta notaris'", "says 'Rp50.000'"):
        assert score.reason.count(phrase) == 1


def test_found_required_phrases_are_evidence_without_a_passage() -> None:
    score = check("WNI", ["WNI", "17"])
    found = [part for part in score.evidence if part.kind is EvidenceKind.PRESENT]
    assert [(part.phrase, part.passage) for part in found] == [("WNI", "")]


@pytest.mark.parametrize(
    ("required", "banned", "reason"),
    [
        (["a"], [], "the fact is present"),
        (["a", "b"], ["x"], "all 2 facts are present"),
        ([], ["x", "y"], "no forbidden phrase (2 looked for)"),
    ],
)
def test_a_pass_says_what_was_looked_for(required: list[str], banned: list[str], reason: str) -> None:
    assert check("a b", required, banned).reason == reason


def test_a_phrase_listed_twice_counts_once() -> None:
    score = check("lain", ["WNI", "WNI", "lain"])
    assert phrases(score, EvidenceKind.MISSING) == ["WNI"]
    assert score.value == 0.5


def test_a_phrase_required_and_forbidden_is_reported_where_it_is_violated() -> None:
    there, absent = check("WNI", ["WNI"], ["WNI"]), check("lain", ["WNI"], ["WNI"])
    assert (phrases(there, EvidenceKind.PRESENT), phrases(there, EvidenceKind.FORBIDDEN)) == (["WNI"], ["WNI"])
    assert (phrases(absent, EvidenceKind.MISSING), phrases(absent, EvidenceKind.FORBIDDEN)) == (["WNI"], [])
    assert (there.passed, there.value, absent.passed, absent.value) == (False, 0.5, False, 0.5)


def test_overlapping_phrases_each_have_their_passage() -> None:
    score = check("wajib akta notaris publik", must_not_include=["akta notaris publik", "wajib akta notaris", "notaris"])
    assert hits(score, EvidenceKind.FORBIDDEN) == {
        "akta notaris publik": "akta notaris publik",
        "wajib akta notaris": "wajib akta notaris",
        "notaris": "notaris",
    }


# --- passages ---


def test_the_hit_is_told_in_the_words_of_the_answer() -> None:
    score = check("Anda WAJIB\n  akta\u00a0Nota\u00adris, ya?", must_not_include=["wajib akta notaris"])
    assert hits(score, EvidenceKind.FORBIDDEN) == {"wajib akta notaris": "WAJIB\n  akta\u00a0Nota\u00adris"}
    assert score.reason == "says 'wajib akta notaris': Anda [WAJIB akta Nota\u00adris], ya?"


def test_a_passage_is_cut_with_dots() -> None:
    score = check("x" * 100 + " wajib " + "y" * 100, must_not_include=["wajib"])
    assert shown(score.evidence[0]) == f"…{'x' * (PASSAGE_MARGIN - 1)} [wajib] {'y' * (PASSAGE_MARGIN - 1)}…"


@pytest.mark.parametrize(
    ("answer", "phrase", "hit"), [("Straße", "s", "S"), ("ß", "s", "ß"), ("aße", "se", "ße"), ("e\u0301x", "é", "e\u0301")]
)
def test_a_hit_is_never_half_a_character(answer: str, phrase: str, hit: str) -> None:
    assert hits(check(answer, must_not_include=[phrase]), EvidenceKind.FORBIDDEN) == {phrase: hit}


def test_a_hit_at_the_end_leaves_the_blanks_behind_it() -> None:
    assert hits(check("ya, wajib \n", must_not_include=["wajib"]), EvidenceKind.FORBIDDEN) == {"wajib": "wajib"}


# --- near misses ---


def test_a_near_miss_does_not_turn_a_fail_into_a_pass() -> None:
    score = check("minimal **17** tahun", ["17 tahun"])
    assert score.passed is False
    assert score.value == 0.0


def test_a_forbidden_phrase_in_disguise_is_pointed_out_and_passes() -> None:
    score = check("Anda **wajib** akta notaris.", must_not_include=["wajib akta notaris"])
    assert score.passed is True
    assert hits(score, EvidenceKind.NEAR_MISS) == {"wajib akta notaris": "**wajib** akta notaris"}
    assert score.reason == "no forbidden phrase (1 looked for); nearly says 'wajib akta notaris' - the answer has '**wajib** akta notaris'"


def test_a_superseded_fee_with_other_grouping_is_pointed_out() -> None:
    assert hits(check("Biaya Rp 50,000.", must_not_include=["Rp50.000"]), EvidenceKind.NEAR_MISS) == {"Rp50.000": "Rp 50,000"}


def test_a_near_miss_may_go_on_within_its_word_as_a_hit_may() -> None:
    score = check("Pendiri berusia **17** tahunan.", ["17 tahun"])
    assert score.reason == "missing '17 tahun' - the answer has '**17** tahun'"


def test_a_phrase_that_is_just_missing_has_no_near_miss() -> None:
    assert check("Pendiri harus **WNI**.", ["17 tahun"]).reason == "missing '17 tahun'"


# --- drafts ---


@pytest.mark.parametrize(
    "answer",
    [
        "<think>Mungkin Rp75.000?</think>Saya tidak tahu.",
        "<|channel|>analysis<|message|>Mungkin Rp75.000?<|end|><|start|>assistant<|channel|>final<|message|>Saya tidak tahu.",
        "[THINK]Mungkin Rp75.000?[/THINK]Saya tidak tahu.",
        "Mungkin Rp75.000?</think>Saya tidak tahu.",
        "Saya tidak tahu. <reasoning>Mungkin Rp75.000?",
    ],
)
def test_a_draft_satisfies_no_fact_and_is_shown_all_the_same(answer: str) -> None:
    """fd-030."""
    required = check(answer, ["Rp75.000"])
    assert (required.passed, phrases(required, EvidenceKind.MISSING)) == (False, ["Rp75.000"])
    assert required.reason.startswith("missing 'Rp75.000' - only a draft has it, in reasoning markup (")
    assert hits(required, EvidenceKind.NEAR_MISS) == {"Rp75.000": "Rp75.000"}
    assert check(answer, must_not_include=["Rp75.000"]).passed is False
    assert check(answer, ["tidak tahu"], ["Rp50.000"]).passed is True


def test_a_draft_within_a_forbidden_phrase_does_not_hide_it() -> None:
    score = check("Biaya Rp75<think>atau Rp80?</think>.000.", must_not_include=["Rp75.000"])
    assert (score.passed, hits(score, EvidenceKind.FORBIDDEN)) == (False, {"Rp75.000": "Rp75.000"})


def test_a_draft_alone_does_not_pass() -> None:
    score = check("<think>Rp75.000", must_not_include=["x"])
    assert (score.passed, score.value, score.reason) == (False, 0.0, "the answer is nothing but a draft (<think>)")


# --- properties ---

GRAPHEMES = [
    *"abcxyzABCXYZ019 .,-*_`|[](){}<>&;:/\\'\"#~+\n\t",
    *"éÉßẞİıﬁſσςΣ²½１„“”‘’–—…漢かが한\u00a0\u2009\u202f\u2011\u3000\u2028",
    "e\u0301",
    "e\u0323\u0301",
    "o\u200b",
    "a\u00adb",
    "\u0915\u093c",
    "\u1112\u1161\u11ab",
    "z\u0337\u0322\u031b",
    "α\u0345",
    "👩\u200d💻",
    "\u202e",
    "\u00a0\u200b",
]
graphemes = st.lists(st.sampled_from(GRAPHEMES), min_size=1, max_size=30)
answers = graphemes.map("".join)
phrase_lists = st.lists(st.lists(st.sampled_from(GRAPHEMES), min_size=1, max_size=3).map("".join).filter(fold), max_size=6)


@given(graphemes, st.data())
def test_a_phrase_cut_from_an_answer_is_found(answer: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(answer) - 1))
    end = data.draw(st.integers(start + 1, len(answer)))
    phrase = "".join(answer[start:end])
    assume(fold(phrase))
    score = check("".join(answer), must_not_include=[phrase])
    assert phrases(score, EvidenceKind.FORBIDDEN) == [phrase]


@given(answers, phrase_lists, phrase_lists)
def test_the_verdict_is_that_of_the_plain_rule(answer: str, required: list[str], banned: list[str]) -> None:
    assume(required or banned)
    folded = fold(answer)
    holds = all(fold(phrase) in folded for phrase in required) and not any(fold(phrase) in folded for phrase in banned)
    assert check(answer, required, banned).passed == (holds and folded != "")


@given(answers, phrase_lists, phrase_lists)
def test_every_violated_phrase_is_reported_once(answer: str, required: list[str], banned: list[str]) -> None:
    assume(required or banned)
    score, folded = check(answer, required, banned), fold(answer)
    assert phrases(score, EvidenceKind.MISSING) == [phrase for phrase in dict.fromkeys(required) if fold(phrase) not in folded]
    assert phrases(score, EvidenceKind.FORBIDDEN) == [phrase for phrase in dict.fromkeys(banned) if fold(phrase) in folded]
    assert phrases(score, EvidenceKind.PRESENT) == [phrase for phrase in dict.fromkeys(required) if fold(phrase) in folded]


@given(answers, phrase_lists)
def test_evidence_is_what_stands_in_the_answer(answer: str, banned: list[str]) -> None:
    assume(banned)
    for part in check(answer, must_not_include=banned).evidence:
        hit = part.passage[part.start : part.end]
        assert hit
        assert hit in answer
        assert part.passage.removeprefix("…").removesuffix("…") in answer
        if part.kind is EvidenceKind.FORBIDDEN:
            assert fold(part.phrase) in fold(hit)


@given(graphemes, phrase_lists, phrase_lists, st.sampled_from(["NFC", "NFD"]), st.sampled_from(["\u00ad", "\u200b", ""]))
def test_answers_that_fold_to_the_same_have_the_same_score(
    answer: list[str], required: list[str], banned: list[str], form: Any, invisible: str
) -> None:
    assume(required or banned)
    once, again = "".join(answer), unicodedata.normalize(form, invisible.join(answer).replace(" ", "\r\n\u3000"))
    assume(fold(once) == fold(again))
    first, second = check(once, required, banned), check(again, required, banned)
    assert (first.passed, first.value) == (second.passed, second.value)
    for kind in EvidenceKind:
        assert phrases(first, kind) == phrases(second, kind)


@settings(max_examples=50)
@given(st.text(), st.lists(st.text(min_size=1).filter(fold), min_size=1, max_size=5))
def test_any_text_is_checked_without_an_exception(answer: str, phrases_: list[str]) -> None:
    score = check(answer, phrases_, [phrase[::-1] for phrase in phrases_ if fold(phrase[::-1])])
    assert 0 <= (score.value or 0) <= 1


# --- cost ---

PLAIN, MARKED = "Pendiri harus WNI. ", "**17** tahun _x_ `a` Rp 50.000 – "
HEAVY = [PLAIN, MARKED, *'[*1"漢ß', "](a", "rp. ", "1.000", "a_", " -", "\u0301", "z\u0337\u0322\u031b", "\u200d"]


@pytest.mark.parametrize("unit", HEAVY, ids=ascii)
def test_the_cost_grows_no_faster_than_the_answer(unit: str) -> None:
    expected = Expected(must_include=("tidak ada sama sekali", "17 tahun x"), must_not_include=("zzz", "Rp50.000"))

    def seconds(length: int) -> float:
        answer = (unit * (length // len(unit))) + " zzz"
        started = time.process_time()
        check_facts(expected, answer)
        return time.process_time() - started

    # Ten times the text in ten times the time; quadratic would be a hundred. The least of three, since other work disturbs.
    assert min(seconds(40_000) for _ in range(3)) < 40 * min(seconds(4_000) for _ in range(3))


def test_five_hundred_phrases_are_looked_for_in_a_megabyte() -> None:
    answer = "Pendiri harus **WNI** dan berusia 17 tahun. " * 25_000
    required = [f"syarat nomor {number} tahun" for number in range(498)]
    started = time.process_time()
    score = check(answer, [*required, "harus wni"], ["tahun. pendiri"])
    assert time.process_time() - started < 20  # a second on a quiet machine
    assert len(phrases(score, EvidenceKind.MISSING)) == 499
    assert hits(score, EvidenceKind.NEAR_MISS) == {"harus wni": "harus **WNI**"}
    assert len(score.evidence) == 501
