"""Resuming: whether a stored run may be taken up again with the parameters at hand (contract 5.3).

Rule: whatever could change a verdict must be the same; how fast and how patiently is free.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from goldenlib.answers import RunRecord
from goldenlib.config.settings import Settings
from goldenlib.storage.rows import storable_settings

_IDENTITY = (
    "set_name",
    "set_digest",
    "selection",
    "series",
    "target",
    "judge_model",
    "judge_prompt_digest",
    "scorer_version",
    "allow_unverified",
    "is_demo",
    "experiment",
    "arm",
    "repeat",
)
_MAY_DIFFER = frozenset(
    {
        "chatbot_timeout_s",
        "chatbot_idle_timeout_s",
        "chatbot_retries",
        "chatbot_retry_after_content",
        "judge_timeout_s",
        "judge_retries",
        "golden_concurrency",
        "golden_retry_wait_max_s",
        "golden_store",
        "report_language",
    }
)


def differences(stored: RunRecord, row: Mapping[str, Any]) -> list[str]:
    """Return each parameter in which a stored run differs from the row of the run at hand, with both values.

    A setting that the stored run knows nothing of, since goldenlib had none of that name then, was what is its default now.
    """
    was = {name: getattr(stored, name) for name in _IDENTITY}
    now = {name: row[name] for name in _IDENTITY}
    settings: dict[str, Any] = json.loads(row["settings"])
    unknown_then = {key: value for key, value in Settings().without_secrets().items() if key in settings}
    was.update(_settings({**unknown_then, **stored.settings}))
    now.update(_settings(settings))
    return list(_compare(was, now))


def _settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {f"setting {key}": value for key, value in storable_settings(settings).items() if key not in _MAY_DIFFER}


def _compare(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name in dict.fromkeys((*was, *now)):
        before, after = was.get(name), now.get(name)
        if before != after:
            yield f"{name} was {before!r} and is {after!r}"
