"""Naming: an id suggested from the question, and the id of a copy.

Rule: a suggestion is only ever made for a new item; an id with history is never changed by itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from goldenlib.wordlists import WordLists

MOST_WORDS = 4


def suggest_id(question: str, taken: Collection[str]) -> str:
    """Return a short id made of the words that a question is about, and that no other item has.

    >>> suggest_id("Apa saja syarat mendirikan PT perorangan?", {"syarat-mendirikan-pt-perorangan"})
    'syarat-mendirikan-pt-perorangan-2'
    """
    plain = unicodedata.normalize("NFKD", question).encode("ascii", "ignore").decode().lower()
    words, lists = re.findall(r"[a-z0-9]+", plain), WordLists.of(__package__, "naming")
    fillers = lists.set("fillers", "id") | lists.set("fillers", "en")
    telling = [word for word in words if word not in fillers] or words
    return free_id("-".join(telling[:MOST_WORDS])[:48].strip("-") or "butir-baru", taken)


def free_id(wanted: str, taken: Collection[str]) -> str:
    """Return `wanted`, or it with the first number behind it that makes it unlike all others."""
    others = {name.casefold() for name in taken}
    stem = re.sub(r"-\d+$", "", wanted)
    number, name = 2, wanted
    while name.casefold() in others:
        name = f"{stem}-{number}"
        number += 1
    return name
