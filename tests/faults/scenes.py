"""Small runs in which one item meets a fault: the set, the settings, and the run over real sockets into a real store."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goldenlib.answers import Result, Status
from goldenlib.config.settings import Settings, load_settings
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Item
from goldenlib.reporting.report import Report
from goldenlib.running import RunOptions, evaluate
from goldenlib.storage import Store
from tests.builders import an_item
from tests.faults.actors import Chatbot, JudgeServer, on_stage

FAULTY = "faulty"
HEALTHY = ("a", "b", "c", "d")
NAMES = ("a", "b", FAULTY, "c", "d")
# Short enough that a fault ends soon, long enough that a busy machine is not one.
PATIENCE = {
    "chatbot_timeout_s": 20,
    "chatbot_idle_timeout_s": 10,
    "judge_timeout_s": 20,
    "golden_retry_wait_max_s": 0.05,
    "judge_retries": 2,
}
WITHIN_S = 15


def an_item_asking(question: str, **changes: Any) -> Item:
    """A verified item whose question is its id, and whose answer must hold 'WNI'."""
    return an_item(question, question=question, verified=True, **changes)


def a_set(*items: Item) -> GoldenSet:
    return GoldenSet("ahu", items, tuple(item.id for item in items))


def the_set(**changes: Any) -> GoldenSet:
    """Four items that will go well, and in their midst one that will not; `changes` are of that one."""
    return a_set(*(an_item_asking(name, **(changes if name == FAULTY else {})) for name in NAMES))


def settings_for(chatbot: str, judge: str, environ: Mapping[str, str] | None = None, **changes: Any) -> Settings:
    settings, _ = load_settings(overrides={**PATIENCE, "chatbot_url": chatbot, "judge_url": judge, **changes}, environ=environ or {})
    return settings


@dataclass(frozen=True)
class Played:
    """A run that is over: its report, what the store holds of it, and how long it took."""

    report: Report
    stored: tuple[Result, ...]
    line_stored: str | None
    seconds: float

    def result(self, item_id: str) -> Result:
        return next(result for result in self.report.results if result.item_id == item_id)

    @property
    def states(self) -> Mapping[str, bool | str | None]:
        """What became of each item: passed or not, or its status when it was not scored."""
        results = self.report.results
        return {result.item_id: result.passed if result.status is Status.SCORED else str(result.status) for result in results}


def play(folder: Path, chatbot: Chatbot, judge: JudgeServer, golden_set: GoldenSet | None = None, **settings: Any) -> Played:
    """Run the set from start to decision."""
    with on_stage(chatbot, judge), Store.open(str(folder / "golden.db")) as store:
        return played(store, golden_set or the_set(), settings_for(chatbot.url, judge.judge_url, **settings))


def played(store: Store, golden_set: GoldenSet, settings: Settings, run_id: str = "r1", **options: Any) -> Played:
    begun = time.monotonic()
    report = evaluate(golden_set, settings, store, RunOptions(run_id, **options))
    seconds = time.monotonic() - begun
    return Played(report, store.results(run_id), store.run(run_id).decision_line, seconds)
