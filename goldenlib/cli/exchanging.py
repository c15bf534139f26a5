"""`golden import` and `golden export`: what they print, and the code they exit with.

Rule: exit code 0 when the file was written, 2 when anything hindered it; then nothing was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from goldenlib.cilogs import without_commands
from goldenlib.editing.refusals import EditError, Unwanted
from goldenlib.errors import GoldenError, InputError
from goldenlib.exchange.exporting import Exported, as_csv, as_promptfoo, as_workbook
from goldenlib.exchange.importing import Format, known_format, read_items
from goldenlib.exchange.importtable import counted
from goldenlib.exchange.setfile import printable, set_text, write_file
from goldenlib.files.loading import load_set
from goldenlib.items import Item

WRONG_INPUT = 2
_MOST_PROBLEMS = 200
_WRITERS: Mapping[Format, Callable[[Sequence[Item], str], Exported]] = {
    Format.CSV: as_csv,
    Format.XLSX: as_workbook,
    Format.PROMPTFOO: as_promptfoo,
}
_BY_SUFFIX = {".csv": Format.CSV, ".xlsx": Format.XLSX, ".yaml": Format.PROMPTFOO, ".yml": Format.PROMPTFOO}


def run_import(
    source: Path, target: Path | None, *, format: str | None, sheet: str | None, columns: Mapping[str, str], force: bool = False
) -> tuple[str, int]:
    """Write the items of a spreadsheet or another tool's file as a golden set; return the text to print and the exit code.

    `columns` holds what the columns mean, field by name; a name with an empty field is left out. Without a target, the text
    is the golden set itself, with what is to be told in comments above it. A target that exists is only replaced with `force`.
    """
    try:
        if target is not None and target.suffix.lower() not in (".yaml", ".yml"):
            raise GoldenError(f"{target}: a golden set is written as YAML; give a name that ends in .yaml")
        imported = read_items(source, format=format, sheet=sheet, columns=columns)
        verified = sum(item.is_verified for item in imported.items)
        told = [*imported.notes, f"{counted(len(imported.items), 'item')}, {verified} verified by an expert"]
        if target is None:
            text = set_text(imported.items, told).removesuffix("\n")
            if without_commands(text) != text:  # shown in a log it must not stand as it is, and to be read again it must
                raise GoldenError(f"{source}: a text in it is a command to a CI runner and is not printed; name the YAML file to write")
            return text, 0
        head = [f"Imported from {source.name}. An item is verified: true only after an expert has reviewed it."]
        write_file(target, set_text(imported.items, head).encode(), force=force, in_use=[source])
    except (GoldenError, Unwanted) as error:
        return _refusal(error), WRONG_INPUT
    return _lines([*told, f"wrote {target}"]), 0


def run_export(paths: Sequence[str | Path], target: Path, *, format: str | None, force: bool = False) -> tuple[str, int]:
    """Write golden set files as a spreadsheet or promptfoo tests; return the text to print and the exit code.

    The form follows from the target's name (.csv, .xlsx, .yaml for promptfoo), or is given.
    """
    try:
        golden_set = load_set(paths)
        wanted = known_format(format, tuple(_WRITERS)) if format is not None else _BY_SUFFIX.get(target.suffix.lower())
        if wanted is None:
            raise GoldenError(f"{target}: the name does not say what to write; end it in .xlsx or .csv, or give --format")
        exported = _WRITERS[wanted](golden_set.items, str(target))
        write_file(target, exported.data, force=force, in_use=[Path(path) for path in paths])
    except (GoldenError, Unwanted) as error:
        return _refusal(error), WRONG_INPUT
    total = counted(len(golden_set), "item")
    count = f"{exported.count} of {total}" if exported.count != len(golden_set) else total
    return _lines([*exported.notes, f"wrote {target}: {wanted}, {count}"]), 0


def _refusal(error: GoldenError) -> str:
    if not isinstance(error, InputError | EditError):
        return _lines([str(error), "nothing was written"])
    shown = [str(problem) for problem in error.problems[:_MOST_PROBLEMS]]
    more = len(error.problems) - len(shown)
    shown += [f"and {counted(more, 'more problem')}"] if more else []
    return _lines([*shown, f"{counted(len(error.problems), 'problem')} found; nothing was written"])


def _lines(parts: Sequence[str]) -> str:
    """Return lines for a terminal: what a file says must not steer it."""
    return "\n".join(map(printable, parts))
