"""The commands about data questions, whose answers are results of SQL: check."""

from __future__ import annotations

from typing import Annotated

import typer

from goldenlib.cli.shell import Files, Select, SplitName, command
from goldenlib.ending import say
from goldenlib.errors import SettingsError

WarehouseSource = Annotated[
    str,
    typer.Option(
        "--warehouse", metavar="SOURCE", help="DuckDB file, folder of CSV or Parquet files, shop, or SQLAlchemy URL.", show_default=False
    ),
]


@command
def check(
    files: Files,
    warehouse: WarehouseSource,
    json: Annotated[bool, typer.Option("--json", help="Print the findings for machines.")] = False,
    select: Select = None,
    split: SplitName = None,
) -> int:
    """Check the golden SQL of data questions: that it runs, gives rows without NULL, agrees with its check query, and stays put.

    Exit code: 0 when all golds can score, 1 when one cannot, 2 when they could not be checked.

    Example: golden check golden/shop/questions.toml --warehouse shop
    """
    from goldenlib.loading import load_set
    from goldenlib.shipped import find

    golden_set = load_set([find(path) for path in files], select=select or (), split=split)
    try:
        from goldenlib.scoring.gold.command import run_check
    except ModuleNotFoundError as error:
        raise SettingsError(f"golden check needs an extra: pip install 'goldenlib[data]' ({error})") from None
    from goldenlib.warehouse import open_warehouse

    with open_warehouse(warehouse) as opened:
        text, code = run_check(golden_set, opened, as_json=json)
    say(text)
    return code
