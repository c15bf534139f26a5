"""Many who save at once."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from goldenlib.editing import ConflictError, SourceFile, save


def winners(sources: Sequence[SourceFile]) -> list[bool]:
    """Save all at the same time, and return who was not told of a conflict."""

    def try_to_save(source: SourceFile) -> bool:
        try:
            save(source)
        except ConflictError:
            return False
        return True

    with ThreadPoolExecutor(len(sources)) as pool:
        return list(pool.map(try_to_save, sources))
