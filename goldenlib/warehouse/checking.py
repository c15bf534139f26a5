"""Checking: whether a text is one SELECT that only computes from tables, by reading it.

Rule: refuse what is not understood. This is the first of two layers: the engine that runs the text could not do harm either.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from goldenlib.errors import SettingsError
from goldenlib.warehouse.functions import TABLE_FUNCTIONS, why_refused
from goldenlib.warehouse.results import FailureKind, visible

if TYPE_CHECKING:
    from sqlglot import exp

MAX_LENGTH = 50_000
MAX_DEPTH = 60

# Statements, and parts of statements, that do more than read. Named as text: a class that a release of sqlglot lacks is no loss,
# since only the roots of _ROOTS are let through.
_FORBIDDEN = {
    "Into": "writes a table (INTO)",
    "Lock": "locks rows (FOR UPDATE or FOR SHARE)",
    "Describe": "describes instead of selecting",
    "Summarize": "describes instead of selecting",
    "Show": "describes instead of selecting",
    "Pragma": "is a PRAGMA",
    "Set": "changes settings",
    "SetItem": "changes settings",
    "Use": "changes settings",
    "Copy": "reads or writes files (COPY)",
    "Export": "writes files (EXPORT)",
    "Attach": "opens another database (ATTACH)",
    "Detach": "closes a database (DETACH)",
    "Install": "installs an extension",
    "LoadData": "reads files (LOAD DATA)",
    "Transaction": "handles transactions",
    "Commit": "handles transactions",
    "Rollback": "handles transactions",
    "Kill": "ends other queries",
    "Drop": "changes tables",
    "Alter": "changes tables",
    "TruncateTable": "changes data",
    "Analyze": "is a command",
    "Comment": "changes tables",
    "Grant": "changes rights",
    "Revoke": "changes rights",
    "Execute": "is a command",
    "Declare": "is a command",
    "Block": "is a command",
    "SessionParameter": "reads settings",
    "Parameter": "uses a variable",
    "DML": "changes data",
    "DDL": "changes tables",
    "Command": "is a command",
    "OpenJSON": "reads with an option of its own",
    "JSONTable": "reads with an option of its own",
    "XMLTable": "reads with an option of its own",
}
_ROOTS = ("Select", "SetOperation", "Subquery", "Values", "Pivot")
_CATALOGUES = re.compile(r"(information_schema|pg_catalog|pg_toast\w*|sys|mysql|performance_schema|system)$", re.IGNORECASE)
_CATALOGUE_TABLES = re.compile(r"(pg_|duckdb_|sqlite_|pragma_|sqlglot_|all_tab|dba_|v\$)|(show|describe|summarize)$", re.IGNORECASE)
_FILE_NAMES = re.compile(
    r"[/\\:*?\[\]{}<>|\x00-\x1f]|\.(csv|tsv|txt|tbl|parquet|json|jsonl|ndjson|gz|zst|bz2|zip|arrow|avro|xlsx?|db\d?|duckdb|ddb|sqlite\d?|log|conf|env|py)$",
    re.IGNORECASE,
)
_OTHER_STATEMENTS = """
    alter analyze attach begin call checkpoint comment commit copy create deallocate declare delete detach do drop execute explain export
    grant import insert install listen load lock merge notify pragma prepare reindex replace reset revoke rollback set truncate update
    use vacuum
"""
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why SQL is not run: it may not be (refused), or it is no SQL (sql_error)."""

    reason: str
    kind: FailureKind = FailureKind.REFUSED


def check_select(sql: str, dialect: str = "duckdb", *, allow_functions: Collection[str] = ()) -> str | Refusal:
    """Return the statement to run, without the semicolon at its end, or why it may not be run.

    Passes exactly one SELECT (UNION, WITH, VALUES, FROM-first and PIVOT too) of at most 50,000 characters, nested at most 60 deep,
    that calls only functions which compute, and no table that is a file, a catalogue or a function other than `TABLE_FUNCTIONS`.
    `allow_functions` adds functions of the warehouse's own. `dialect` is a name of sqlglot's. Never raises for any text.
    """
    return _refuse_outline(sql) or _check_statement(sql, dialect, frozenset(name.lower() for name in allow_functions))


