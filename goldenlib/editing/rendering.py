"""Rendering: a new value as the lines that say it, in the style around it.

Rule: this module writes what was not there before; what was there is `rewriting`'s to keep.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from goldenlib.editing.scalars import DOUBLE, LONG, AsTyped, Wish, WrittenScalar, can_be_plain, write
from goldenlib.editing.surroundings import DEFAULT_STEP, Surroundings
from goldenlib.editing.syntax import BLOCK_STYLES
from goldenlib.editing.values import Path, in_model_order
from goldenlib.files.yamltext import PLAIN


class Renderer:
    """Writes new values. With `may_block` off, every text stays in one line."""

    def __init__(self, around: Surroundings, *, may_block: bool = True) -> None:
        self.around = around
        self._may_block = may_block

    def value(self, value: Any, path: Path, column: int) -> WrittenScalar:
        """Return a value that stands behind a key or '-' at `column`, outside brackets."""
        if isinstance(value, dict):
            if not value or self.around.mapping_is_flow(path):
                return WrittenScalar(self.flow(value, path))
            return WrittenScalar("", tuple(self.pairs(value, path, column + self.around.step)))
        if isinstance(value, list):
            if not value or self.around.list_is_flow(path):
                return WrittenScalar(self.flow(value, path))
            return WrittenScalar("", tuple(self.entries(value, path, column + self.around.dash_offset)))
        return write(value, self.wish(value, path, column))

    def pairs(self, keys: dict[str, Any], path: Path, column: int) -> list[str]:
        """Return the lines of a mapping without braces whose keys stand at `column`."""
        return [line for key, value in in_model_order(keys, path).items() for line in self.pair(key, value, path, column)]

    def pair(self, key: str, value: Any, path: Path, column: int) -> list[str]:
        """Return the lines of one key and its value."""
        written = self.value(value, (*path, key), column)
        return [f"{' ' * column}{self._key(key)}:{' ' * bool(written.inline)}{written.inline}", *written.lines]

    def entries(self, values: Sequence[Any], path: Path, column: int) -> list[str]:
        """Return the lines of a list without brackets whose dashes stand at `column`."""
        return [line for number, value in enumerate(values) for line in self.entry(value, (*path, number), column)]

    def entry(self, value: Any, path: Path, column: int, gap: str = " ") -> list[str]:
        """Return the lines of one entry; `gap` stands between the dash and the value."""
        if isinstance(value, dict) and value and not self.around.mapping_is_flow(path):
            inner = column + 1 + len(gap)
            first, *rest = self.pairs(value, path, inner)
            return [f"{' ' * column}-{gap}{first[inner:]}", *rest]
        written = WrittenScalar(self.flow(value, path)) if isinstance(value, list) else self.value(value, path, column)
        return [f"{' ' * column}-{gap}{written.inline}", *written.lines]

    def flow(self, value: Any, path: Path) -> str:
        """Return a value that stands in brackets or braces, or is a list or mapping in them, in one line."""
        if isinstance(value, dict):
            pairs = in_model_order(value, path).items()
            return "{" + ", ".join(self.flow_pair(key, part, path) for key, part in pairs) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(self.flow(part, (*path, number)) for number, part in enumerate(value)) + "]"
        return write(value, self.wish(value, path, 0, in_flow=True)).inline

    def flow_pair(self, key: str, value: Any, path: Path) -> str:
        """Return a key and its value in braces."""
        return f"{self._key(key)}: {self.flow(value, (*path, key))}"

    def wish(self, value: Any, path: Path, column: int, *, in_flow: bool = False) -> Wish:
        """Return how a new text at a path should look."""
        style = self.around.style_of(path)
        if style is None or (style in BLOCK_STYLES and in_flow):
            is_word = isinstance(value, str) and can_be_plain(value, in_flow=in_flow) and " " not in value
            is_long = isinstance(value, str) and len(value) > LONG and not in_flow
            style = PLAIN if is_word or is_long or isinstance(value, AsTyped) else self.around.quote
        is_entry = isinstance(path[-1], int)
        return Wish(
            style=style,
            quote=self.around.quote,
            in_flow=in_flow,
            may_block=self._may_block,
            indent=column + (DEFAULT_STEP if is_entry else self.around.block_step),
            parent=column,
            width=self.around.width,
        )

    def _key(self, key: str) -> str:
        return write(key, Wish(PLAIN, DOUBLE, in_flow=True)).inline
