"""Saving: drafts put into the text of the file, for the diff that is shown and for the file that is written.

Rule: what is written is what was shown; nothing is committed for anybody.
"""

from __future__ import annotations

from collections.abc import Iterable

from goldenlib.editing import SourceFile, add_item, delete_item, set_values
from goldenlib.workbench.drafts import Draft
from goldenlib.workbench.fields import changes


def with_drafts(source: SourceFile, drafts: Iterable[Draft]) -> SourceFile:
    """Return the file with the drafts in it, in the order given. Raises EditError for what cannot be written or would not load."""
    for draft in drafts:
        if draft.deleted:
            source = delete_item(source, draft.key)
        elif draft.base is None:
            after = draft.after if draft.after in source.ids else None
            source = add_item(source, draft.values, after=after)
        elif changed := changes(draft.base, draft.values):
            source = set_values(source, draft.key, {".".join(path): value for path, value in changed.items()})
    return source


def lines_of(source: SourceFile, item_id: str) -> tuple[int, int] | None:
    """Return the first and last line of an item in the file; None when it is not there."""
    if item_id not in source.ids:
        return None
    index = source.index(item_id)
    first = source.line_of(index)
    return first, max(first, first + source.items[index].piece.body.count("\n") - 1)
