"""The table of rules: one code, one small function.

Rule: to add one, write its function, a row here, its wording in both languages, and docs/hazards/<code>.md; tests look for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from goldenlib.hazards import aging, brittle, contradictions, denials, echoes, fragments, history, mutations
from goldenlib.hazards.findings import Hit
from goldenlib.hazards.subject import Context, Subject

WORDS, EVIDENCE, OTHERS, SOURCE = "words", "evidence", "others", "source"


@dataclass(frozen=True, slots=True)
class Rule:
    """A hazard that is looked for. `needs` names the part of the context without which it finds nothing."""

    code: str
    find: Callable[[Subject, Context], Iterable[Hit]]
    needs: str | None = None


RULES = (
    Rule("in-both-lists", contradictions.in_both_lists),
    Rule("forbidden-in-required", contradictions.forbidden_in_required),
    Rule("required-in-forbidden", contradictions.required_in_forbidden),
    Rule("duplicate-phrase", contradictions.duplicate_phrase),
    Rule("contained-phrase", contradictions.contained_phrase),
    Rule("forbidden-in-own-answer", contradictions.forbidden_in_own_answer),
    Rule("missing-from-own-answer", contradictions.missing_from_own_answer),
    Rule("short-fragment", fragments.short_fragment),
    Rule("common-word", fragments.common_word, WORDS),
    Rule("edge-digits", fragments.edge_digits),
    Rule("edge-code", fragments.edge_code),
    Rule("forbidden-number", fragments.forbidden_number),
    Rule("own-denial", denials.own_denial),
    Rule("required-denied", denials.required_denied),
    Rule("in-question", echoes.in_question),
    Rule("in-refusal", echoes.in_refusal),
    Rule("sentence-not-fact", brittle.sentence_not_fact),
    Rule("list-in-phrase", brittle.list_in_phrase),
    Rule("alternatives", brittle.alternatives),
    Rule("punctuation", brittle.punctuation),
    Rule("markdown-in-phrase", brittle.markdown_in_phrase),
    Rule("looks-cut", brittle.looks_cut),
    Rule("currency-form", brittle.currency_form),
    Rule("digit-grouping", brittle.digit_grouping),
    Rule("number-in-words", brittle.number_in_words),
    Rule("one-date-spelling", brittle.one_date_spelling),
    Rule("citation-form", brittle.citation_form),
    Rule("near-synonym", brittle.near_synonym),
    Rule("affixed-form", brittle.affixed_form, WORDS),
    Rule("ages", aging.ages),
    Rule("verified-without-review", aging.verified_without_review),
    Rule("passes-empty", mutations.passes_empty),
    Rule("passes-refusal", mutations.passes_refusal),
    Rule("passes-echo", mutations.passes_echo),
    Rule("passes-denial", mutations.passes_denial),
    Rule("passes-other-answer", mutations.passes_other_answer, OTHERS),
    Rule("duplicate-question", mutations.duplicate_question, OTHERS),
    Rule("flaky-phrase", history.flaky_phrase, EVIDENCE),
    Rule("never-present", history.never_present, EVIDENCE),
    Rule("fails-passed-answers", history.fails_passed_answers, EVIDENCE),
    Rule("dead-phrase", history.dead_phrase, EVIDENCE),
)


def rules_for(context: Context) -> tuple[Rule, ...]:
    """Return the rules that can find something with what is known."""
    return tuple(rule for rule in RULES if rule.needs is None or getattr(context, rule.needs) is not None)


# Found in the raw text of a file (`source`), and when acceptances are settled (`linting`).
CUT_BY_YAML, COMMA_IN_LIST = "cut-by-yaml", "comma-in-list"
UNNEEDED = "unneeded-acceptance"
# What answers to quite other questions tell too.
HIT_BY_CHANCE = frozenset(("short-fragment", "common-word", "edge-digits", "edge-code", "in-refusal"))
NEEDS = {rule.code: rule.needs for rule in RULES} | {CUT_BY_YAML: SOURCE, COMMA_IN_LIST: SOURCE, UNNEEDED: None}
CODES = tuple(NEEDS)
