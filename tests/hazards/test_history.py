"""What stored answers say about phrases, and the index behind it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from goldenlib.answers import Answer
from goldenlib.folding import fold
from goldenlib.hazards import Severity, StoredAnswer, StoredEvidence, read_evidence
from goldenlib.hazards.stored import ANSWERS_PER_ITEM
from goldenlib.hazards.textindex import Lines, TextIndex
from goldenlib.storage import Store
from tests.builders import a_result
from tests.hazards.contracts import a_contract, codes, found, severity_of, stored
from tests.storage.scenes import a_new_run, write

WITH, WITHOUT = "Isi pernyataan pendirian.", "Isi formulir."


def test_a_phrase_in_some_answers_and_not_in_others_is_flaky() -> None:
    evidence = StoredEvidence(stored(WITH, WITH, WITH, WITHOUT, WITHOUT))
    finding = found(a_contract(["pernyataan pendirian"]), "flaky-phrase", evidence=evidence)["pernyataan pendirian"]
    assert finding.severity is Severity.WARNING
    assert "3 of the last 5 answers" in finding.message


def test_one_miss_in_ten_is_not_flaky() -> None:
    assert "flaky-phrase" not in codes(a_contract(["pernyataan pendirian"]), evidence=StoredEvidence(stored(*[WITH] * 9, WITHOUT)))


def test_few_answers_say_nothing() -> None:
    assert not codes(a_contract(["pernyataan pendirian"]), evidence=StoredEvidence(stored(WITHOUT, WITH, passed=False))) & {
        "flaky-phrase",
        "never-present",
    }


def test_a_phrase_in_no_answer_is_never_present() -> None:
    evidence = StoredEvidence(stored(*[WITHOUT] * 5, passed=False))
    assert severity_of(a_contract(["pernyataan pendirian"]), "never-present", evidence=evidence) is Severity.WARNING
    assert "flaky-phrase" not in codes(a_contract(["pernyataan pendirian"]), evidence=evidence)


def test_answers_to_other_items_are_no_evidence_of_how_a_phrase_works() -> None:
    evidence = StoredEvidence(stored(*[WITHOUT] * 20, item_id="b"))
    assert not codes(a_contract(["pernyataan pendirian"]), evidence=evidence) & {"never-present", "dead-phrase", "fails-passed-answers"}


def test_a_phrase_that_would_fail_what_passed_is_told() -> None:
    evidence = StoredEvidence(stored(WITH, WITHOUT))
    required = found(a_contract(["pernyataan pendirian"]), "fails-passed-answers", evidence=evidence)
    forbidden = found(a_contract(["formulir apa saja"], ["isi formulir"]), "fails-passed-answers", evidence=evidence)
    assert "1 of 2 stored answers that passed" in required["pernyataan pendirian"].message
    assert "1 of 2 stored answers that passed" in forbidden["isi formulir"].message


def test_failed_and_unscored_answers_do_not_count_as_passed() -> None:
    evidence = StoredEvidence([*stored(WITHOUT, passed=False), *stored(WITHOUT, passed=None)])
    assert "fails-passed-answers" not in codes(a_contract(["pernyataan pendirian"]), evidence=evidence)


def test_a_phrase_that_never_failed_an_answer_is_dead() -> None:
    evidence = StoredEvidence([*stored(*[WITH] * 9), *stored(WITH, passed=False)])
    dead = found(a_contract(["pernyataan pendirian"], ["wajib akta"]), "dead-phrase", evidence=evidence)
    assert set(dead) == {"pernyataan pendirian", "wajib akta"}
    assert {finding.severity for finding in dead.values()} == {Severity.NOTE}
    assert "1 of these 10 answers failed for something else" in dead["wajib akta"].evidence


def test_only_the_last_answers_count() -> None:
    evidence = StoredEvidence(stored(*[WITH] * ANSWERS_PER_ITEM, *[WITHOUT] * 30))
    assert len(evidence.answers_to("a", "apa?")) == ANSWERS_PER_ITEM
    assert "flaky-phrase" not in codes(a_contract(["pernyataan pendirian"]), evidence=evidence)


def test_occurrences_are_counted_over_all_answers() -> None:
    evidence = StoredEvidence([*stored(WITH, WITHOUT), *stored(WITH, item_id="b", passed=False)])
    occurrences = evidence.occurrences("pernyataan pendirian")
    assert (occurrences.found, occurrences.passed, occurrences.total) == (2, 1, 3)


def test_complete_answers_are_read_from_a_store(store: Store) -> None:
    run = a_new_run()
    store.create_run(run)
    write(store, run, [a_result("a", WITH), a_result("b", answer=Answer("Isi", error="broke off"))])
    evidence = read_evidence(store, ["a", "b", "c"])
    question = fold(a_result("a").question)
    assert evidence.answers_to("a", question) == (StoredAnswer("a", fold(WITH), True, question),)
    assert evidence.answers_to("a", "apa yang lain?") == ()
    assert len(evidence) == 1


def test_an_answer_to_what_the_item_asked_before_is_no_evidence() -> None:
    """An id stays when its question is written anew."""
    item = a_contract(["pernyataan pendirian"])
    before = [StoredAnswer("a", text, True, "Apa yang lain?") for text in (WITH, WITHOUT) * 3]
    now = [StoredAnswer("a", text, True, f" {item.title.upper()} ") for text in (WITH, WITHOUT) * 3]
    assert "flaky-phrase" not in codes(item, evidence=StoredEvidence(before))
    assert "flaky-phrase" in codes(item, evidence=StoredEvidence([*before, *now]))


WORDS = st.lists(st.text(alphabet="abc.", min_size=1, max_size=3), min_size=1, max_size=6).map(" ".join)


@given(st.lists(WORDS, max_size=8), WORDS)
def test_the_index_finds_exactly_the_texts_with_the_phrase(texts: list[str], phrase: str) -> None:
    assert TextIndex(texts).containing(phrase) == tuple(number for number, text in enumerate(texts) if phrase in text)


@given(st.lists(st.text(alphabet="ab", max_size=4), max_size=6), st.text(alphabet="ab", min_size=1, max_size=2))
def test_lines_are_found_by_part_beginning_and_end(lines: list[str], part: str) -> None:
    searched = Lines(lines)
    assert list(searched.holding(part)) == [number for number, line in enumerate(lines) if part in line]
    assert list(searched.holding("\n" + part)) == [number for number, line in enumerate(lines) if line.startswith(part)]
    assert list(searched.holding(part + "\n")) == [number for number, line in enumerate(lines) if line.endswith(part)]
