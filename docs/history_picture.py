"""Make the picture of a history, docs/images/history.png, from the quarter of a year that the tests use: python docs/history_picture.py"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from goldenlib import Store, history_figure, timeline_of  # noqa: E402 - the project's folder comes first
from tests.bench.quarter import make_quarter  # noqa: E402


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Store.open(str(Path(folder) / "golden.db")) as store:
        make_quarter(store)
        figure = history_figure(timeline_of(store, store.latest_run().run_id))
        figure.savefig(ROOT / "docs" / "images" / "history.png", dpi=90)


if __name__ == "__main__":
    main()
