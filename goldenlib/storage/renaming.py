"""Renaming: the stored results of an item under its new id.

Rule: rows are renamed where they stand, so that the counts of old runs stay what they were. Nothing is overwritten.
"""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, literal, select, update

from goldenlib.errors import StoreError
from goldenlib.storage.tables import golden_acceptances, golden_answers, golden_results, storable


def history_size(connection: Connection, item_id: str) -> tuple[int, int]:
    """Return how many results an item has, over how many runs."""
    query = select(func.count(), func.count(golden_results.c.run_id.distinct())).where(golden_results.c.item_id == storable(item_id))
    results, runs = connection.execute(query).one()
    return int(results), int(runs)


def rename_item(connection: Connection, old: str, new: str) -> int:
    """Give all results of `old` to `new` and return how many. Raises StoreError when `new` has some already."""
    old, new = storable(old), storable(new)
    taken, _ = history_size(connection, new)
    if taken:
        raise StoreError(f"'{new}' has {taken} results of its own, so those of '{old}' were not carried over; choose another id")
    columns = [column for column in golden_results.columns if column.name != "item_id"]
    renamed = select(literal(new), *columns).where(golden_results.c.item_id == old)
    names = ["item_id", *(column.name for column in columns)]
    moved = connection.execute(golden_results.insert().from_select(names, renamed)).rowcount  # answers point to results: these first
    for table in (golden_answers, golden_acceptances):
        connection.execute(update(table).where(table.c.item_id == old).values(item_id=new))
    connection.execute(delete(golden_results).where(golden_results.c.item_id == old))
    return int(moved)
