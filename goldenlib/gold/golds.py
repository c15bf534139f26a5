"""Checking: whether a gold can be trusted to score anything, before it does (seed 002, "Check the gold before you trust it").

Rule: a gold with an error scores nothing. Golden SQL is trusted with what it calls, and still only reads, within the warehouse's limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date

from goldenlib.gold.authoring import golds_that_stand_twice, leak_can_be_seen
from goldenlib.gold.goldfindings import GoldCheck, GoldFinding, Severity
from goldenlib.gold.goldreport import GoldReport
from goldenlib.gold.goldsubject import Gold
from goldenlib.gold.otherways import OtherWays
from goldenlib.gold.rulebook import ADVISORY, BLOCKING, IMPLIED, Rule
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Item, Kind
from goldenlib.warehouse import Warehouse


def check_gold(item: Item, warehouse: Warehouse, *, today: date | None = None, others: OtherWays | None = None) -> GoldCheck:
    """Return everything that is to be said about the gold of one item, worst first.

    The golden SQL runs more than once: changed in ways that must not change its result. `today` is the day that periods are open
    or over on, by default the computer's; `others` runs it with another number of threads, by default one made for this item.
    An item without golden SQL has nothing to check, unless it is forbidden, for then a leak could not be seen.
    """
    if item.expected.sql is None:
        return GoldCheck(item.id, leak_can_be_seen(item), None)
    if others is None:
        with OtherWays(warehouse) as opened:
            return check_gold(item, warehouse, today=today, others=opened)
    checks = [_checked(alternative, warehouse, today, others) for alternative in _alternatives(item)]
    return _together(item.id, checks)


def _checked(item: Item, warehouse: Warehouse, today: date | None, others: OtherWays) -> GoldCheck:
    gold = _gold(item, warehouse, today, others)
    findings = _apply(BLOCKING, gold)
    if gold.result is not None and gold.result.row_count > 0:
        findings += _apply(ADVISORY, gold)
    else:
        findings += _apply([rule for rule in ADVISORY if rule.__module__.endswith(".authoring")], gold)
    return GoldCheck(item.id, _told(findings), gold.result, gold.unavailable)


def blocking_check(item: Item, warehouse: Warehouse) -> GoldCheck:
    """Return only what keeps the gold of one item from scoring: the golden SQL runs once, its check query once, and nothing else.

    `can_score` is the same as that of `check_gold`. The result is the golden result, to score with.
    """
    golds = [_gold(alternative, warehouse, None, None) for alternative in _alternatives(item)]
    return _together(item.id, [GoldCheck(item.id, _told(_apply(BLOCKING, gold)), gold.result, gold.unavailable) for gold in golds])


def _alternatives(item: Item) -> Iterator[Item]:
    """Give the item once for each golden SQL, none where it has none. The check query confirms the first."""
    for place, rule in enumerate(item.expected.sql.alternatives if item.expected.sql is not None else ()):
        one = rule if place == 0 else rule.model_copy(update={"check": None})
        yield item.model_copy(update={"expected": item.expected.model_copy(update={"sql": one})})


def _together(item_id: str, checks: Sequence[GoldCheck]) -> GoldCheck:
    """Return the checks of all golden SQL of an item as one. What only an item has, such as a note, is told once."""
    if len(checks) == 1:
        return checks[0]
    findings: dict[tuple[str, str], GoldFinding] = {}
    for place, check in enumerate(checks, 1):
        for finding in check.findings:
            of_item = finding.code in ("note-missing", "check-missing", "decline-with-gold")
            told = finding if of_item else replace(finding, message=f"golden SQL {place} of {len(checks)}: {finding.message}")
            if not of_item or place == 1:
                findings.setdefault((told.code, told.message), told)
    ordered = tuple(sorted(findings.values(), key=lambda finding: finding.severity.rank))
    results = tuple(check.result for check in checks[1:] if check.result is not None)
    unavailable = next((check.unavailable for check in checks if check.unavailable), "")
    return GoldCheck(item_id, ordered, checks[0].result if checks else None, unavailable, results)


def check_golds(golden_set: GoldenSet | Iterable[Item], warehouse: Warehouse, *, today: date | None = None) -> GoldReport:
    """Return the check of every gold of a set, in its order. Items without golden SQL are left out, forbidden ones excepted."""
    name = golden_set.name if isinstance(golden_set, GoldenSet) else ""
    items = [item for item in golden_set if _has_gold(item)]
    with OtherWays(warehouse) as others, ThreadPoolExecutor(warehouse.concurrency, "golden-check") as threads:
        checks = tuple(threads.map(lambda item: check_gold(item, warehouse, today=today, others=others), items))
    results = {check.item_id: check.result for check in checks if check.result is not None}
    twice = golds_that_stand_twice(items, warehouse.dialect, results)
    by_id = {item.id: item for item in items}
    checks = tuple(
        replace(check, findings=_not_accepted(by_id[check.item_id], (*check.findings, *twice.get(check.item_id, ())))) for check in checks
    )
    return GoldReport(name, warehouse.shown, checks)


def _not_accepted(item: Item, findings: Iterable[GoldFinding]) -> tuple[GoldFinding, ...]:
    """Return the findings that nobody has looked at and let stand. An error stands in any case."""
    accepted = {one.code for one in item.accepted}
    return tuple(finding for finding in findings if finding.severity is Severity.ERROR or finding.code not in accepted)


def _has_gold(item: Item) -> bool:
    return item.expected.sql is not None or (item.kind is Kind.FORBIDDEN and item.is_data_question)


def _gold(item: Item, warehouse: Warehouse, today: date | None, others: OtherWays | None) -> Gold:
    assert item.expected.sql is not None  # an alternative of one that has it
    return Gold(item, item.expected.sql, warehouse, today or date.today(), others)


def _apply(rules: Iterable[Rule], gold: Gold) -> list[GoldFinding]:
    return [finding for rule in rules for finding in rule(gold)]


def _told(findings: Sequence[GoldFinding]) -> tuple[GoldFinding, ...]:
    """Return the findings worst first, without those that another one already says."""
    codes = {finding.code for finding in findings}
    told = [finding for finding in findings if not IMPLIED.get(finding.code, set()) & codes]
    return tuple(sorted(told, key=lambda finding: finding.severity.rank))
