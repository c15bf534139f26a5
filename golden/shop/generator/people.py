"""People: who buys, and the accounts they hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from dice import Dice
from facts import COUNTRIES, FIRST_DAY, LAST_DAY, Country

PEOPLE, TESTERS = 3_000, 4
_EARLIEST = FIRST_DAY - timedelta(days=420)
_SHARES = tuple(country.customers_percent for country in COUNTRIES)
_NAMES = (
    "Ayu Bima Citra Dewi Eka Farid Gita Hana Indra Jaya Kirana Lukas Maya Nadia Oka Putri Rama Sari Tirta Wulan",
    "Anggara Bakti Cendana Darma Embun Fajar Gading Halim Irawan Jelita Kelana Lestari Melati Niaga Ombak Purnama",
)
_GIVEN, _FAMILY = (names.split() for names in _NAMES)


@dataclass(frozen=True, slots=True)
class Account:
    """One account; `person_id` says whose."""

    customer_id: int
    person_id: int
    kind: str
    name: str
    email: str
    phone: str
    country: Country
    signed_up: date
    has_newsletter: bool

    def row(self) -> tuple[object, ...]:
        """Return the row of dim_customer."""
        where = (self.country.code, self.country.region)
        who = (self.name, self.email, self.phone)
        return self.customer_id, self.person_id, self.kind, *who, *where, self.signed_up, self.has_newsletter


@dataclass(frozen=True, slots=True)
class Person:
    """One person with at least one account, the oldest first."""

    accounts: tuple[Account, ...]

    @property
    def since(self) -> date:
        """The day of the first account."""
        return self.accounts[0].signed_up

    @property
    def country(self) -> Country:
        """Where the person lives."""
        return self.accounts[0].country

    def account_on(self, day: date, dice: Dice) -> Account:
        """Return one of the accounts that the person had on a day."""
        return dice.one_of([account for account in self.accounts if account.signed_up <= day] or self.accounts[:1])


def make_people() -> tuple[list[Person], list[Person]]:
    """Return the customers, in the order in which they came, and the shop's own testers."""
    people: list[Person] = []
    number = 0
    for person_id, since in enumerate(_arrivals(), start=1):
        person = _person(person_id, number, since)
        number += len(person.accounts)
        people.append(person)
    testers = []
    for person_id in range(PEOPLE + 1, PEOPLE + TESTERS + 1):
        number += 1
        name, email = f"Test {person_id - PEOPLE}", f"test{person_id - PEOPLE}@rautan.example"
        country = COUNTRIES[(person_id - PEOPLE - 1) % len(COUNTRIES)]
        account = Account(number, person_id, "internal", name, email, _phone(number), country, FIRST_DAY, False)
        testers.append(Person((account,)))
    return people, testers


def accounts_of(people: Sequence[Person]) -> list[Account]:
    """Return all accounts in order of their number."""
    return [account for person in people for account in person.accounts]


def _arrivals() -> list[date]:
    """Return the days on which people make their first account: some before the first order, the last shortly before the end."""
    span = (LAST_DAY - _EARLIEST).days - 20
    return sorted(_EARLIEST + timedelta(days=Dice("arrival", number).below(span)) for number in range(PEOPLE))


def _person(person_id: int, last_number: int, since: date) -> Person:
    dice = Dice("person", person_id)
    country = COUNTRIES[dice.weighted(_SHARES)]
    given, family = dice.one_of(_GIVEN), dice.one_of(_FAMILY)
    accounts = []
    for place in range(1 + dice.percent(21) + dice.percent(6)):
        number = last_number + place + 1
        since += timedelta(days=dice.between(15, 240) if place else 0)
        if since > LAST_DAY:
            break
        kind = "guest" if dice.percent(55 if place else 20) else "registered"
        name, email = f"{given} {family}", f"{given}.{family}.{number}@mail.example".lower()
        accounts.append(Account(number, person_id, kind, name, email, _phone(number), country, since, dice.percent(34)))
    return Person(tuple(accounts))


def _phone(number: int) -> str:
    return f"+00 555 {number:06d}"
