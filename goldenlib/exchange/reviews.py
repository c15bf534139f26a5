"""Reviews: who stands behind an imported item.

Rule: nobody becomes a reviewer by import. A review stays only with a digest that fits the item as it was imported, as our own
exports write it; any other is kept as a sentence in the item's note, and the item is unverified.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from goldenlib.exchange.importtable import counted, some
from goldenlib.items import Item, Review

_BECAME = "imported as verified: false, the name in the note"


@dataclass
class Reviews:
    """What became of the reviews of a file: the items, with their places, whose verification was not taken over."""

    unnamed: list[str] = field(default_factory=list)
    unsigned: list[str] = field(default_factory=list)
    outdated: list[str] = field(default_factory=list)

    def settled(self, item: Item, place: str) -> Item:
        """Return the item as it is imported: signed as it was, or unverified."""
        review, name = item.review, f"{item.id} ({place})"
        if review is None:
            self.unnamed.extend([name] * item.verified)
            return item.model_copy(update={"verified": False})
        if is_signed(item):
            return item
        (self.outdated if review.digest else self.unsigned).append(name)
        note = "\n".join(part for part in (item.note, _sentence(review)) if part)
        return item.model_copy(update={"verified": False, "review": None, "note": note})

    @property
    def notes(self) -> list[str]:
        """Return what happened, in words."""
        told = (
            (self.unnamed, "said to be verified, but without the name of a reviewer; imported as verified: false"),
            (
                self.unsigned,
                f"with the name of a reviewer, but not signed (review_digest); {_BECAME}",
            ),
            (self.outdated, f"with a signature that does not fit the item; {_BECAME}"),
        )
        return [f"{counted(len(names), 'item')} {words}: {some(names)}" for names, words in told if names]


def is_signed(item: Item) -> bool:
    """Whether the item has a review that is bound to it as it is."""
    return item.review is not None and item.review.digest == item.digest


def _sentence(review: Review) -> str:
    parts = [f"Imported as reviewed by {review.by}", f" on {review.at}" if review.at else ""]
    parts += [f", source: {review.source}" if review.source else "", f", to be reviewed again by {review.due}" if review.due else ""]
    return f"{''.join(parts)}; not signed, so not verified."
