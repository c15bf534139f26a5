"""Visits: sessions in the web shop, with and without an order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from dates import days
from dice import Dice
from facts import CHANNELS, COUNTRIES, DEVICES, LAST_DAY, SESSIONS_SINCE, VISIT_CHANNEL_WEIGHTS
from selling import Order

_FIRST_SESSION = 1
_DEVICE_WEIGHTS = (63, 30, 7)
# What else decides whether a visit ends in an order is in the orders; this is how many do not, on an ordinary day.
_IDLE_VISITS, _IDLE_SPREAD, _BOTS_PERCENT = 52, 25, 14


def make_sessions(orders: Sequence[Order]) -> list[tuple[object, ...]]:
    """Return the rows of fct_sessions in order of their start in UTC."""
    sessions = sorted([*_with_order(orders), *_without_order()], key=lambda session: (session[0], session[-1] or 0))
    return [(number, *session) for number, session in enumerate(sessions, start=_FIRST_SESSION)]


def _with_order(orders: Sequence[Order]) -> Iterator[tuple[object, ...]]:
    for order in orders:
        if order.local.date() >= SESSIONS_SINCE and order.channel != "marketplace":
            dice = Dice("visit of order", order.order_id)
            started = order.utc - timedelta(minutes=dice.between(2, 40))
            local = started + timedelta(hours=order.country.utc_offset_hours)
            device = DEVICES[dice.weighted(_DEVICE_WEIGHTS)]
            yield started, local.date(), order.country.region, order.channel, device, False, order.order_id


def _without_order() -> Iterator[tuple[object, ...]]:
    shares = tuple(country.customers_percent for country in COUNTRIES)
    for number, day in enumerate(days(SESSIONS_SINCE, LAST_DAY)):
        dice = Dice("visits", number)
        for _ in range(_IDLE_VISITS + dice.below(_IDLE_SPREAD)):
            country = COUNTRIES[dice.weighted(shares)]
            local = datetime(day.year, day.month, day.day) + timedelta(seconds=dice.below(86_400))
            channel, device = CHANNELS[dice.weighted(VISIT_CHANNEL_WEIGHTS)], DEVICES[dice.weighted(_DEVICE_WEIGHTS)]
            started = local - timedelta(hours=country.utc_offset_hours)
            yield started, day, country.region, channel, device, dice.percent(_BOTS_PERCENT), None