def _refuse_outline(sql: str) -> Refusal | None:
    """Refuse by size and shape, before anything recursive looks at the text."""
    if len(sql) > MAX_LENGTH:
        return Refusal(f"the SQL has {len(sql):,} characters; at most {MAX_LENGTH:,} are run")
    if "\x00" in sql:
        return Refusal("the SQL holds a NUL character")
    if not sql.strip().strip(";").strip():
        return Refusal("there is no SQL", FailureKind.SQL_ERROR)
    # Brackets inside texts and comments count too: nobody writes sixty of them open, and what counts cannot be fooled.
    depth = deepest = 0
    for character in sql:
        if character in _OPENING:
            depth += 1
            deepest = max(deepest, depth)
        elif character in _CLOSING:
            depth = max(0, depth - 1)
    return _too_deep() if deepest > MAX_DEPTH else None


def _too_deep() -> Refusal:
    return Refusal(f"the SQL is nested too deeply; at most {MAX_DEPTH} levels are run")


def _check_statement(sql: str, dialect: str, allowed: Collection[str]) -> str | Refusal:
    try:
        import sqlglot  # an extra, and a quarter of a second
        from sqlglot.errors import SqlglotError
    except ImportError as error:
        raise SettingsError(f"checking SQL needs an extra: pip install 'goldenlib[data]' ({error})") from None
    _quiet()
    try:
        statements = [statement for statement in sqlglot.parse(sql, dialect=dialect) if statement is not None]
        statements = [statement for statement in statements if type(statement).__name__ != "Semicolon"]
        if len(statements) != 1:
            return Refusal(f"there are {len(statements)} statements; exactly one SELECT is run")
        return next(_refusals(statements[0], allowed), None) or sql.strip().rstrip("; \t\r\n")
    except RecursionError:
        return _too_deep()
    except SqlglotError as error:
        return Refusal(f"the SQL does not parse as {dialect}: {_message(error)}", _kind_of_unreadable(sql))
    except (ValueError, TypeError, AttributeError, KeyError, IndexError, AssertionError) as error:  # sqlglot stumbles over some texts
        return Refusal(f"the SQL does not parse as {dialect}: {visible(repr(error), 200)}", FailureKind.SQL_ERROR)


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
    return FailureKind.REFUSED if first is not None and first[1].lower() in _OTHER_STATEMENTS.split() else FailureKind.SQL_ERROR


def _refusals(statement: exp.Expr, allowed: Collection[str]) -> Iterator[Refusal]:
    from sqlglot import exp

    forbidden = tuple((getattr(exp, name), why) for name, why in _FORBIDDEN.items() if hasattr(exp, name))
    # A query that sqlglot derives from DDL or DML in name only is none of them; real ones are caught by their own classes.
    queries = (exp.Query, exp.Table)
    for node in statement.walk():
        for kind, why in forbidden:
            if isinstance(node, kind) and not isinstance(node, queries):
                yield Refusal(f"{_name(node)} {why}; only one SELECT is run")
        if isinstance(node, exp.Table):
            yield from _refuse_table(node, allowed)
        if isinstance(node, exp.Func):
            yield from _refuse_function(node, allowed)
    roots = tuple(getattr(exp, name) for name in _ROOTS)
    if not isinstance(statement, roots):
        yield Refusal(f"{_name(statement)} is no query; only one SELECT is run")


def _refuse_table(table: Any, allowed: Collection[str]) -> Iterator[Refusal]:
    from sqlglot import exp

    if isinstance(table.this, exp.Func):
        name = _function_name(table.this)
        if name not in TABLE_FUNCTIONS and name not in allowed:
            why = why_refused(name, known_to_parser=True) or "is not on the list of table functions that are allowed"
            yield Refusal(f"the table function {visible(name, 80)} {why}; select from tables")
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


def _refuse_function(node: Any, allowed: Collection[str]) -> Iterator[Refusal]:
    from sqlglot import exp

    if isinstance(node.parent, exp.Table) and node.arg_key == "this":
        return  # judged as a table function
    name = _function_name(node)
    if name in allowed:
        return
    why = why_refused(name, known_to_parser=not isinstance(node, exp.Anonymous | exp.AnonymousAggFunc))
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
