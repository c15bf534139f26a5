"""The worker: a process that holds one warehouse open and answers one query at a time, until its input ends.

Rule: it is made to be killed. It can write no file, takes no more memory than it was given, and the kernel ends it by itself when
a query outlives its limit, even where the engine does not listen and the parent is gone.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any, BinaryIO

from goldenlib.warehouse.duck import Duck, bound_memory, close_to_the_world
from goldenlib.warehouse.pipe import END, HEADER, write_message
from goldenlib.warehouse.refusing import Refusal, check_golden, check_select
from goldenlib.warehouse.results import FailureKind, Limits, QueryStopped, visible

GRACE_S = 0.5  # between asking a query to stop and ending the process
_OVERHEAD_MB = 256  # Arrow's and Python's own, beside what DuckDB counts
_MORE_FILES = 16


def main() -> None:
    """Serve the parent on standard input and output."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):  # nothing that prints may speak to the parent
        os.dup2(nowhere, standard)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    try:
        start = _read(questions)
        if start is not None:
            _serve(start, questions, answers)
    except BrokenPipeError:
        os._exit(0)  # the parent is gone
    sys.stdout = None  # its descriptor leads nowhere, there is nothing to flush


def _serve(start: dict[str, Any], questions: BinaryIO, answers: BinaryIO) -> None:
    limits = Limits(**start["limits"])
    try:
        engine = _open(start, limits)
    except QueryStopped as stopped:
        return write_message(answers, END, {"kind": stopped.kind, "reason": stopped.reason})
    except Exception as error:  # whatever a driver raises: it is told to the parent, which raises
        return write_message(answers, END, {"kind": FailureKind.UNAVAILABLE, "reason": visible(f"{error}" or repr(error))})
    close_to_the_world(files=len(os.listdir("/dev/fd")) + _MORE_FILES)
    bound_memory(limits.memory_mb + _OVERHEAD_MB)
    write_message(answers, END, {"ready": engine.time_zone})
    while (question := _read(questions)) is not None:
        _end_after(limits.seconds + GRACE_S)
        answer = _answer(engine, question, start, answers)
        _end_after(0)
        write_message(answers, END, answer)
    return None


def _end_after(seconds: float) -> None:
    """Have the kernel end this process after so many seconds; 0 calls that off. SIGALRM ends a process that does not handle it."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _open(start: dict[str, Any], limits: Limits) -> Any:
    """Return the engine, with everything imported that a query will need: later there may be no memory for it."""
    import sqlglot  # noqa: F401 - see above

    if start["engine"] == "duckdb":
        import pyarrow  # noqa: F401 - see above

        return Duck(start["address"], limits, start["time_zone"])
    from goldenlib.warehouse.servers import Server  # SQLAlchemy is slow to import, and DuckDB does without

    return Server(start["address"], limits, start["time_zone"])


def _answer(engine: Any, question: dict[str, Any], start: dict[str, Any], answers: BinaryIO) -> dict[str, Any]:
    try:
        checked = _check(engine, question, start)
        if isinstance(checked, Refusal):
            return {"kind": checked.kind, "reason": checked.reason}
        columns, row_count = engine.run(checked, answers)
    except QueryStopped as stopped:
        return {"kind": stopped.kind, "reason": stopped.reason}
    except MemoryError:
        return {"kind": FailureKind.TOO_MUCH_MEMORY, "reason": "the query used up the memory of its process"}
    except BrokenPipeError:
        raise
    except Exception as error:  # an engine raised what it never does: that is this query's outcome, and the worker lives on
        return {"kind": FailureKind.SQL_ERROR, "reason": visible(f"{type(error).__name__}: {error}")}
    return {"columns": columns, "row_count": row_count}


def _check(engine: Any, question: dict[str, Any], start: dict[str, Any]) -> str | Refusal:
    if question["is_golden"]:
        return check_golden(question["sql"], start["dialect"], is_guarded=not start["unguarded"])
    allowed = [*start["allow_functions"], *question["allow_functions"]]
    return check_select(question["sql"], start["dialect"], allow_functions=allowed, catalogue=engine.catalogue)


def _read(pipe: BinaryIO) -> dict[str, Any] | None:
    """Return the next message; None when the parent has closed."""
    header = pipe.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    _kind, length = HEADER.unpack(header)
    message: dict[str, Any] = json.loads(pipe.read(length))
    return message
