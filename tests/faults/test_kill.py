"""kill -9 at random moments of a run, then --resume: no row that was there is lost, none is there twice, nothing is green before its time.

Contract 5.3 and 6.7. Twenty moments in all, in four runs of which each is killed five times; the moments come from a seed.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from goldenlib.storage import Store
from tests.faults.actors import RIGHT, Chatbot, JudgeServer, on_stage
from tests.faults.processes import environment_for, gate, golden, last_line, rows, running, wait_until, write_set
from tests.faults.scenes import played, settings_for, the_set
from tests.servers import Pause, Script, completion, content, reply, stream, verdict

IDS = [f"i{number:02d}" for number in range(60)]
CONCURRENCY = 4
IN_FLIGHT = 2 * CONCURRENCY  # as many are asked as are judged
KILLS = 5
SAID = "item_id, status, judge_status, passed, score, reason, answer_preview"
SCORED = "WHERE status = 'scored'"


def actors() -> tuple[Chatbot, JudgeServer]:
    """They take their time, and some items fail by a fact, some by the judge, and some end in an error."""
    wrong: Script = stream(Pause(0.1), content("Siapa saja boleh."))
    down: Script = [Pause(0.1), *reply('{"error": "down"}', 500)]
    chatbot = Chatbot(
        {name: [wrong] for name in IDS[5::10]} | {name: [down] for name in IDS[8::20]}, usual=stream(Pause(0.1), content(RIGHT))
    )
    strict: Script = [Pause(0.03), *completion(verdict(0.2, False, "too short"))]
    return chatbot, JudgeServer({name: [strict] for name in IDS[2::20]}, usual=[Pause(0.03), *completion(verdict())])


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[object], str]:
    """What a run that nobody kills leaves in the store, and its last line."""
    folder = tmp_path_factory.mktemp("undisturbed")
    write_set(folder, IDS)
    chatbot, judge = actors()
    with on_stage(chatbot, judge):
        done = golden(folder, "run", "set.yaml", "--run-id", "r1", **environment_for(chatbot.url, judge.judge_url, concurrency=30))
    assert done.returncode == 0, done.stderr
    return rows(folder, SAID), last_line(done.stdout)


@pytest.mark.parametrize("seed", range(4))
def test_a_run_that_is_killed_again_and_again_ends_as_if_it_had_not_been(
    seed: int, undisturbed: tuple[list[object], str], tmp_path: Path
) -> None:
    chance = random.Random(seed)
    write_set(tmp_path, IDS)
    words = ["run", "set.yaml", "--run-id", "r1", "--concurrency", str(CONCURRENCY)]
    chatbot, judge = actors()
    kept: set[object] = set()
    with on_stage(chatbot, judge):
        environment = environment_for(chatbot.url, judge.judge_url)
        for kills in range(KILLS):
            resume = ["--resume"] if has_begun(tmp_path) else []
            with running(tmp_path, *words, *resume, **environment) as process:
                if chance.random() < 0.3:
                    time.sleep(chance.uniform(0.1, 1.0))  # mostly while it starts
                else:
                    there = len(rows(tmp_path, where=SCORED))
                    more = there + chance.randint(1, max(1, (len(IDS) - there) // (KILLS - kills + 2)))  # it must not come to its end
                    wait_until(lambda more=more: len(rows(tmp_path, where=SCORED)) >= more, process)
                    time.sleep(chance.uniform(0, 0.12))
                seen = set(rows(tmp_path, "item_id, finished_at", SCORED))
                assert process.poll() is None
                process.kill()
                process.wait()
            left = set(rows(tmp_path, "item_id, finished_at", SCORED))
            assert kept | seen <= left, f"lost by kill {kills}"
            kept = left
            assert gate(tmp_path) == 3
        asked_before = chatbot.asked.total()
        done = golden(tmp_path, *words, "--resume", **environment)
    assert done.returncode == 0, done.stderr
    assert set(rows(tmp_path, "item_id, finished_at", SCORED)) >= kept  # not asked again, nor written again
    assert (rows(tmp_path, SAID), last_line(done.stdout)) == undisturbed
    assert rows(tmp_path) == IDS
    assert gate(tmp_path) == 0
    errors = len(IDS[8::20])  # they are asked again by each resume
    assert chatbot.asked.total() <= len(IDS) + KILLS * (IN_FLIGHT + errors)
    assert chatbot.asked.total() - asked_before == len(IDS) - len(kept)
    assert all(chatbot.asked[str(item_id)] <= 1 + KILLS for item_id in IDS)


def test_a_run_that_was_killed_after_its_last_row_is_decided_without_asking_anybody(tmp_path: Path) -> None:
    chatbot, judge = Chatbot(), JudgeServer()
    with on_stage(chatbot, judge), Store.open(str(tmp_path / "golden.db")) as store:
        settings = settings_for(chatbot.url, judge.judge_url)
        whole = played(store, the_set(), settings)
        store.resume_run(store.run("r1"))  # what the store is like when the process ends before the decision
        assert gate(tmp_path) == 3
        again = played(store, the_set(), settings, resume=True)
    assert again.report.decision == whole.report.decision
    assert again.stored == whole.stored
    assert chatbot.asked.total() == judge.asked.total() == len(whole.stored)
    assert gate(tmp_path) == 0


def has_begun(folder: Path) -> bool:
    if not (folder / "golden.db").exists():
        return False
    with Store.open(str(folder / "golden.db")) as store:
        return bool(store.runs())
