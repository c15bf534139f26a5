"""The tables of the store as SQLAlchemy sees them, and the two column rules that SQLite and PostgreSQL do not share by nature.

Rule: a moment has a zone and is kept in UTC; text is kept in a form that both engines can hold. The tables are made and
changed by `migrations` alone; a test holds the two to each other.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Dialect, Double, ForeignKey, Integer, MetaData, Table, Text, false
from sqlalchemy.types import TypeDecorator, TypeEngine

from goldenlib.errors import StoreError

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def utc(moment: datetime, what: str) -> datetime:
    """Return `moment` in UTC.

    Raises StoreError for a moment without a zone: on another host it would be another time, and the wrong run would
    become the baseline.
    """
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise StoreError(f"{what} {moment.isoformat()} has no time zone; give one, such as datetime.now(UTC)")
    return moment.astimezone(UTC)


def storable(text: str) -> str:
    """Return `text` with NUL characters shown as ␀ and lone surrogates as \ufffd, one for one.

    PostgreSQL cannot hold the first, no database the second. Both engines get the same text, and places within it
    (`Evidence.start`) still fit.
    """
    if text.isascii():
        return text.replace("\x00", "\u2400")
    return _UNSTORABLE.sub(lambda found: "\u2400" if found[0] == "\x00" else "\ufffd", text)


class UTCTime(TypeDecorator[datetime]):
    """A moment in UTC, to the microsecond.

    In PostgreSQL timestamptz. In SQLite text of one width with offset, `2026-07-10T09:00:00.000000+00:00`, so that the
    order of the texts is the order of the times.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[datetime] | TypeEngine[str]:
        """Choose the column type of the engine at hand."""
        return dialect.type_descriptor(Text()) if dialect.name == "sqlite" else dialect.type_descriptor(DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | str | None:
        """Turn a moment into what the column holds."""
        if value is None:
            return None
        moment = utc(value, "time")
        return moment.isoformat(timespec="microseconds") if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | str | None, dialect: Dialect) -> datetime | None:
        """Turn what the column holds into a moment."""
        if isinstance(value, str):
            return datetime.fromisoformat(value)
        return None if value is None else value.astimezone(UTC)


metadata = MetaData()

# The identity of each run. `run_seq` counts in the order in which runs were created, which is the order of all comparisons: `run_at` is
# the clock of whatever machine the run was on. `selected` is how many items it is to have.
golden_runs = Table(
    "golden_runs",
    metadata,
    Column("run_seq", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("run_id", Text, nullable=False, unique=True),
    Column("run_at", UTCTime, nullable=False),
    Column("set_name", Text, nullable=False),
    Column("set_digest", Text, nullable=False),
    Column("set_size", Integer, nullable=False),
    Column("series", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("judge_model", Text),
    Column("judge_prompt_digest", Text),
    Column("scorer_version", Text, nullable=False),
    Column("settings", Text, nullable=False),  # a JSON object
    Column("selection", Text, nullable=False),
    Column("all_item_ids", Text, nullable=False),  # a JSON list
    Column("allow_unverified", Boolean, nullable=False),
    Column("is_demo", Boolean, nullable=False),
    Column("finished_at", UTCTime),
    Column("decision", Text),
    Column("exit_code", Integer),
    Column("decision_line", Text),
    Column("reasons", Text, nullable=False),  # a JSON list
    Column("decision_json", Text),  # the whole decision
    Column("experiment", Text),
    Column("arm", Text),
    Column("repeat", Integer),
    Column("started_by", Text, nullable=False, server_default=""),
    Column("selected", Integer),
)

# One item in one run (seed 001). `series`, `run_at` and `run_seq` are copies from the run, for the indexes. `baseline_for` says which
# runs compare with a scored result: NULL none, for its run has not finished; "" all of the series; else those of that selection.
golden_results = Table(
    "golden_results",
    metadata,
    Column("run_id", Text, ForeignKey("golden_runs.run_id", ondelete="CASCADE"), primary_key=True),
    Column("item_id", Text, primary_key=True),
    Column("run_at", UTCTime, nullable=False),
    Column("run_seq", BigInteger().with_variant(Integer, "sqlite"), nullable=False),
    Column("series", Text, nullable=False),
    Column("surface", Text, nullable=False),
    Column("domain", Text, nullable=False),
    Column("question_preview", Text, nullable=False),
    Column("answer_preview", Text, nullable=False),
    Column("score", Double),
    Column("passed", Boolean),
    Column("reason", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("judge_status", Text, nullable=False),
    Column("verified", Boolean, nullable=False),
    Column("digest", Text, nullable=False),
    Column("seconds", Double),
    Column("first_content_seconds", Double),
    Column("attempts", Integer),
    Column("finished_at", UTCTime),
    Column("split", Text, nullable=False, server_default=""),
    Column("kind", Text, nullable=False, server_default="answer"),
    Column("word", Text, nullable=False, server_default=""),  # the outcome in the words of the item's scorer
    Column("baseline_for", Text),
    Column("fault", Boolean, nullable=False, server_default=false()),  # an error of goldenlib's own
    Column("labels", Text),  # pairs of kind and name, such as [["role", "finance"]], as JSON
)

# What was asked and given back in full, and what each scorer found. `answer` is NULL where nothing was driven.
golden_answers = Table(
    "golden_answers",
    metadata,
    Column("run_id", Text, primary_key=True),
    Column("item_id", Text, primary_key=True),
    Column("question", Text, nullable=False),
    Column("answer", Text),
    Column("answer_error", Text),
    Column("scores", Text, nullable=False),  # a JSON list
    Column("parts", Text),  # a JSON list of what an answer holds besides text, or NULL
)

# What decides an item's verdict, by its digest: a canonical JSON object (contract 2.5).
golden_contracts = Table(
    "golden_contracts",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("contract", Text, nullable=False),
)

# Who lets a regression stand, on what grounds: from that run on, until the item next passes (contract 6.2a).
golden_acceptances = Table(
    "golden_acceptances",
    metadata,
    Column("run_id", Text, ForeignKey("golden_runs.run_id", ondelete="CASCADE"), primary_key=True),
    Column("item_id", Text, primary_key=True),
    Column("accepted_by", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("accepted_at", UTCTime, nullable=False),
)

# One row for each migration that was applied.
golden_schema = Table(
    "golden_schema",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("applied_at", UTCTime, nullable=False),
)
