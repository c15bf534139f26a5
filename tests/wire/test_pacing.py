"""How often a failed call is made again, how long is waited, and how many calls run at once."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.wire.pacing import Pace, Retries
from goldenlib.wire.transport import CallFailed

# --- attempts and waits ---


class Worker:
    """Calls through Retries, with waits that are written down and not waited for."""

    def __init__(self, most: int = 3, longest_wait_s: float = 60.0, seed: int = 1) -> None:
        self.waits: list[float] = []
        self.numbers: list[int] = []
        self.pace = Pace(8)
        self.retries = Retries(most, longest_wait_s, sleep=self._sleep, jitter=random.Random(seed).random)

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def call(self, *outcomes: CallFailed | str) -> str:
        async def attempt(number: int) -> str:
            self.numbers.append(number)
            outcome = outcomes[min(number, len(outcomes)) - 1]
            if isinstance(outcome, CallFailed):
                raise outcome
            return outcome

        return await self.retries.call(attempt, self.pace)


def busy(retry_after_s: float | None = None) -> CallFailed:
    return CallFailed("HTTP 429", retryable=True, status=429, retry_after=retry_after_s)


def test_a_call_that_ends_well_is_made_once() -> None:
    worker = Worker()
    assert asyncio.run(worker.call("reply")) == "reply"
    assert (worker.numbers, worker.waits) == ([1], [])


def test_a_refusal_is_not_tried_again() -> None:
    worker = Worker()
    with pytest.raises(CallFailed, match="HTTP 401"):
        asyncio.run(worker.call(CallFailed("HTTP 401", status=401)))
    assert worker.numbers == [1]


def test_attempts_are_bounded_and_the_last_failure_is_told() -> None:
    worker = Worker(most=2)
    with pytest.raises(CallFailed, match="the last"):
        asyncio.run(worker.call(busy(), busy(), CallFailed("the last", retryable=True)))
    assert worker.numbers == [1, 2, 3]


def test_no_retries_means_one_attempt() -> None:
    worker = Worker(most=0)
    with pytest.raises(CallFailed):
        asyncio.run(worker.call(busy()))
    assert (worker.numbers, worker.waits) == ([1], [])


def test_waits_grow_up_to_the_longest() -> None:
    worker = Worker(most=12, longest_wait_s=20)
    with pytest.raises(CallFailed):
        asyncio.run(worker.call(busy()))
    assert worker.waits[:6] == sorted(worker.waits[:6])
    assert 0.375 <= worker.waits[0] <= 0.5
    assert 12 <= worker.waits[5] <= 16
    assert all(15 <= wait <= 20 for wait in worker.waits[6:])


def test_waits_differ_between_workers() -> None:
    workers = [Worker(seed=seed) for seed in range(8)]
    for worker in workers:
        assert asyncio.run(worker.call(busy(), busy(), busy(), "reply")) == "reply"
    for waits in zip(*(worker.waits for worker in workers), strict=True):
        assert len(set(waits)) == 8


@pytest.mark.parametrize(
    ("asked", "least", "most"), [(30, 30, 31), (0.493, 0.493, 0.55), (60, 60, 61), (61, 59, 60), (1e11, 59, 60), (0, 0.375, 0.5)]
)
def test_the_wait_is_what_the_server_asks_for_up_to_the_longest(asked: float, least: float, most: float) -> None:
    waits = [Retries(3, 60, jitter=lambda jitter=jitter: jitter).wait(1, asked) for jitter in (0.0, 0.5, 0.999)]
    assert all(least <= wait <= most for wait in waits)
    assert len(set(waits)) == 3


def test_a_wait_that_is_too_long_is_told() -> None:
    """fd-038: a daily quota cost minutes, and its figure was told nowhere."""
    failed = CallFailed("HTTP 429: quota", retryable=True, status=429, retry_after=7200)
    with pytest.raises(CallFailed) as told:
        asyncio.run(Worker(most=0).call(failed))
    assert told.value.message == "HTTP 429: quota (it asks to be left alone for 2 h)"


def test_a_server_without_quota_is_left_alone_after_a_few_calls() -> None:
    worker = Worker(most=3)
    said = []
    for _ in range(5):
        with pytest.raises(CallFailed) as failure:
            asyncio.run(worker.call(busy(7200)))
        said.append(failure.value.message)
    assert worker.numbers == [1, 2, 3]  # of the first call; a fourth attempt, and all calls after it, are not made
    assert said[1:] == ["not asked: the server refused 3 calls in a row, and wants to be left alone for 2 h"] * 4


def test_calls_that_wait_end_when_the_server_wants_to_be_left_alone() -> None:
    """fd-038: the first calls waited a whole minute for what was known by then."""

    async def main() -> list[str]:
        pace, retries = Pace(8), Retries(3, 60)

        async def refused(_: int) -> str:
            raise busy(7200)

        ended = await asyncio.gather(*(retries.call(refused, pace) for _ in range(20)), return_exceptions=True)
        return [str(failure) for failure in ended]

    begun = time.monotonic()
    said = asyncio.run(main())
    assert time.monotonic() - begun < 10
    assert len(said) == 20
    assert all("left alone for 2 h" in text for text in said)


def test_a_success_between_keeps_a_server_asked() -> None:
    worker = Worker(most=0)
    for _ in range(4):
        for outcome in (busy(7200), busy(7200)):
            with pytest.raises(CallFailed, match="left alone for 2 h"):
                asyncio.run(worker.call(outcome))
        assert asyncio.run(worker.call("reply")) == "reply"


def test_a_server_that_asks_for_minutes_is_waited_for_as_ever() -> None:
    worker = Worker(most=5)
    with pytest.raises(CallFailed, match="left alone for 5 min"):
        asyncio.run(worker.call(busy(300)))
    assert worker.numbers == [1, 2, 3, 4, 5, 6]


def test_a_place_is_free_while_its_call_waits_for_another_attempt() -> None:
    pace = Pace(1)
    active: list[int] = []

    async def sleep(_: float) -> None:
        async with asyncio.timeout(1):
            await pace.enter()
        active.append(1)
        pace.leave()

    async def attempt(number: int) -> str:
        if number == 1:
            raise CallFailed("broke", retryable=True)
        return "reply"

    assert asyncio.run(Retries(1, sleep=sleep).call(attempt, pace)) == "reply"
    assert active == [1]


def test_an_exception_of_our_own_gives_the_place_back() -> None:
    pace = Pace(1)

    async def attempt(_: int) -> str:
        raise ZeroDivisionError

    async def main() -> None:
        with pytest.raises(ZeroDivisionError):
            await Retries(3).call(attempt, pace)
        async with asyncio.timeout(1):
            await pace.enter()

    asyncio.run(main())


# --- how many at once ---


def paced(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def run() -> None:
        async def main() -> None:
            async with asyncio.timeout(10):  # a deadlock fails
                await test()

        asyncio.run(main())

    run.__name__ = test.__name__
    return run


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def entered(pace: Pace, count: int) -> list[asyncio.Task[int]]:
    tasks = [asyncio.create_task(pace.enter()) for _ in range(count)]
    await settle()
    return tasks


def inside(tasks: list[asyncio.Task[int]]) -> int:
    return sum(task.done() and not task.cancelled() for task in tasks)


@paced
async def test_no_more_than_the_limit_are_inside_and_each_leaving_lets_one_in() -> None:
    pace = Pace(2)
    tasks = await entered(pace, 5)
    for expected in (2, 3, 4, 5):
        assert inside(tasks) == expected
        pace.leave()
        await settle()


@paced
async def test_those_who_wait_are_let_in_in_order_and_nobody_overtakes() -> None:
    pace = Pace(1)
    order: list[int] = []

    async def call(number: int) -> None:
        await pace.enter()
        order.append(number)
        await asyncio.sleep(0)
        pace.leave()

    tasks = [asyncio.create_task(call(number)) for number in range(5)]
    await asyncio.sleep(0)
    tasks += [asyncio.create_task(call(number)) for number in range(5, 10)]
    await asyncio.gather(*tasks)
    assert order == list(range(10))


@paced
async def test_load_halves_the_limit_once_for_all_calls_that_were_under_way() -> None:
    pace = Pace(16)
    rounds = [await pace.enter() for _ in range(16)]
    for taken_in in rounds:
        pace.slow_down(taken_in)
    assert pace.limit == 8
    for _ in rounds:
        pace.leave()
    pace.slow_down(await pace.enter())
    assert pace.limit == 4


@paced
async def test_the_limit_never_falls_below_one() -> None:
    pace = Pace(3)
    for _ in range(10):
        pace.slow_down(await pace.enter())
        pace.leave()
    assert pace.limit == 1
    await pace.enter()


@paced
async def test_success_brings_the_limit_back_and_not_beyond() -> None:
    pace = Pace(8)
    pace.slow_down(await pace.enter())
    limits = []
    for _ in range(100):
        pace.went_well()
        limits.append(pace.limit)
    assert limits == sorted(limits)
    assert limits[-1] == 8


@paced
async def test_a_growing_limit_lets_those_in_who_wait() -> None:
    pace = Pace(4)
    pace.slow_down(await pace.enter())
    tasks = await entered(pace, 4)
    assert inside(tasks) == 1
    pace.went_well()  # 2.5
    pace.went_well()  # 2.9
    pace.went_well()  # 3.2
    await settle()
    assert inside(tasks) == 2


@paced
async def test_one_who_gives_up_while_waiting_takes_no_place() -> None:
    pace = Pace(1)
    await pace.enter()
    first, second = await entered(pace, 2)
    first.cancel()
    await settle()
    pace.leave()
    await settle()
    assert second.done()


@paced
async def test_a_place_that_came_together_with_a_cancellation_goes_to_the_next() -> None:
    pace = Pace(1)
    await pace.enter()
    first, second = await entered(pace, 2)
    pace.leave()  # hands the place to the first, which has not run yet
    first.cancel()
    await settle()
    assert first.cancelled()
    assert second.done()
    pace.leave()
    await asyncio.wait_for(pace.enter(), 1)


@given(data=st.data())
def test_no_order_of_calls_refusals_and_cancellations_loses_a_place(data: st.DataObject) -> None:
    most = data.draw(st.integers(1, 4))
    fates = data.draw(st.lists(st.sampled_from(["well", "busy", "broken", "cancelled"]), min_size=1, max_size=20))
    steps = data.draw(st.lists(st.integers(0, 6), min_size=len(fates), max_size=len(fates)))

    async def main() -> None:
        pace = Pace(most)
        at_once = 0

        async def call(fate: str, step: int) -> None:
            nonlocal at_once
            taken_in = await pace.enter()
            at_once += 1
            assert at_once <= most
            try:
                for _ in range(step):
                    await asyncio.sleep(0)
                if fate == "busy":
                    pace.slow_down(taken_in)
                elif fate == "well":
                    pace.went_well()
            finally:
                at_once -= 1
                pace.leave()

        tasks = [asyncio.create_task(call(fate, step)) for fate, step in zip(fates, steps, strict=True)]
        for task, fate, step in zip(tasks, fates, steps, strict=True):
            if fate == "cancelled":
                for _ in range(step):
                    await asyncio.sleep(0)
                task.cancel()
        async with asyncio.timeout(5):
            await asyncio.gather(*tasks, return_exceptions=True)
            for _ in range(int(pace.limit)):
                await pace.enter()

    asyncio.run(main())


def test_a_refusal_for_load_slows_the_calls_down_and_success_speeds_them_up() -> None:
    worker = Worker()
    asyncio.run(worker.call(busy(), busy(), "reply"))
    assert worker.pace.limit == 2 + 1 / 2
    asyncio.run(worker.call(CallFailed("broke", retryable=True), "reply"))
    assert worker.pace.limit > 2.5
