"""Lossless editing of golden set files: what an edit does not mean stays, to the byte.

    source = read_source("golden/pt.yaml")
    edited = set_values(source, "pt-modal", {"verified": True, "expected.must_include": ["WNI", "17 tahun"]})
    print(edited.diff)
    source = save(edited)  # ConflictError when somebody else changed the file meanwhile: `merge`, `apply_choices`

Where to read on: `changing` holds the edits, `source` the file as a value, `beginning` where the items of a file without any go,
`rewriting` finds what to change, `verifying` reads the result again before anybody gets it, `saving` replaces the file, `merging`
puts two versions together.
"""

from goldenlib.editing.changing import add_item, delete_item, move_item, rename_item, set_values
from goldenlib.editing.merging import Choice, FieldConflict, MergeResult, apply_choices, merge
from goldenlib.editing.reading import read_source
from goldenlib.editing.refusals import ConflictError, EditError
from goldenlib.editing.saving import save
from goldenlib.editing.source import SourceFile
from goldenlib.editing.values import DELETE

__all__ = [
    "DELETE",
    "Choice",
    "ConflictError",
    "EditError",
    "FieldConflict",
    "MergeResult",
    "SourceFile",
    "add_item",
    "apply_choices",
    "delete_item",
    "merge",
    "move_item",
    "read_source",
    "rename_item",
    "save",
    "set_values",
]
