"""Pacing: how many calls to an endpoint run at once, how often a failed one is made again, and after which waits.

Rule: nothing is tried again that was answered with a refusal, and nobody is asked faster than they can bear (contract 3.4).
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from goldenlib.wire.transport import CallFailed

T = TypeVar("T")

BUSY_STATUSES = frozenset({429, 503, 529})
FIRST_WAIT_S = 0.5
# A server that asks, this many times with no success between, for longer than so many seconds, has no quota left: it is left alone.
QUOTA_REFUSALS, QUOTA_WAIT_S = 3, 600
LOOKED_AT_EVERY_S = 1.0  # whether it wants to be left alone, by a call that waits


class Pace:
    """How many calls to one endpoint are under way at once.

    Starts at `most`; each 429, 503 or 529 halves it (once for all the calls that were already under way), each success
    adds a little, back up to `most`: additive increase, multiplicative decrease, as TCP does (RFC 5681).
    """

    def __init__(self, most: int) -> None:
        self.limit = float(most)
        self._most = float(most)
        self._active = 0
        self._round = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._quota_refusals = 0
        self._closed_until = 0.0

    def closed_for(self) -> float:
        """Return for how many seconds the server is to be left alone yet; 0 or less when it may be asked."""
        return self._closed_until - time.monotonic() if self._closed_until else 0.0

    @property
    def may_close(self) -> bool:
        """Whether the server has asked for longer waits than can be waited for, with no success since."""
        return self._quota_refusals > 0

    def check_open(self) -> None:
        """Raise CallFailed while the server wants to be left alone."""
        if (left_s := self.closed_for()) > 0:
            raise CallFailed(
                f"not asked: the server refused {QUOTA_REFUSALS} calls in a row, and wants to be left alone for {_duration(left_s)}"
            )

    def refused_for(self, seconds: float) -> None:
        """Note a call that was refused for so long that it cannot be waited for."""
        self._quota_refusals += 1
        if self._quota_refusals >= QUOTA_REFUSALS:
            self._closed_until = time.monotonic() + seconds

    async def enter(self) -> int:
        """Wait for a place and take it; give the round in which it was taken, for `slow_down`. Pair with `leave`."""
        if self._active < int(self.limit):  # then nobody waits: free places are handed on at once
            self._active += 1
            return self._round
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the place came together with the cancellation: pass it on
                self.leave()
            raise
        return self._round

    def leave(self) -> None:
        """Give the place back."""
        self._active -= 1
        self._hand_on()

    def slow_down(self, taken_in: int) -> None:
        """Note that a call which took its place in round `taken_in` was refused for load."""
        if taken_in == self._round:
            self._round += 1
            self.limit = max(1.0, self.limit / 2)

    def went_well(self) -> None:
        """Note a call that was answered."""
        self._quota_refusals = 0
        if self.limit < self._most:
            self.limit = min(self._most, self.limit + 1 / self.limit)
            self._hand_on()

    def _hand_on(self) -> None:
        while self._waiting and self._active < int(self.limit):
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                self._active += 1


class Retries:
    """How often, and after which waits, a failed call is made again.

    `most` extra attempts; waits are what the server asked for (Retry-After) up to `longest_wait_s`, else exponential from
    half a second with jitter, so that workers do not come back in step. `sleep` and `jitter` (a number in [0, 1)) can be replaced.
    """

    def __init__(
        self,
        most: int,
        longest_wait_s: float = 60.0,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.most = most
        self.longest_wait_s = longest_wait_s
        self._sleep = sleep
        self._jitter = jitter

    async def call(self, attempt: Callable[[int], Awaitable[T]], pace: Pace) -> T:
        """Return what `attempt(number)` gives, numbers from 1; raise the CallFailed of the last attempt."""
        number = 1
        while True:
            taken_in = await pace.enter()
            try:
                pace.check_open()
                reply = await attempt(number)
                pace.went_well()
                return reply
            except CallFailed as failure:
                if failure.status in BUSY_STATUSES:
                    pace.slow_down(taken_in)
                self._note_quota(failure, pace)
                if not failure.retryable or number > self.most or pace.closed_for() > 0:
                    raise
                wait_s = self.wait(number, failure.retry_after)
            finally:
                pace.leave()
            await self._wait(wait_s, pace)
            number += 1

    async def _wait(self, seconds: float, pace: Pace) -> None:
        """Wait, and no longer than until the server wants to be left alone."""
        while seconds > LOOKED_AT_EVERY_S and pace.may_close and pace.closed_for() <= 0:
            await self._sleep(LOOKED_AT_EVERY_S)
            seconds -= LOOKED_AT_EVERY_S
        if pace.closed_for() <= 0:
            await self._sleep(seconds)

    def _note_quota(self, failure: CallFailed, pace: Pace) -> None:
        """Say for how long a server wants to be left alone that asks for more than the longest wait, and leave it alone in the end."""
        asked_s = failure.retry_after or 0.0
        if asked_s > self.longest_wait_s:
            failure.message = f"{failure.message} (it asks to be left alone for {_duration(asked_s)})"
        if asked_s > max(self.longest_wait_s, QUOTA_WAIT_S):
            pace.refused_for(asked_s)

    def wait(self, number: int, asked_s: float | None) -> float:
        """Return the seconds to wait after failed attempt `number`, of which `asked_s` is what the server asked for.

        A server that asks for no wait at all still gets one. Asked for more than the longest wait, it is asked again a little
        before that, not after.
        """
        if not asked_s:
            return min(FIRST_WAIT_S * 2.0 ** (number - 1), self.longest_wait_s) * (0.75 + self._jitter() / 4)
        spread = self._jitter() * min(1.0, asked_s / 10)
        return asked_s + spread if asked_s <= self.longest_wait_s else max(0.0, self.longest_wait_s - spread)


def _duration(seconds: float) -> str:
    """Write a wait as people say it: '45 s', '12 min', '2 h'."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= 1.9 * size or seconds == size:
            return f"{round(seconds / size):,} {unit}"
    return f"{seconds:.3g} s"
