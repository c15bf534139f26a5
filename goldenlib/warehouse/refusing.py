"""Checking: whether a text is one SELECT that only computes from tables, by reading it.

Rule: of an agent's SQL, refuse what is not understood; of golden SQL, which a person answers for, what leads out of the database. This
is the first of two layers: the engine that runs the text could not do harm either, where `opening` knows it well enough.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from goldenlib.errors import SettingsError
from goldenlib.warehouse.attributes import NO_CATALOGUE, Catalogue, called_without_brackets
from goldenlib.warehouse.functions import table_functions, why_never, why_refused
from goldenlib.warehouse.results import FailureKind, visible
from goldenlib.wordlists import WordLists

if TYPE_CHECKING:
    from sqlglot import exp

MAX_LENGTH = 50_000
MAX_DEPTH = 60

_FORBIDDEN_TO_AGENTS = dict.fromkeys(("OpenJSON", "XMLTable"), "reads with an option of its own")
_ROOTS = ("Select", "SetOperation", "Subquery", "Values", "Pivot")
_CATALOGUES = re.compile(r"(information_schema|pg_catalog|pg_toast\w*|sys|mysql|performance_schema|system)$", re.IGNORECASE)
_CATALOGUE_TABLES = re.compile(r"(pg_|duckdb_|sqlite_|pragma_|sqlglot_|all_tab|dba_|v\$)|(show|describe|summarize)$", re.IGNORECASE)
_SECRETS = re.compile(r"(pg_authid|pg_shadow|pg_user_mappings?|pg_\w*file\w*)$", re.IGNORECASE)  # refused to golden SQL too
_FILE_NAMES = re.compile(
    r"[/\\:*?\[\]{}<>|\x00-\x1f]|\.(csv|tsv|txt|tbl|parquet|json|jsonl|ndjson|gz|zst|bz2|zip|arrow|avro|xlsx?|db\d?|duckdb|ddb|sqlite\d?|log|conf|env|py)$",
    re.IGNORECASE,
)
# Comments that a server runs as SQL, or takes orders from, and engines that have none of them; names that are not what they say.
_RUN, _ORDERS, _ESCAPED_NAME = re.compile(r"/\*M?!"), re.compile(r"/\*\+"), re.compile(r"\bu&\s*\"", re.IGNORECASE)
_WITHOUT_ORDERS = ("duckdb", "sqlite")
# A type whose input looks a name up in the catalogue, and what PostgreSQL takes for a call without brackets.
_LOOKS_UP = re.compile(r"\breg(class|collation|config|dictionary|namespace|oper|operator|proc|procedure|role|type)\b", re.IGNORECASE)
_SESSION = re.compile(r"(current_(user|role|catalog|schema)|session_user|system_user|user)$", re.IGNORECASE)
_STUMBLES = (ValueError, TypeError, AttributeError, KeyError, IndexError, AssertionError)  # of sqlglot, over some texts
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why SQL is not run: it may not be (refused), or it is no SQL (sql_error)."""

    reason: str
    kind: FailureKind = FailureKind.REFUSED
    is_read: bool = True  # False where sqlglot does not read the text


@dataclass(frozen=True, slots=True)
class _Rules:
    """What a statement is judged by: an agent's by `allowed` functions beside the usual ones; golden SQL (None) by what never may be."""

    dialect: str
    allowed: frozenset[str] | None
    catalogue: Catalogue = NO_CATALOGUE

    def why_not(self, name: str, *, known_to_parser: bool) -> str | None:
        """Return why a function may not be called, or None."""
        never = why_never(name, self.dialect)
        if never is not None or self.allowed is None or name in self.allowed:
            return never
        return why_refused(name, self.dialect, known_to_parser=known_to_parser)


def check_select(
    sql: str, dialect: str = "duckdb", *, allow_functions: Collection[str] = (), catalogue: Catalogue = NO_CATALOGUE
) -> str | Refusal:
    """Return the statement to run, without the semicolon at its end, or why an agent may not run it.

    Passes exactly one SELECT (UNION, WITH, VALUES, FROM-first and PIVOT too) of at most 50,000 characters, nested at most 60 deep,
    that calls only functions which compute, and no table that is a file, a catalogue or a function other than `table_functions()`.
    `allow_functions` adds functions of the warehouse's own, by their names without schema; `catalogue` is what the warehouse says
    of functions that are called without brackets. `dialect` is a name of sqlglot's. Never raises for any text.
    """
    rules = _Rules(dialect, frozenset(name.lower().rpartition(".")[2] for name in allow_functions), catalogue)
    return _refuse_outline(sql, dialect) or _check_statement(sql, rules)


def check_golden(sql: str, dialect: str, *, is_guarded: bool = True) -> str | Refusal:
    """Return golden SQL as it is to be run, or why it may not be: it is no SELECT, or it leads out of the database.

    What sqlglot does not read is searched for the names of functions that do, and goes to the engine, but not to one that is not guarded.
    """
    if (refusal := _refuse_hidden(sql, dialect)) is not None:
        return refusal
    checked = _check_statement(sql, _Rules(dialect, None))
    if isinstance(checked, Refusal) and not checked.is_read and is_guarded:
        return _search(sql, dialect) or sql
    return checked if isinstance(checked, Refusal) else sql


