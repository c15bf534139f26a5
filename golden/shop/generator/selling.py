"""Selling: orders with their lines, and the refunds that follow.

Rule: amounts are whole hundredths of a currency and whole rupiah, rounded half up once per line; an order is the sum of its lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from dates import days
from dice import Dice
from facts import (
    CHANNELS,
    COUNTRIES,
    FIRST_DAY,
    LAST_DAY,
    LAST_REFUND_DAY,
    ORDER_CHANNEL_WEIGHTS,
    PRODUCTS,
    REASON_WEIGHTS,
    REASONS,
    Country,
    Product,
    campaign_on,
)
from people import Account, Person

Rates = Mapping[tuple[date, str], int]

_FIRST_ORDER, _FIRST_REFUND = 100_001, 500_001
_WEEKDAY_EXTRA = (2, 1, 0, 1, 3, 6, 5)
_CAMPAIGN_EXTRA = {"12.12": 34, "back to school": 9, "lebaran": 7, None: 0}
_CAMPAIGN_DISCOUNT = {"12.12": 15, "back to school": 5, "lebaran": 5, None: 0}
_HOUR_WEIGHTS = (6, 3, 2, 1, 1, 2, 5, 8, 9, 9, 9, 9, 11, 10, 9, 8, 8, 9, 10, 13, 15, 15, 12, 9)
_MIDNIGHT_SALE_WEIGHTS = (60, 30, *_HOUR_WEIGHTS[2:])  # the 12.12 sale opens at midnight
_POPULARITY = tuple(product.popularity for product in PRODUCTS)


@dataclass(frozen=True, slots=True)
class Line:
    """One product of an order."""

    number: int
    product: Product
    quantity: int
    gross: int
    discount: int
    vat: int
    gross_idr: int
    discount_idr: int
    vat_idr: int

    @property
    def net(self) -> int:
        """After discount, without VAT, hundredths."""
        return self.gross - self.discount - self.vat

    @property
    def net_idr(self) -> int:
        """After discount, without VAT, rupiah."""
        return self.gross_idr - self.discount_idr - self.vat_idr


@dataclass(frozen=True, slots=True)
class Order:
    """One order with its lines."""

    order_id: int
    account: Account
    local: datetime
    channel: str | None
    status: str
    is_test: bool
    rate: int
    lines: tuple[Line, ...]

    @property
    def country(self) -> Country:
        """Where it is shipped to."""
        return self.account.country

    @property
    def utc(self) -> datetime:
        """The moment of the order in UTC."""
        return self.local - timedelta(hours=self.country.utc_offset_hours)

    @property
    def is_confirmed(self) -> bool:
        """Neither cancelled nor a test."""
        return self.status != "cancelled" and not self.is_test

    @property
    def shipping(self) -> int:
        """Delivery charged, hundredths: none when picked up or above a limit."""
        goods = sum(line.gross - line.discount for line in self.lines)
        return 0 if self.status == "picked_up" or goods >= self.country.free_shipping_from else self.country.shipping

    def row(self) -> tuple[object, ...]:
        """Return the row of fct_orders."""
        gross, discount, vat = (sum(getattr(line, part) for line in self.lines) for part in ("gross", "discount", "vat"))
        in_idr = tuple(sum(getattr(line, part) for line in self.lines) for part in ("gross_idr", "discount_idr", "vat_idr", "net_idr"))
        amounts = (gross, discount, vat, gross - discount - vat, self.shipping, gross - discount + self.shipping)
        what = (self.channel, self.status, self.is_test, self.country.currency)
        where = (self.country.code, self.country.region)
        shipping_idr = to_idr(self.shipping, self.rate)
        who_when = (self.order_id, self.account.customer_id, self.utc, self.local.date())
        return *who_when, *where, *what, *map(money, amounts), *in_idr, shipping_idr

    def line_rows(self) -> Iterator[tuple[object, ...]]:
        """Give the rows of fct_order_lines."""
        for line in self.lines:
            what = (self.order_id, line.number, line.product.product_id, line.quantity, money(line.gross), money(line.net))
            yield *what, line.gross_idr, line.discount_idr, line.vat_idr, line.net_idr, line.quantity * line.product.cost_idr


def money(hundredths: int) -> Decimal:
    """Return an amount in the unit of its currency, with two places."""
    return Decimal(hundredths).scaleb(-2)


def to_idr(hundredths: int, rate: int) -> int:
    """Return whole rupiah, half up, of an amount in hundredths at a rate in hundredths."""
    return (hundredths * rate + 5_000) // 10_000


def make_rates() -> dict[tuple[date, str], int]:
    """Return the book rate of each month and currency, in hundredths of a rupiah: a walk from the first one."""
    rates = {}
    months = sorted({day.replace(day=1) for day in days(FIRST_DAY, LAST_DAY)})
    for country in COUNTRIES:
        rate, dice = country.first_rate, Dice("rate", country.currency)
        for month in months:
            rates[month, country.currency] = rate
            if country.currency != "IDR":
                rate += rate * dice.between(-18, 24) // 1000
    return rates


def make_orders(people: list[Person], testers: list[Person], rates: Rates) -> Iterator[Order]:
    """Give the orders of every day, in the order of their ids."""
    known = 0
    order_id = _FIRST_ORDER
    for number, day in enumerate(days(FIRST_DAY, LAST_DAY)):
        while known < len(people) and people[known].since <= day:
            known += 1
        dice = Dice("day", number)
        campaign = campaign_on(day)
        volume = 5 + number // 150 + _WEEKDAY_EXTRA[day.weekday()] + _CAMPAIGN_EXTRA[campaign] + dice.below(5)
        hours = _MIDNIGHT_SALE_WEIGHTS if campaign == "12.12" else _HOUR_WEIGHTS
        moments = sorted((dice.weighted(hours), dice.below(60), dice.below(60)) for _ in range(volume))
        for hour, minute, second in moments:
            moment = datetime(day.year, day.month, day.day, hour, minute, second)
            yield _order(order_id, moment, dice.one_of(testers) if dice.percent(2) else _buyer(people, known, dice), rates)
            order_id += 1


def _buyer(people: list[Person], known: int, dice: Dice) -> Person:
    """Return one of the people known so far; those who came early buy more often."""
    return people[min(dice.below(known), dice.below(known))]


def _order(order_id: int, local: datetime, person: Person, rates: Rates) -> Order:
    dice = Dice("order", order_id)
    day = local.date()
    account = person.account_on(day, dice)
    is_test = account.kind == "internal"
    country = account.country
    rate = rates[day.replace(day=1), country.currency]
    status = "cancelled" if dice.percent(7) else "picked_up" if dice.percent(8) else "delivered"
    percent = dice.one_of((0, 0, 0, 0, 5, 10, 15, 20)) + _CAMPAIGN_DISCOUNT[campaign_on(day)]
    products: dict[int, Product] = {}
    for _ in range(1 + dice.weighted((38, 30, 18, 9, 5))):
        product = PRODUCTS[dice.weighted(_POPULARITY)]
        if product.launched <= day:
            products[product.product_id] = product
    chosen = list(products.values()) or [PRODUCTS[0]]
    quantities = [dice.between(5, 24) if is_test else 1 + dice.weighted((70, 18, 7, 3, 2)) for _ in chosen]
    lines = tuple(
        _line(number, product, quantity, country, rate, percent)
        for number, (product, quantity) in enumerate(zip(chosen, quantities, strict=True), start=1)
    )
    channel = CHANNELS[dice.weighted(ORDER_CHANNEL_WEIGHTS)]
    return Order(order_id, account, local, channel, status, is_test, rate, lines)


def _line(number: int, product: Product, quantity: int, country: Country, rate: int, percent: int) -> Line:
    gross = _list_price(product, country) * quantity
    discount = _rounded(gross * percent, 100, country)
    vat = 0 if product.is_vat_exempt else _rounded((gross - discount) * country.vat_percent, 100 + country.vat_percent, country)
    in_idr = (to_idr(amount, rate) for amount in (gross, discount, vat))
    return Line(number, product, quantity, gross, discount, vat, *in_idr)


def _list_price(product: Product, country: Country) -> int:
    """Return the price of one pack in hundredths: rupiah as listed, other currencies in steps of ten cents."""
    step = 100 if country.currency == "IDR" else 10
    return (product.price_idr * 10_000 // country.price_rate + step // 2) // step * step


def _rounded(numerator: int, denominator: int, country: Country) -> int:
    """Return a quotient in hundredths, half up: whole rupiah, cents elsewhere."""
    step = 100 if country.currency == "IDR" else 1
    return (2 * numerator + denominator * step) // (2 * denominator * step) * step


def make_refunds(orders: list[Order]) -> list[tuple[object, ...]]:
    """Return the rows of fct_refunds, in order of the day they were paid out."""
    refunds = sorted(refund for order in orders if order.is_confirmed for refund in _refunds(order))
    return [
        (number, order_id, day, reason, money(amount), *in_idr)
        for number, (day, order_id, _, reason, amount, in_idr) in enumerate(refunds, start=_FIRST_REFUND)
    ]


def _refunds(order: Order) -> Iterator[tuple[date, int, int, str, int, tuple[int, int]]]:
    """Give the refunds of one order: each takes back some packs of one line, and none the same line twice."""
    dice = Dice("refund", order.order_id)
    if not dice.percent(11):
        return
    count = min(len(order.lines), 1 + dice.weighted((70, 22, 8)))
    day = order.local.date()
    for place, line in enumerate(order.lines[:count]):
        day += timedelta(days=dice.between(2, 24) if dice.percent(62) else dice.between(25, 58))
        packs = dice.between(1, line.quantity)
        amount = _rounded((line.gross - line.discount) * packs, line.quantity, order.country)
        vat = _rounded(line.vat * packs, line.quantity, order.country)
        in_idr = (to_idr(amount, order.rate), to_idr(amount, order.rate) - to_idr(vat, order.rate))
        if day <= LAST_REFUND_DAY:
            yield day, order.order_id, place, REASONS[dice.weighted(REASON_WEIGHTS)], amount, in_idr
