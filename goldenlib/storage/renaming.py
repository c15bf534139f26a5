"""Renaming: the stored results of an item under its new id.

Rule: rows are renamed where they stand, so that the counts of old runs stay what they were. Nothing is overwritten, and no other set's
item of the same id is touched.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, func, literal, select, update

from goldenlib.errors import StoreError
from goldenlib.storage.tables import golden_acceptances, golden_answers, golden_results, golden_runs, storable


def history_size(connection: Connection, item_id: str, of_sets: Collection[str]) -> tuple[int, int]:
    """Return how many results an item has, over how many runs. `of_sets` are as for `rename_item`."""
    of_item = _is_of(golden_results, item_id, connection, of_sets)
    results, runs = connection.execute(select(func.count(), func.count(golden_results.c.run_id.distinct())).where(of_item)).one()
    return int(results), int(runs)


def rename_item(connection: Connection, old: str, new: str, of_sets: Collection[str]) -> int:
    """Give the results of `old` to `new` and return how many. Raises StoreError when `new` has some already.

    `of_sets` are the names that sets with the item are run under; an item of the same id in a set of another name is another item.
    """
    old, new = storable(old), storable(new)
    taken, _ = history_size(connection, new, of_sets)
    if taken:
        raise StoreError(f"'{new}' has {taken} results of its own, so those of '{old}' were not carried over; choose another id")
    columns = [column for column in golden_results.columns if column.name != "item_id"]
    renamed = select(literal(new), *columns).where(_is_of(golden_results, old, connection, of_sets))
    names = ["item_id", *(column.name for column in columns)]
    moved, _ = history_size(connection, old, of_sets)
    connection.execute(golden_results.insert().from_select(names, renamed))  # answers point to results: these first
    for table in (golden_answers, golden_acceptances):
        connection.execute(update(table).where(_is_of(table, old, connection, of_sets)).values(item_id=new))
    connection.execute(delete(golden_results).where(_is_of(golden_results, old, connection, of_sets)))
    return moved


def _is_of(table: Table, item_id: str, connection: Connection, of_sets: Collection[str]) -> ColumnElement[bool]:
    """The row is of this item, in a run of one of these sets: alone, or with others, whose names are then joined by +."""
    runs, wanted = golden_runs.c, set(map(storable, of_sets))
    names = [name for name in connection.scalars(select(runs.set_name).distinct()) if wanted & {name, *name.split("+")}]
    of_them = select(runs.run_id).where(runs.set_name.in_(names))
    return and_(table.c.item_id == storable(item_id), table.c.run_id.in_(of_them))