def called_functions(sql: str, dialect: str) -> frozenset[str]:
    """Return the names of all functions that a text calls, as `allow_functions` takes them; none of a text that sqlglot does not read."""
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        return frozenset(_function_name(node) for statement in _parsed(sql, dialect) for node in statement.find_all(exp.Func))
    except (SqlglotError, RecursionError, *_STUMBLES):
        return frozenset()


def _refuse_outline(sql: str, dialect: str) -> Refusal | None:
    """Refuse by size and shape, before anything recursive looks at the text."""
    if len(sql) > MAX_LENGTH:
        return Refusal(f"the SQL has {len(sql):,} characters; at most {MAX_LENGTH:,} are run")
    if "\x00" in sql:
        return Refusal("the SQL holds a NUL character")
    if not sql.strip().strip(";").strip():
        return Refusal("there is no SQL", FailureKind.SQL_ERROR)
    if (refusal := _refuse_hidden(sql, dialect)) is not None:
        return refusal
    if _ORDERS.search(sql) and dialect not in _WITHOUT_ORDERS:
        return Refusal("it holds a hint (/*+), which gives orders to the server; leave it out")
    # Brackets inside texts and comments count too: nobody writes sixty of them open, and what counts cannot be fooled.
    depth = deepest = 0
    for character in sql:
        if character in _OPENING:
            depth += 1
            deepest = max(deepest, depth)
        elif character in _CLOSING:
            depth = max(0, depth - 1)
    return _too_deep() if deepest > MAX_DEPTH else None


def _refuse_hidden(sql: str, dialect: str) -> Refusal | None:
    """Refuse what a server reads and the check does not: looked for in texts too, so that no quote can hide it."""
    if _RUN.search(sql):
        return Refusal("it holds a comment that a server runs (/*! or /*M!); leave it out")
    if dialect == "postgres" and _ESCAPED_NAME.search(sql):
        return Refusal('it holds a name written with escapes (U&"..."); write it plainly')
    return None


def _too_deep() -> Refusal:
    return Refusal(f"the SQL is nested too deeply; at most {MAX_DEPTH} levels are run")


def _check_statement(sql: str, rules: _Rules) -> str | Refusal:
    try:
        from sqlglot.errors import SqlglotError
    except ImportError as error:
        raise SettingsError(f"checking SQL needs an extra: pip install 'goldenlib[data]' ({error})") from None
    try:
        statements = _parsed(sql, rules.dialect)
        if len(statements) != 1:
            return Refusal(f"there are {len(statements)} statements; exactly one SELECT is run")
        return next(_refusals(statements[0], rules), None) or sql.strip().rstrip("; \t\r\n")
    except RecursionError:
        return replace(_too_deep(), is_read=False)
    except SqlglotError as error:
        return Refusal(f"the SQL does not parse as {rules.dialect}: {_message(error)}", _kind_of_unreadable(sql), is_read=False)
    except _STUMBLES as error:
        told = visible(repr(error), 200)
        return Refusal(f"the SQL does not parse as {rules.dialect}: {told}", FailureKind.SQL_ERROR, is_read=False)


def _parsed(sql: str, dialect: str) -> list[Any]:
    import sqlglot  # an extra, and a quarter of a second

    _quiet()
    statements = [statement for statement in sqlglot.parse(sql, dialect=dialect) if statement is not None]
    return [statement for statement in statements if type(statement).__name__ != "Semicolon"]


def _search(sql: str, dialect: str) -> Refusal | None:
    """Refuse a text that nobody reads for a name in it that leads out of the database, wherever it stands before a bracket."""
    for name in re.findall(r"""(\w+)["`\]]?\s*(?:/\*.*?\*/|--[^\n]*\n|\s)*\(""", sql, re.DOTALL):
        if (why := why_never(name.lower(), dialect)) is not None:
            return Refusal(f"the function {visible(name, 80)} {why}")
    return None


@cache
def _quiet() -> None:
    """Keep sqlglot from logging what it takes for a command; every command is refused with a reason of ours."""
    import logging

    logging.getLogger("sqlglot").addHandler(logging.NullHandler())
    logging.getLogger("sqlglot").propagate = False


def _message(error: Exception) -> str:
    text = re.sub(r"\x1b\[\d+m", "", str(error))  # underlines for a terminal
    return visible(text, 200)


def _kind_of_unreadable(sql: str) -> FailureKind:
    """A text that starts like another statement is an attempt at it, such as EXPORT DATABASE, which sqlglot does not read."""
    first = re.match(r"\s*(\w*)", sql)
    return FailureKind.REFUSED if first is not None and first[1].lower() in _statements().words("other") else FailureKind.SQL_ERROR


