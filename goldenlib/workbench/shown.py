"""Shown: what a dialog shows is what its button does, and nothing else.

Rule: a dialog carries the digest of what it shows. A message with another digest, or with none, does nothing but show the dialog
again with what is there now; the page is never trusted to know.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from goldenlib.workbench.handling import Handler, Message, Patch
from goldenlib.workbench.state import Workbench


def as_dialog(handler: Handler, kind: str, keys: Sequence[str], shown: Patch) -> Patch:
    """Return a dialog on some items, with the digest of what it shows."""
    number = secrets.token_hex(8)  # so that a message for an earlier dialog is not taken for one for this
    return {"kind": kind, "keys": list(keys), "number": number, "digest": digest_of(handler.bench, kind, keys, number), **shown}


def is_shown(handler: Handler, message: Message, kind: str) -> bool:
    """Whether a message comes from the dialog that is open, and what that shows is what is there."""
    dialog = handler.dialog
    if dialog is None or dialog.get("kind") != kind or message.get("digest") != dialog["digest"]:
        return False
    return bool(digest_of(handler.bench, kind, dialog["keys"], dialog["number"]) == dialog["digest"])


def is_done(handler: Handler, message: Message) -> bool:
    """Whether what a message asks for was done already: a button pressed twice."""
    return message.get("digest") is not None and message.get("digest") == handler.done


def close_done(handler: Handler) -> None:
    """Close the dialog whose button did its work."""
    handler.done = handler.dialog["digest"] if handler.dialog is not None else None
    handler.dialog = None


def digest_of(bench: Workbench, kind: str, keys: Sequence[str], number: str) -> str:
    """Return SHA-256, in hex, over what would be written, and what is said of it: file, items, drafts, conflicts, a review's hazards."""
    parts: list[Any] = [number, bench.source.as_read.digest if not bench.source.is_new else "", [str(one) for one in bench.conflicts]]
    for key in keys:
        draft = bench.drafts.get(key)
        values = bench.values(key) if key in bench.all_keys else None
        found = bench.hazards(key) if kind == "verify" and values is not None else ()
        hazards = [[finding.code, finding.field, finding.phrase] for finding in found]
        parts.append([key, asdict(draft) if draft is not None else None, values, hazards])
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
