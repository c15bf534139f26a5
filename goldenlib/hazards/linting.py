"""Linting: the hazards of an item or of a set, worst first, in the expert's language.

HazardRule: a hazard that the author accepts with a reason is silent for that phrase only, and an acceptance without a hazard is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from goldenlib.folding import fold
from goldenlib.hazards.findings import FORBIDDEN, REQUIRED, Fact, Finding, Hit, Severity
from goldenlib.hazards.others import OtherItems
from goldenlib.hazards.rules import HIT_BY_CHANCE, NEEDS, SOURCE, UNNEEDED, HazardRule, rules_for
from goldenlib.hazards.sentences import FindingWording
from goldenlib.hazards.stored import StoredEvidence, occurrences_in
from goldenlib.hazards.subject import Context, Subject
from goldenlib.hazards.words import WordList
from goldenlib.items import AcceptedHazard, Item
from goldenlib.languages import Language

Found = tuple[str, Hit]  # a code with a hit of it


def lint_item(
    item: Item,
    *,
    words: WordList | None = None,
    evidence: StoredEvidence | None = None,
    others: Sequence[Item] | OtherItems = (),
    language: Language | str = Language.INDONESIAN,
) -> tuple[Finding, ...]:
    """Return the hazards of one item, worst first.

    Each part that is not given leaves out what it would tell: `words` (see `WordList.load`) the words around a short phrase,
    `evidence` what stored answers say, `others` whether their good answers pass. To lint while somebody types, make
    `OtherItems` once and give that.
    """
    known = others if isinstance(others, OtherItems) else OtherItems(others) if others else None
    context = Context(words, evidence, known)
    return _lint(Subject(item), context, rules_for(context), FindingWording.of(language))


def lint_set(
    items: Iterable[Item],
    *,
    words: WordList | None = None,
    evidence: StoredEvidence | None = None,
    language: Language | str = Language.INDONESIAN,
    source_hits: Mapping[str, Sequence[Found]] | None = None,
) -> tuple[Finding, ...]:
    """Return the hazards of the items of a set (a `GoldenSet` too), item by item, each item's worst first.

    Every item is compared with the others. `source_hits` are what `source.source_hits` found in the files, by item id; with
    them, acceptances of such hazards count as looked at.
    """
    given = tuple(items)
    context, wording = Context(words, evidence, OtherItems(given)), FindingWording.of(language)
    rules, hits = rules_for(context), source_hits or {}
    looked = source_hits is not None
    return tuple(
        finding
        for item in given
        for finding in _lint(Subject(item), context, rules, wording, hits.get(item.id, ()), looked_at_source=looked)
    )


def _lint(
    subject: Subject,
    context: Context,
    rules: Sequence[HazardRule],
    wording: FindingWording,
    more: Sequence[Found] = (),
    *,
    looked_at_source: bool = False,
) -> tuple[Finding, ...]:
    """Return what the rules find in one item, with what was found elsewhere (`more`), less what is accepted."""
    found = [(rule.code, hit) for rule in rules for hit in rule.find(subject, context)]
    found.extend(more)
    if subject.item.accepted:
        found = list(_settled(subject.item, found, context, looked_at_source=looked_at_source))
    found.sort(key=lambda pair: pair[1].severity.rank)
    return tuple(wording.tell(subject.item.id, code, hit, _from_store(code, hit, subject, context)) for code, hit in found)


def _settled(item: Item, found: Sequence[Found], context: Context, *, looked_at_source: bool) -> Iterator[Found]:
    """Give what is not accepted, and a note for each acceptance that silences nothing."""
    accepted = {_key(one.code, one.phrase): one for one in item.accepted}
    silenced = set()
    for code, hit in found:
        if (key := _key(code, hit.phrase)) in accepted:
            silenced.add(key)
        else:
            yield code, hit
    for key, one in accepted.items():
        if key not in silenced and (_key(UNNEEDED, one.phrase) not in accepted) and _was_looked_at(one, item, context, looked_at_source):
            variant = "code" if one.code in NEEDS else "unknown"
            yield UNNEEDED, Hit(Severity.NOTE, "accepted", one.phrase, variant, {"code": one.code, "reason": one.reason})


def _was_looked_at(one: AcceptedHazard, item: Item, context: Context, looked_at_source: bool) -> bool:
    """Whether the hazard would have been found here, were it there; without a store, say, nobody knows."""
    texts = {fold(text) for text in (*item.messages, *item.expected.must_include, *item.expected.must_not_include)}
    if one.code not in NEEDS or (one.phrase and fold(one.phrase) not in texts):
        return True
    needs = NEEDS[one.code]
    return needs is None or (looked_at_source if needs == SOURCE else getattr(context, needs) is not None)


def _key(code: str, phrase: str) -> tuple[str, str]:
    return code, fold(phrase)


def _from_store(code: str, hit: Hit, subject: Subject, context: Context) -> Iterator[Fact]:
    """In how many stored answers the phrase of a hit occurs: to this item, and to all where this item has none or hits are chance."""
    if context.evidence is None or hit.severity is Severity.NOTE or hit.field not in (REQUIRED, FORBIDDEN) or not hit.phrase:
        return
    folded = fold(hit.phrase)
    answers = context.answers_to(subject)
    if answers:
        here = occurrences_in(answers, folded)
        yield Fact("stored-here", {"found": here.found, "passed": here.passed, "total": here.total})
    if (not answers or code in HIT_BY_CHANCE) and (everywhere := context.evidence.occurrences(folded)).found:
        yield Fact("stored-everywhere", {"found": everywhere.found, "passed": everywhere.passed, "total": everywhere.total})
