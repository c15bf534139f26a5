"""What holds for any text: nothing crashes, findings speak of the item, and the same phrase gets the same findings."""

from __future__ import annotations

import string

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldenlib.folding import fold
from goldenlib.hazards import Finding, StoredAnswer, StoredEvidence, WordList, lint_item, lint_source
from goldenlib.items import Item
from tests.builders import hides_nothing

PIECES = [
    "wajib", "akta", "notaris", "PT", "tidak", "Rp", "50.000", "17", "5 tahun", "(satu)", "dan", "/", ",", ".", "*", "_", "#",
    "10 Juli 2026", "2026-07-10", "“", "”", "–", "mendirikan", "umur", "saat ini", "not", "requires", "{",
    "}", "%s", "\\n", "İ", "ß", "\u00a0", "\u200b", "1,5 miliar",
]  # fmt: skip
PHRASES = (
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map(" ".join) | st.text(max_size=12) | st.text(string.printable, max_size=12)
).filter(lambda text: bool(fold(text)) and hides_nothing(text))
LISTS = st.lists(PHRASES, max_size=3)
QUESTIONS = PHRASES | st.just("Apakah PT perorangan wajib akta notaris?")
WORDS = WordList.load()
PROPERTY = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def an_item(question: str, required: list[str], forbidden: list[str], answer: str = "", rubric: str = "") -> Item:
    expected = {"must_include": required, "must_not_include": forbidden, "rubric": rubric or "r", "answer": answer}
    return Item.model_validate({"id": "a", "question": question, "expected": expected})


def lint(item: Item, language: str = "en") -> tuple[Finding, ...]:
    evidence = StoredEvidence(
        StoredAnswer("a", text, passed) for text in (*item.expected.must_include, "Tidak wajib akta.") for passed in (True, False)
    )
    other = an_item("Apa?", list(item.expected.must_include) or ["x"], []).model_copy(update={"id": "b"})
    return lint_item(item, words=WORDS, evidence=evidence, others=[item, other], language=language)


@PROPERTY
@given(QUESTIONS, LISTS, LISTS, PHRASES)
def test_findings_speak_of_the_item_whatever_it_says(question: str, required: list[str], forbidden: list[str], answer: str) -> None:
    item = an_item(question, required, forbidden, answer)
    texts = {"", question, *required, *forbidden}
    for finding in lint(item):
        assert finding.phrase in texts
        assert finding.message
        assert finding.suggestion


@PROPERTY
@given(QUESTIONS, LISTS, LISTS)
def test_both_languages_find_the_same(question: str, required: list[str], forbidden: list[str]) -> None:
    item = an_item(question, required, forbidden)
    found = [
        [(finding.code, finding.severity, finding.field, finding.phrase) for finding in lint(item, language)] for language in ("id", "en")
    ]
    assert found[0] == found[1]


@PROPERTY
@given(
    QUESTIONS,
    PHRASES,
    st.booleans(),
    st.sampled_from([str.upper, str.swapcase, lambda text: f" {text}\u200b\n", lambda text: text.replace(" ", "\u00a0 ")]),
)
def test_what_the_gate_cannot_tell_apart_gets_the_same_findings(question: str, phrase: str, required: bool, change) -> None:  # type: ignore[no-untyped-def]
    changed = change(phrase)
    if fold(changed) != fold(phrase):
        return
    found = [
        [
            (finding.code, finding.severity, finding.field)
            for finding in lint(an_item(question, [text] if required else [], [] if required else [text]))
        ]
        for text in (phrase, changed)
    ]
    assert found[0] == found[1]


@PROPERTY
@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(["question: ", "must_include: [", "a, b", "]", " #x", "\n", "- ", "id: a", "'", '"']), max_size=9).map(
        "".join
    )
)
def test_any_text_has_hazards_or_none(text: str) -> None:
    for finding in lint_source(text):
        assert finding.line is not None
