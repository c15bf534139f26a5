"""goldenlib: golden questions for chatbots, and a gate that keeps a worse answer from being released.

    from goldenlib import RunOptions, Store, evaluate, load_set, load_settings

    golden_set = load_set(["golden/example.yaml"])
    settings, warnings = load_settings()
    with Store.open("golden.db") as store:
        report = evaluate(golden_set, settings, store, RunOptions(allow_unverified=True))
    print(report.decision.line)

Where to read on: `running.evaluate` is the loop; `items` what an expert writes, `answers` what comes back, `gating` how a run
is decided. All public names stand in `__init__.pyi`, and are loaded when first used, so that importing
the package costs nothing.
"""

from __future__ import annotations

from goldenlib._moved import find_former_modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

find_former_modules()


def _homes() -> dict[str, tuple[str, str]]:
    """Return the module, below the package, that each public name lives in, and its name there: what the lines of `__init__.pyi` say."""
    with open(f"{__file__.removesuffix('.py')}.pyi", encoding="utf-8") as stub:
        imports = [line.split() for line in stub if line.startswith("from ")]
    return {words[-1]: (words[1].removeprefix("goldenlib."), words[3]) for words in imports}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(_homes())
    home = None if name.startswith("_") else _homes().get(name)
    if home is None:
        raise AttributeError(f"module 'goldenlib' has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f"goldenlib.{home[0]}"), home[1])
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_homes()])
