"""Zones: the time zone that a warehouse's sessions have, in which a moment has a day.

Rule: a zone is a name of the IANA database or an offset from UTC such as +07:00; nothing is guessed from an abbreviation.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_OFFSET = re.compile(r"([+-])(\d\d):([0-5]\d)", re.ASCII)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+/-]*", re.ASCII)
_FURTHEST = 14  # hours


def read_zone(text: str) -> tzinfo | None:
    """Return the zone of a name or an offset; None for what is neither.

    >>> read_zone("+07:00").utcoffset(None)
    datetime.timedelta(seconds=25200)
    """
    offset = _OFFSET.fullmatch(text)
    if offset is not None:
        span = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
        return timezone(-span if offset[1] == "-" else span) if span <= timedelta(hours=_FURTHEST) else None
    if not _NAME.fullmatch(text):
        return None
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def is_offset(text: str) -> bool:
    """Whether a zone is written as an offset from UTC."""
    return _OFFSET.fullmatch(text) is not None


def zone_named(name: str, offset_s: int) -> str:
    """Return a server's own zone as `read_zone` takes it: its name where that is one, else the offset that it has now."""
    if read_zone(name) is not None:
        return name
    hours, minutes = divmod(abs(offset_s) // 60, 60)
    return f"{'-' if offset_s < 0 else '+'}{hours:02}:{minutes:02}"


def day_of_midnight(moment: datetime, zone: tzinfo) -> datetime | None:
    """Return midnight, without a zone, of the day that begins with this moment in the zone; None where none does.

    A day whose midnight the clocks skip begins with its first moment.
    """
    try:
        begins = moment.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
        is_beginning = begins.astimezone(UTC) == moment.astimezone(UTC)
    except OverflowError:
        return None
    return begins.replace(tzinfo=None) if is_beginning else None
