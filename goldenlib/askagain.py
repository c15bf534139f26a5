"""Asking again: items once more, several times, outside every series.

Rule: it moves no baseline, is nobody's latest run and decides nothing, so that whoever investigates does not disarm the gate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from goldenlib.answers import Result, series_of
from goldenlib.comparing.asked import AskedAgain
from goldenlib.config.identity import RunOptions, label_of
from goldenlib.config.settings import Settings
from goldenlib.errors import SettingsError
from goldenlib.golden_set import GoldenSet
from goldenlib.running import evaluate
from goldenlib.storage import ASKED, Store

TIMES = 5
MOST_TIMES = 100


def ask_again(
    golden_set: GoldenSet,
    settings: Settings,
    store: Store,
    item_ids: Sequence[str],
    times: int = TIMES,
    *,
    label: str | None = None,
    on_result: Callable[[Result], None] | None = None,
) -> tuple[AskedAgain, ...]:
    """Ask items of a set again, each so many times in sessions of their own, and return what they came to, in the order given.

    What is answered and scored is stored, in runs of the experiment ASKED, beside the series of `label` (default: the host of the
    chatbot). Raises SettingsError for an id that is not in the set and for a number that cannot be meant, and what `evaluate` raises.
    """
    wanted = tuple(dict.fromkeys(item_ids))
    by_id = {item.id: item for item in golden_set}
    if unknown := [item_id for item_id in wanted if item_id not in by_id]:
        raise SettingsError(f"{golden_set.name} has no item {', '.join(map(repr, unknown))}; give ids as they stand in the set")
    if not wanted or not 1 <= times <= MOST_TIMES:
        raise SettingsError(f"give at least one item, and how often it is to be asked: 1 to {MOST_TIMES} times")
    few = replace(golden_set, items=tuple(by_id[item_id] for item_id in wanted), selection=f"{ASKED}: {', '.join(wanted)}")
    series = series_of(golden_set.name, label_of(settings, label), judged=not settings.judge_is_off)
    before = store.asked_again(series, wanted)
    found: dict[str, list[Result]] = {item_id: [] for item_id in wanted}
    for repeat in range(1, times + 1):
        options = RunOptions(label=label, allow_unverified=True, experiment=ASKED, repeat=repeat)
        for result in evaluate(few, settings, store, options, on_result).results:
            found[result.item_id].append(result)
    return tuple(AskedAgain(item_id, tuple(results), before.get(item_id, ())) for item_id, results in found.items())
