"""Executing a shipped notebook with papermill in a process and a kernel of their own, and what it shows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from goldenlib.files.shipped import shipped

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GOLDEN_")}


def papermill(name: str, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Execute the shipped notebook of that name in a folder; its output is out.ipynb there."""
    command = [sys.executable, "-m", "papermill", str(shipped("notebooks", name)), "out.ipynb", *words]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=180)


def shown(folder: Path) -> dict[str, str]:
    """What each code cell of out.ipynb shows, as JSON text, by the cell's id."""
    cells = json.loads((folder / "out.ipynb").read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: json.dumps(cell["outputs"], ensure_ascii=False) for cell in cells if cell["cell_type"] == "code"}
