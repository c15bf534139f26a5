"""Scenes for the workbench: a small golden set on the disk, a store with answers, a workbench on them."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

from goldenlib.config.settings import Settings, load_settings
from goldenlib.storage import Store
from goldenlib.workbench.actions import handler_of
from goldenlib.workbench.drafts import DraftFile
from goldenlib.workbench.handling import Handler, Patch
from goldenlib.workbench.state import Workbench
from tests.builders import RUN_AT, a_result, a_run
from tests.storage.scenes import write

TODAY = date(2026, 11, 29)
SARI = "sari (JupyterHub)"
BUDI = "budi (JupyterHub)"
SET = """# Kontrak PT, ditinjau bersama
items:
  - id: pt-akta  # jangan diganti
    surface: public
    domain: badan-hukum-pt
    question: "Apakah PT perorangan wajib akta notaris?"
    expected:
      must_include: ["pernyataan pendirian", "satu orang"]
      must_not_include: []
      rubric: >
        Jawaban menyebut pernyataan pendirian
        dan bahwa akta notaris tidak perlu.
    verified: false

  # catatan milik butir kedua
  - id: apostille-biaya
    surface: public
    domain: apostille
    question: Berapa biaya apostille satu dokumen?
    expected:
      must_include:
        - Rp150.000 per dokumen
    verified: true

  - id: int-jumlah
    surface: internal
    domain: data
    question: Berapa PT terdaftar pada 2025?
    expected:
      must_include: [12.408 perseroan]
    verified: false
"""


def a_set(folder: Path, text: str = SET) -> Path:
    path = folder / "ahu.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def demo_settings(**changes: Any) -> Settings:
    return load_settings(None, {"judge_url": "demo"} | changes, environ={})[0]


def a_bench(
    folder: Path, text: str = SET, *, store: Store | None = None, language: str = "id", account: str = SARI, **changes: Any
) -> Workbench:
    """A workbench on a new file, or on the one that is there."""
    path = folder / "ahu.yaml"
    if not path.exists():
        a_set(folder, text)
    drafts = DraftFile(path, folder / "state")
    settings = demo_settings(**changes)
    return Workbench(path, settings, store=store, language=language, draft_file=drafts, today=lambda: TODAY, account=account)


def a_handler(folder: Path, text: str = SET, **changes: Any) -> Handler:
    return handler_of(a_bench(folder, text, **changes))


def confirm(handler: Handler, action: str, **fields: Any) -> Patch:
    """Press the button of the dialog that is open, as the page does: with the digest of what it shows."""
    digest = handler.dialog["digest"] if handler.dialog is not None else None
    return handler.handle({"action": action, "digest": digest, "where": "dialog", **fields})


QUESTION = "Apakah PT perorangan wajib akta notaris?"  # of pt-akta


def answers(
    folder: Path, item_id: str, *texts: tuple[str, bool], series: str = "ahu @ demo", question: str = QUESTION, prefix: str = "run"
) -> Store:
    """A store with one run per answer to an item, oldest first; each with whether it passed then."""
    store = Store.open(str(folder / "golden.db"))
    for number, (text, passed) in enumerate(texts):
        run_id, at = f"{prefix}-{number}", RUN_AT + timedelta(days=number)
        run = a_run(run_id=run_id, run_at=at, finished_at=None, set_name=series.split(" @ ")[0], series=series, is_demo="@ demo" in series)
        store.create_run(run)
        result = a_result(item_id, text, run_id=run.run_id, question=question, passed=passed, finished_at=run.run_at)
        write(store, run, [result])
    return store
