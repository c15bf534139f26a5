"""Checking: whether a gold can be trusted to score anything, before it does (seed 002, "Check the gold before you trust it").

Rule: a gold with an error scores nothing. Golden SQL is trusted with what it calls, and still only reads, within the warehouse's limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from goldenlib.items import GoldenSet, Item, Kind
from goldenlib.scoring.gold.authoring import leak_can_be_seen
from goldenlib.scoring.gold.findings import GoldCheck, GoldFinding
from goldenlib.scoring.gold.report import GoldReport
from goldenlib.scoring.gold.rules import ADVISORY, BLOCKING, IMPLIED, Rule
from goldenlib.scoring.gold.subject import Gold
from goldenlib.scoring.gold.threads import OtherThreads
from goldenlib.warehouse import Warehouse


def check_gold(item: Item, warehouse: Warehouse, *, today: date | None = None, others: OtherThreads | None = None) -> GoldCheck:
    """Return everything that is to be said about the gold of one item, worst first.

    The golden SQL runs more than once: changed in ways that must not change its result. `today` is the day that periods are open
    or over on, by default the computer's; `others` runs it with another number of threads, by default one made for this item.
    An item without golden SQL has nothing to check, unless it is forbidden, for then a leak could not be seen.
    """
    if item.expected.sql is None:
        return GoldCheck(item.id, leak_can_be_seen(item), None)
    if others is None:
        with OtherThreads(warehouse) as opened:
            return check_gold(item, warehouse, today=today, others=opened)
    gold = _gold(item, warehouse, today, others)
    if gold is None:
        return GoldCheck(item.id, (), None)
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
    gold = _gold(item, warehouse, None, None)
    if gold is None:
        return GoldCheck(item.id, (), None)
    return GoldCheck(item.id, _told(_apply(BLOCKING, gold)), gold.result, gold.unavailable)


def check_golds(golden_set: GoldenSet | Iterable[Item], warehouse: Warehouse, *, today: date | None = None) -> GoldReport:
    """Return the check of every gold of a set, in its order. Items without golden SQL are left out, forbidden ones excepted."""
    name = golden_set.name if isinstance(golden_set, GoldenSet) else ""
    with OtherThreads(warehouse) as others:
        checks = [check_gold(item, warehouse, today=today, others=others) for item in golden_set if _has_gold(item)]
    return GoldReport(name, warehouse.shown, tuple(checks))


def _has_gold(item: Item) -> bool:
    return item.expected.sql is not None or (item.kind is Kind.FORBIDDEN and item.is_data_question)


def _gold(item: Item, warehouse: Warehouse, today: date | None, others: OtherThreads | None) -> Gold | None:
    if item.expected.sql is None:
        return None
    return Gold(item, item.expected.sql, warehouse, today or date.today(), others)


def _apply(rules: Iterable[Rule], gold: Gold) -> list[GoldFinding]:
    return [finding for rule in rules for finding in rule(gold)]


def _told(findings: Sequence[GoldFinding]) -> tuple[GoldFinding, ...]:
    """Return the findings worst first, without those that another one already says."""
    codes = {finding.code for finding in findings}
    told = [finding for finding in findings if not IMPLIED.get(finding.code, set()) & codes]
    return tuple(sorted(told, key=lambda finding: finding.severity.rank))