def _statements() -> WordLists:
    return WordLists.of(__package__, "statements")


def _refusals(statement: exp.Expr, rules: _Rules) -> Iterator[Refusal]:
    from sqlglot import exp

    named = _statements().table("forbidden") | ({} if rules.allowed is None else _FORBIDDEN_TO_AGENTS)
    forbidden = tuple((getattr(exp, name), why) for name, why in named.items() if hasattr(exp, name))
    # A query that sqlglot derives from DDL or DML in name only is none of them; real ones are caught by their own classes.
    queries = (exp.Query, exp.Table)
    for node in statement.walk():
        for kind, why in forbidden:
            if isinstance(node, kind) and not isinstance(node, queries) and not _is_allowed(node, rules):
                yield Refusal(f"{_name(node)} {why}; only one SELECT is run")
        if isinstance(node, exp.Table):
            yield from _refuse_table(node, rules)
        if isinstance(node, exp.Func):
            yield from _refuse_function(node, rules)
        if rules.dialect == "postgres" and rules.allowed is not None:
            yield from _refuse_lookup(node)
    for name in called_without_brackets(statement, rules.catalogue):
        if name not in (rules.allowed or ()):
            yield Refusal(f"the function {visible(name, 80)}, which is called here without brackets, {rules.catalogue.functions[name]}")
    roots = tuple(getattr(exp, name) for name in _ROOTS)
    if not isinstance(statement, roots):
        yield Refusal(f"{_name(statement)} is no query; only one SELECT is run")


def _is_allowed(node: Any, rules: _Rules) -> bool:
    from sqlglot import exp

    return isinstance(node, exp.Func) and _function_name(node) in (rules.allowed or ())


def _refuse_table(table: Any, rules: _Rules) -> Iterator[Refusal]:
    from sqlglot import exp

    if isinstance(table.this, exp.Func):
        name = _function_name(table.this)
        why = why_never(name, rules.dialect)
        if why is None and rules.allowed is not None and name not in table_functions() and name not in rules.allowed:
            why = why_refused(name, rules.dialect, known_to_parser=True) or "is not on the list of table functions that are allowed"
        if why is not None:
            yield Refusal(f"the table function {visible(name, 80)} {why}; select from tables")
        return
    if rules.allowed is None:
        if _SECRETS.match(table.name):
            yield Refusal(f"{visible(table.name, 80)} holds passwords and settings of the server; select from tables")
        return
    if not isinstance(table.this, exp.Identifier):
        if table.this is not None and not isinstance(table.this, exp.Dot):
            yield Refusal(f"{visible(table.sql(), 80)} is no table")
        return
    parts = [part.name for part in table.parts]
    shown = visible(".".join(parts), 80)
    if _FILE_NAMES.search(".".join(parts)) or not parts[-1].strip():
        yield Refusal(f"'{shown}' reads a file; select from tables")
    if any(_CATALOGUES.match(part) for part in parts[:-1]) or _CATALOGUE_TABLES.match(parts[-1]):
        yield Refusal(f"{shown} is the system catalogue; select from tables")


def _refuse_lookup(node: Any) -> Iterator[Refusal]:
    """Refuse what PostgreSQL does for a name that stands there: looks it up in the catalogue, or tells who asks."""
    from sqlglot import exp

    if isinstance(node, exp.DataType) and _LOOKS_UP.search(node.sql()):
        yield Refusal(f"the type {visible(node.sql(), 80)} reads the system catalogue")
    is_alone = isinstance(node, exp.Table | exp.Column) and len(node.parts) == 1 and isinstance(node.this, exp.Identifier)
    if is_alone and not node.this.args.get("quoted") and _SESSION.match(node.name):
        yield Refusal(f"{visible(node.name, 80)} tells about the session, not about the data")


def _refuse_function(node: Any, rules: _Rules) -> Iterator[Refusal]:
    from sqlglot import exp

    if isinstance(node.parent, exp.Table) and node.arg_key == "this":
        return  # judged as a table function
    name = _function_name(node)
    why = rules.why_not(name, known_to_parser=not isinstance(node, exp.Anonymous | exp.AnonymousAggFunc))
    if why is None and isinstance(node.parent, exp.Dot) and node.arg_key == "expression":  # of a package
        why = next(filter(None, (why_never(part.name.lower(), rules.dialect) for part in node.parent.this.find_all(exp.Identifier))), None)
    if why is not None:
        yield Refusal(f"the function {visible(name, 80)} {why}")


def _function_name(node: Any) -> str:
    from sqlglot import exp

    if isinstance(node, exp.Anonymous | exp.AnonymousAggFunc):
        name = node.this if isinstance(node.this, str) else node.name
        return str(name).lower()
    return str(node.sql_name()).lower()


def _name(node: Any) -> str:
    """The word that a statement starts with, for a message."""
    word = node.this if type(node).__name__ == "Command" else type(node).__name__
    return visible(str(word), 40).upper()
