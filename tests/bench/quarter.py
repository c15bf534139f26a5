"""A quarter of a year of runs with a known truth, for what investigates them: python -m tests.bench.quarter STORE.

Sixty runs over ninety days, of 200 items in eight domains: some decline slowly, one night a page of one domain goes stale, the judge is
changed once, twelve contracts are edited, fourteen items change their mind, and one night the chatbot is down. What is true of each item
stands in `Truth`, so that tests can hold what is found against it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from goldenlib.answers import Answer, JudgeStatus, Result, RunRecord, Score, Status, series_of
from goldenlib.comparing.earlier import Earlier, compare
from goldenlib.gating import Policy, decide
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Item
from goldenlib.scoring.facts import check_facts
from goldenlib.storage import Store

RUNS = 60
ITEMS_OF = {
    "apostille": 25,
    "badan-hukum-pt": 45,
    "fidusia": 25,
    "kewarganegaraan": 20,
    "notaris": 20,
    "perkumpulan": 20,
    "wasiat": 20,
    "yayasan": 25,
}
STALE_RUN, JUDGE_RUN, OUTAGE_RUN, EDIT_RUN = 43, 33, 37, 21
STALE = "Rp700.000"
JUDGES = ("qwen3-32b", "qwen3.5-72b")
SERIES = series_of("ahu", "chatbot.staging", judged=True)


@dataclass
class Truth:
    """What happened to whom: the run in which an item broke, who only flickers, whose contract was edited, whom the judge alone fails."""

    broke: dict[str, int] = field(default_factory=dict)
    flaky: set[str] = field(default_factory=set)
    stale: set[str] = field(default_factory=set)
    edited: set[str] = field(default_factory=set)
    by_judge: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Quarter:
    """A store that was filled, and what is true of it."""

    path: Path
    truth: Truth


def make_quarter(store: Store, runs: int = RUNS) -> Truth:
    """Fill a store and return what is true of it."""
    chance = random.Random(7)
    ids = [(domain, f"{domain}-{number:03d}") for domain, size in ITEMS_OF.items() for number in range(size)]
    truth = _truth(chance, [item_id for _, item_id in ids])
    started = datetime(2026, 9, 1, 20, 17, tzinfo=UTC)
    policy = Policy(min_pass_rate=Decimal("0.5"))
    for number in range(runs):
        golden_set = GoldenSet.of(
            [_item(domain, item_id, edited=item_id in truth.edited and number >= EDIT_RUN) for domain, item_id in ids], "ahu"
        )
        run = _run(number, started + timedelta(days=1.5 * number), golden_set)
        store.keep_contracts({item.digest: item.contract for item in golden_set})
        store.create_run(run)
        results = [_result(chance, run, number, item, truth) for item in golden_set]
        with store.writer(run) as writer:
            for result in results:
                writer.put(result)
        earlier = Earlier.of(store, run.run_id, {item.id: item.digest for item in golden_set})
        comparison = compare(store, run, golden_set, earlier, earlier.flipped(results), {})
        store.finish_run(run.run_id, finished_at=run.run_at + timedelta(minutes=3), decision=decide(run, results, comparison, policy))
    return truth


def _truth(chance: random.Random, ids: Sequence[str]) -> Truth:
    truth = Truth()
    free = list(ids)
    chance.shuffle(free)
    truth.stale = set(sorted(item_id for item_id in free if item_id.startswith("apostille"))[:8])
    free = [item_id for item_id in free if item_id not in truth.stale]
    truth.flaky, free = set(free[:14]), free[14:]
    truth.edited, free = set(free[:12]), free[12:]
    truth.by_judge, free = set(free[:6]), free[6:]
    declining = [item_id for item_id in free if item_id.startswith("badan-hukum-pt")][:20]
    truth.broke = {item_id: chance.randrange(15, RUNS - 2) for item_id in declining}
    truth.broke |= dict.fromkeys(truth.stale, STALE_RUN) | dict.fromkeys(truth.by_judge, JUDGE_RUN)
    return truth


def _item(domain: str, item_id: str, *, edited: bool) -> Item:
    required = ["paling lambat tujuh hari", "dapat diunduh"] if edited else ["paling lambat tujuh hari"]
    return Item.model_validate(
        {
            "id": item_id,
            "domain": domain,
            "question": f"Bagaimana syarat {item_id}?",
            "expected": {"must_include": required, "must_not_include": [STALE], "rubric": "Jelas dan lengkap."},
            "verified": True,
        }
    )


def _run(number: int, at: datetime, golden_set: GoldenSet) -> RunRecord:
    return RunRecord(
        run_id=f"night-{number:02d}",
        run_at=at,
        set_name="ahu",
        set_digest=golden_set.digest,
        set_size=len(golden_set),
        series=SERIES,
        target="chatbot.staging",
        judge_model=JUDGES[number >= JUDGE_RUN],
        judge_prompt_digest="4b7d" * 16,
        scorer_version="1",
        settings={"golden_min_pass_rate": "0.5", "golden_pass_threshold": "0.7"},
        all_item_ids=golden_set.all_ids,
        selected=len(golden_set),
    )


def _result(chance: random.Random, run: RunRecord, number: int, item: Item, truth: Truth) -> Result:
    result = Result(
        run_id=run.run_id,
        item_id=item.id,
        surface=item.surface,
        domain=item.domain,
        question=item.title,
        digest=item.digest,
        verified=True,
        status=Status.ERROR,
        judge_status=JudgeStatus.SKIPPED,
        passed=None,
        score=None,
        reason="HTTP 503",
        answer=Answer(error="HTTP 503"),
        finished_at=run.run_at,
    )
    if number == OUTAGE_RUN and chance.random() < 0.8:
        return result
    text = "".join(_said(chance, number, item, truth))
    facts = check_facts(item.expected, text)
    assert facts is not None
    value = 0.4 if item.id in truth.by_judge and number >= JUDGE_RUN else 0.9
    judge = Score("judge", value, value >= 0.7, "Kurang lengkap." if value < 0.7 else "Lengkap.", by_judge=True)
    passed = facts.passed is True and judge.passed is True
    return replace(
        result,
        status=Status.SCORED,
        judge_status=JudgeStatus.OK,
        passed=passed,
        score=value,
        reason=facts.reason if not facts.passed else f"judge: {judge.reason}",
        answer=Answer(text, seconds=1.0),
        scores=(facts, judge),
    )


def _said(chance: random.Random, number: int, item: Item, truth: Truth) -> Iterator[str]:
    opening = chance.choice(("Permohonan", "Berkas", "Pengajuan", "Proses"))
    yield f"{opening} {item.id} diproses secara elektronik. "
    broken = number >= truth.broke.get(item.id, RUNS) and item.id not in truth.by_judge
    flickers = item.id in truth.flaky and chance.random() < 0.3
    if broken and item.id in truth.stale:
        yield f"Biayanya {STALE}. Selesai paling lambat tujuh hari."
    else:
        yield "Selesai dalam waktu yang wajar." if broken or flickers else "Selesai paling lambat tujuh hari."
    if item.id not in truth.edited or number < EDIT_RUN + 9:
        yield " Hasilnya dapat diunduh."


def main(url: str) -> None:
    with Store.open(url) as store:
        make_quarter(store)


if __name__ == "__main__":
    main(sys.argv[1])
