"""The table of rules: one code, one small function.

HazardRule: to add one, write its function, a row here, its wording in both languages, and docs/hazards/<code>.md; tests look for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from goldenlib.hazards import aging, brittle, contradictions, denials, echoes, mutations, pastanswers, wordparts
from goldenlib.hazards.findings import Hit
from goldenlib.hazards.subject import Context, Subject

WORDS, EVIDENCE, OTHERS, SOURCE = "words", "evidence", "others", "source"


@dataclass(frozen=True, slots=True)
class HazardRule:
    """A hazard that is looked for. `needs` names the part of the context without which it finds nothing."""

    code: str
    find: Callable[[Subject, Context], Iterable[Hit]]
    needs: str | None = None


RULES = (
    HazardRule("in-both-lists", contradictions.in_both_lists),
    HazardRule("forbidden-in-required", contradictions.forbidden_in_required),
    HazardRule("required-in-forbidden", contradictions.required_in_forbidden),
    HazardRule("duplicate-phrase", contradictions.duplicate_phrase),
    HazardRule("contained-phrase", contradictions.contained_phrase),
    HazardRule("forbidden-in-own-answer", contradictions.forbidden_in_own_answer),
    HazardRule("missing-from-own-answer", contradictions.missing_from_own_answer),
    HazardRule("short-fragment", wordparts.short_fragment),
    HazardRule("common-word", wordparts.common_word, WORDS),
    HazardRule("edge-digits", wordparts.edge_digits),
    HazardRule("edge-code", wordparts.edge_code),
    HazardRule("forbidden-number", wordparts.forbidden_number),
    HazardRule("own-denial", denials.own_denial),
    HazardRule("required-denied", denials.required_denied),
    HazardRule("in-question", echoes.in_question),
    HazardRule("in-refusal", echoes.in_refusal),
    HazardRule("sentence-not-fact", brittle.sentence_not_fact),
    HazardRule("list-in-phrase", brittle.list_in_phrase),
    HazardRule("alternatives", brittle.alternatives),
    HazardRule("punctuation", brittle.punctuation),
    HazardRule("markdown-in-phrase", brittle.markdown_in_phrase),
    HazardRule("looks-cut", brittle.looks_cut),
    HazardRule("currency-form", brittle.currency_form),
    HazardRule("digit-grouping", brittle.digit_grouping),
    HazardRule("number-in-words", brittle.number_in_words),
    HazardRule("one-date-spelling", brittle.one_date_spelling),
    HazardRule("citation-form", brittle.citation_form),
    HazardRule("near-synonym", brittle.near_synonym),
    HazardRule("affixed-form", brittle.affixed_form, WORDS),
    HazardRule("ages", aging.ages),
    HazardRule("verified-without-review", aging.verified_without_review),
    HazardRule("passes-empty", mutations.passes_empty),
    HazardRule("passes-refusal", mutations.passes_refusal),
    HazardRule("passes-echo", mutations.passes_echo),
    HazardRule("passes-denial", mutations.passes_denial),
    HazardRule("passes-other-answer", mutations.passes_other_answer, OTHERS),
    HazardRule("duplicate-question", mutations.duplicate_question, OTHERS),
    HazardRule("flaky-phrase", pastanswers.flaky_phrase, EVIDENCE),
    HazardRule("never-present", pastanswers.never_present, EVIDENCE),
    HazardRule("fails-passed-answers", pastanswers.fails_passed_answers, EVIDENCE),
    HazardRule("dead-phrase", pastanswers.dead_phrase, EVIDENCE),
)


def rules_for(context: Context) -> tuple[HazardRule, ...]:
    """Return the rules that can find something with what is known."""
    return tuple(rule for rule in RULES if rule.needs is None or getattr(context, rule.needs) is not None)


# Found in the raw text of a file (`fileplaces`), and when acceptances are settled (`linting`).
CUT_BY_YAML, COMMA_IN_LIST = "cut-by-yaml", "comma-in-list"
UNNEEDED = "unneeded-acceptance"
# What answers to quite other questions tell too.
HIT_BY_CHANCE = frozenset(("short-fragment", "common-word", "edge-digits", "edge-code", "in-refusal"))
NEEDS = {rule.code: rule.needs for rule in RULES} | {CUT_BY_YAML: SOURCE, COMMA_IN_LIST: SOURCE, UNNEEDED: None}
CODES = tuple(NEEDS)
