"""Replies: what a data agent's JSON reply holds - a query, rows, text, or a decline - as text and events of an answer.

Rule: the shape is read strictly and nothing in it is run here. What cannot be read is said, never guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any

from goldenlib.answers import Event, EventKind

TEXT_KEYS = ("answer", "text")
KEYS = ("sql", "rows", "columns", "decline", *TEXT_KEYS)
DECLINE_TYPES = ("ambiguous", "unanswerable", "forbidden")
MOST_DIGITS = 400  # beyond what any database holds; a number of a billion digits fits into a line of JSON
MOST_DEEP = 50
_LONGEST_PROBLEM = 300
_NO_DECLINE = (None, False, "", "false", "no", "none", "null", "n/a")


class UnreadableReply(ValueError):
    """A reply that came, and says something that cannot be read: the agent's failure, where no reply at all is an error (contract 9.6)."""


def load_json(text: str) -> Any:
    """Return the value of a JSON text, with numbers as exact as they came; one that nothing could hold is its own spelling, as text.

    Raises ValueError for what is no JSON, as UnreadableReply where it is nested too deeply, or an object has a key twice.
    """
    try:
        return json.loads(text, parse_float=_exact, parse_int=_exact_integer, object_pairs_hook=_once)
    except RecursionError:
        raise UnreadableReply("it is nested too deeply") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object, unless a key stands in it twice: of two values one would be lost unseen."""
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        again = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]  # add gives None
        raise UnreadableReply(f"an object has the key {again[:80]!r} twice; which of the two is meant?")
    return value


def _exact(text: str) -> Decimal | str:
    try:
        return _held(Decimal(text))
    except (InvalidOperation, ValueError):  # an exponent beyond all bounds
        return text[:MOST_DIGITS]


def _exact_integer(text: str) -> int | str:
    return int(text) if len(text) <= MOST_DIGITS else text[:MOST_DIGITS]


def _held(number: Decimal) -> Decimal:
    if number and abs(number.adjusted()) > MOST_DIGITS:
        raise ValueError(f"the number {number!s:.40} has more than {MOST_DIGITS} digits")
    return number


def looks_like_reply(value: object) -> bool:
    """Whether a JSON value is a data agent's reply: an object with at least one of its keys."""
    return isinstance(value, Mapping) and any(key in value for key in KEYS)


def read_reply(value: Mapping[str, Any]) -> tuple[str, tuple[Event, ...]]:
    """Return the text and the events of a reply.

    Keys: `sql` (text), `rows` (a list of lists, or of objects) with `columns` (their names, optional), `decline` (true, a text, or an
    object with `type` - ambiguous, unanswerable or forbidden - and `message`), `answer` or `text`. Others are left to the agent.
    A `decline` that is empty, or says "none", "no" or "false", is none; a type of another name goes into the message.
    A reply that holds only an `error` came, and says that the agent failed: it cannot be read, which is the agent's failure (9.6). So is
    an empty `sql` with nothing beside it. Raises ValueError when there is none of the keys, and UnreadableReply saying which is wrong.
    """
    if not looks_like_reply(value) and value.get("error") not in (None, "", False, 0):
        raise UnreadableReply(f"it says that it failed: {_told_error(value['error'])}")
    if not looks_like_reply(value):
        raise ValueError(f"holds none of {', '.join(KEYS)}, but {', '.join(repr(str(key)[:40]) for key in list(value)[:8]) or 'nothing'}")
    try:
        return _read_keys(value)
    except (ValueError, RecursionError, OverflowError, TypeError) as error:
        raise UnreadableReply(str(error)) from None


def unreadable(problem: object) -> Event:
    """Return the event of an answer that cannot be read, saying why: no rows, and a result that `read_rows` refuses."""
    return Event(EventKind.ROWS, json.dumps({"columns": None, "rows": [], "unreadable": str(problem)[:_LONGEST_PROBLEM]}))


def _read_keys(value: Mapping[str, Any]) -> tuple[str, tuple[Event, ...]]:
    events = []
    if (sql := value.get("sql")) is not None:
        events.append(Event(EventKind.QUERY, _text_of(sql, "sql")))
    if (rows := value.get("rows")) is not None:
        events.append(Event(EventKind.ROWS, rows_content(rows, value.get("columns"))))
    if _is_decline(decline := value.get("decline")):
        events.append(Event(EventKind.DECLINE, _decline_content(decline)))
    text = next((value[key] for key in TEXT_KEYS if value.get(key) is not None), "")
    said, kept = _text_of(text, "answer"), tuple(event for event in events if event.content.strip())
    if isinstance(value.get("sql"), str) and not kept and not said.strip():
        raise ValueError("sql is empty, and there is nothing beside it")
    return said, kept


def _told_error(error: object) -> str:
    """Return the message of an error, as far as it is one."""
    while isinstance(error, Mapping):
        error = next((error[key] for key in ("message", "error", "detail") if error.get(key)), json.dumps(error, default=str))
    return " ".join(str(error).split())


def rows_content(rows: Any, columns: Any = None) -> str:
    """Return rows as the JSON of an event: {"columns": [...] or null, "rows": [[...]]}, with numbers as exact as they came.

    Rows may be lists, tuples, mappings, or single values where there is one column. Dates become ISO text, which agrees with a date
    (contract 9.2). Raises ValueError for another shape.
    """
    if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
        raise ValueError("rows is not a list of rows")
    listed = list(rows)
    names = _names(columns, listed)
    table = [_cells(row, names) for row in listed]
    widths = {len(cells) for cells in table} | ({len(names)} if names is not None else set())
    if len(widths) > 1:
        raise ValueError(f"rows have {min(widths)} to {max(widths)} cells (with columns); each needs the same")
    written = ",".join(f"[{','.join(map(_cell, cells))}]" for cells in table)
    return f'{{"columns":{json.dumps(names)},"rows":[{written}]}}'


def read_rows(content: str) -> tuple[list[str] | None, list[tuple[Any, ...]]]:
    """Return the column names, or None, and the rows of an event's content; numbers with a point are Decimals.

    Raises UnreadableReply where they could not be read when they came.
    """
    value = json.loads(content, parse_float=Decimal)
    if "unreadable" in value:
        raise UnreadableReply(f"the agent's reply cannot be read: {value['unreadable']}")
    return value["columns"], [tuple(row) for row in value["rows"]]


def read_decline(content: str) -> tuple[str, str]:
    """Return the type of a decline, or "", and its message, of an event's content."""
    value = json.loads(content)
    return str(value.get("type") or ""), str(value.get("message") or "")


_FENCE = re.compile(r"```[ \t]*(\w*)[ \t]*\r?\n(.*?)```", re.DOTALL)
_QUERY = re.compile(r"\s*(?:--[^\n]*\n\s*)*(select|with|from|values)\b|\s*\(\s*(?:select|with)\b", re.IGNORECASE)

_SELECT, _FROM, _VALUES = (re.compile(pattern, re.IGNORECASE) for pattern in (r"\bselect\b", r"\bfrom\b", r"\s*values\s*\("))


def extract_sql(text: str) -> str | None:
    """Return the query in a reply of text: the last ```sql block, else the last other block that begins as one, else the whole text.

    None where there is no query. Whether it may run is for the warehouse to say.
    """
    blocks = _FENCE.findall(text)
    marked = [body for language, body in blocks if "sql" in language.lower() or language.lower() in ("duckdb", "postgres", "sqlite")]
    found = marked or [body for language, body in blocks if not language and _QUERY.match(body)]
    if found:
        return str(found[-1]).strip() or None
    return text.strip() if _QUERY.match(text) and _ends_as_query(text) else None


def _ends_as_query(text: str) -> bool:
    """Whether text that begins as a query goes on as one: 'With regret, ...' and 'From 2025 on ...' do not."""
    selects = [found.end() for found in _SELECT.finditer(text)]
    if not selects:
        return _VALUES.match(text) is not None
    return _FROM.search(text, selects[0]) is not None or not any(mark in text[selects[-1] :] for mark in ".?!")


def _text_of(value: object, key: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"{key} is {_kind(value)}, expected text")
    return value if isinstance(value, str) else json.dumps(value)


def _is_decline(decline: object) -> bool:
    named = decline.get("type") if isinstance(decline, Mapping) else decline
    if isinstance(named, str):
        named = named.strip().casefold()
    return named not in _NO_DECLINE or (isinstance(decline, Mapping) and named in (None, ""))


def _decline_content(decline: object) -> str:
    if decline is True:
        return json.dumps({"type": "", "message": ""})
    if isinstance(decline, str):
        decline = {"type": decline}
    if isinstance(decline, Mapping):
        values = {key: decline.get(key) or "" for key in ("type", "message")}
        wrong = next((key for key, value in values.items() if not isinstance(value, str)), None)
        if wrong is not None:
            raise ValueError(f"decline.{wrong} is {_kind(values[wrong])}, expected text")
        named = values["type"].strip().casefold()
        if named in DECLINE_TYPES:
            return json.dumps({"type": named, "message": values["message"]})
        return json.dumps({"type": "", "message": "\n".join(text for text in (values["type"], values["message"]) if text)})
    raise ValueError(f"decline is {_kind(decline)}, expected true, text, or an object with type and message")


def _names(columns: Any, rows: Sequence[Any]) -> list[str] | None:
    if columns is not None:
        if isinstance(columns, str) or not isinstance(columns, Sequence) or not all(isinstance(name, str) for name in columns):
            raise ValueError("columns is not a list of names")
        return list(columns)
    if rows and all(isinstance(row, Mapping) for row in rows):
        return list(dict.fromkeys(str(name) for row in rows for name in row))
    return None


def _cells(row: Any, names: list[str] | None) -> list[Any]:
    if isinstance(row, Mapping):
        if names is None:
            raise ValueError("rows are partly objects and partly not")
        return [row.get(name) for name in names]
    if isinstance(row, str | bytes) or not isinstance(row, Sequence):
        return [row]
    return list(row)


def _cell(value: Any, depth: int = 0) -> str:
    """One cell as JSON. Decimals keep their digits, which json.dumps would not let them."""
    if depth > MOST_DEEP:
        raise ValueError(f"a cell of rows is nested more than {MOST_DEEP} deep")
    if isinstance(value, Decimal):
        return format(_held(value), "f") if value.is_finite() else json.dumps(float(value))
    if value is None or isinstance(value, bool | int | float | str):
        return json.dumps(value)
    if isinstance(value, date | datetime | time):
        return json.dumps(value.isoformat())
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{json.dumps(str(key))}:{_cell(part, depth + 1)}" for key, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{','.join(_cell(part, depth + 1) for part in value)}]"
    if hasattr(value, "item"):  # a number of numpy's
        return _cell(value.item(), depth)
    return json.dumps(str(value))


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return json.dumps(value)
    return {list: "a list", dict: "an object", str: "text", int: "a number", float: "a number"}.get(type(value), type(value).__name__)
