"""Serving: the author notebook as a web page, by Voilà, for one person on this machine.

Rule: what one start needs is its own - a notebook, a token, a port - and neither the command line nor a socket that others reach
shows any of it. Kernels work in the folder where the server was started, so that relative paths mean what they mean to `golden run`.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import json
import os
import secrets
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from goldenlib.files.shipped import shipped
from goldenlib.kernels import private_sockets

HOST, FIRST_PORT, PORTS_TRIED = "127.0.0.1", 8866, 50
TEMPLATES = Path(__file__).parent / "voila_templates"
# Jupyter puts the working folder first; what lies in it must not be taken for a module. (A callable of the settings is found in it.)
# The folder of this code stays, behind all others: in a checkout that is installed as editable, it is the working folder.
_CODE = str(Path(__file__).absolute().parents[2])
_NO_MODULES_HERE = f"""import os, sys
sys.path[:] = [folder for folder in sys.path if folder not in ("", os.getcwd(), {_CODE!r})] + [{_CODE!r}]"""
# A kernel to which no page is connected ends after so many seconds; a laptop may sleep, and drafts are kept.
ABANDONED_S = 600


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the workbench until it is ended; return the exit code. What is not known here is handed to Voilà."""
    parser = argparse.ArgumentParser(prog="python -m goldenlib.workbench.serving", description=__doc__)
    parser.add_argument("golden_set", help="the YAML file to be written")
    parser.add_argument("--config", help="configuration file with a rag_quality: block")
    parser.add_argument("--language", default="id", help="id or en")
    parser.add_argument("--port", type=int, help=f"the port to listen on (default: the first free one from {FIRST_PORT})")
    asked, others = parser.parse_known_args(arguments)
    try:
        listening = listen(asked.port)
    except OSError as error:
        why = os.strerror(error.errno or 0)
        print(f"author: port {asked.port or FIRST_PORT} cannot be used ({why}); choose another with PORT=", file=sys.stderr)
        return 2
    config = os.path.abspath(asked.config) if asked.config else None
    with own_notebook(golden_set=os.path.abspath(asked.golden_set), config=config, language=asked.language) as notebook:
        _serve(notebook, listening, others)
    return 0


def listen(wanted: int | None) -> socket.socket:
    """Return a socket that listens on the port that is wanted, or on the first free one. Raises OSError where it is taken.

    It is held from here on: of two servers that start at the same moment, one would else tell the port that the other takes.
    """
    for port in (wanted,) if wanted is not None else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        try:
            listening = socket.create_server((HOST, port))
        except OSError as error:
            if wanted is not None or error.errno != errno.EADDRINUSE:
                raise
        else:
            listening.setblocking(False)
            return listening
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


@contextlib.contextmanager
def own_notebook(**parameters: str | None) -> Iterator[Path]:
    """Give the author notebook with these parameters, in a folder of its own below out/ that is gone at the end."""
    content = json.loads(shipped("notebooks", "author.ipynb").read_text(encoding="utf-8"))
    place = next(number for number, cell in enumerate(content["cells"]) if cell["id"] == "parameters")
    source = "\n".join((_NO_MODULES_HERE, *(f"{name} = {value!r}" for name, value in parameters.items())))
    given: dict[str, Any] = {"cell_type": "code", "id": "given", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
    content["cells"].insert(place + 1, given)
    Path("out").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="author-", dir="out") as folder:
        name = Path(parameters.get("golden_set") or "").stem or "author"  # Voilà calls the tab by it
        notebook = Path(folder).absolute() / f"{name}.ipynb"
        notebook.write_text(json.dumps(content), encoding="utf-8")
        yield notebook


def _serve(notebook: Path, listening: socket.socket, others: Sequence[str]) -> None:
    os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, (str(TEMPLATES), os.environ.get("JUPYTER_PATH"))))
    from tornado.httpserver import HTTPServer
    from voila.app import Voila  # an extra, and slow to import: only here

    class Author(Voila):  # type: ignore[misc]  # it publishes no types
        def listen(self) -> None:
            self.app.listen = lambda *_: HTTPServer(self.app).add_socket(listening)
            super().listen()

    if hasattr(signal, "SIGHUP"):  # the terminal was closed
        signal.signal(signal.SIGHUP, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    token, port = secrets.token_urlsafe(18), listening.getsockname()[1]
    with private_sockets() as kernels:
        settings = voila_settings(token, port)
        settings["KernelManager"] = dict(kernels.settings)
        settings["Voila"]["connection_dir_root"] = kernels.folder
        print(f"author: http://{HOST}:{port}/?token={token}", "Ctrl-C ends it.", sep="\n", file=sys.stderr, flush=True)
        Author.launch_instance([str(notebook), *others], config=_config(settings))


def voila_settings(token: str, port: int) -> dict[str, dict[str, Any]]:
    """Return the settings of Voilà, by the class that they belong to."""
    from jupyter_core.paths import jupyter_config_path

    return {
        "Voila": {
            "ip": HOST,
            "port": port,
            "port_retries": 0,  # another one than the one that was told would be of no use
            "open_browser": False,
            "token": token,
            "log_level": "WARN",
            "config_file_paths": jupyter_config_path(),  # not the folder of the start: a file in it would be run
        },
        "VoilaConfiguration": {"template": "golden", "show_tracebacks": True, "prelaunch_hook": give_xsrf_cookie},
        "MappingKernelManager": {"root_dir": os.getcwd(), "cull_idle_timeout": ABANDONED_S, "cull_interval": ABANDONED_S // 10},
    }


def give_xsrf_cookie(handler: Any, **_: Any) -> None:
    """Give the page the cookie without which it may not end its kernel when it is closed: tornado makes it when it is asked for."""
    handler.xsrf_token  # noqa: B018 - reading it sets the cookie


def _config(settings: dict[str, dict[str, Any]]) -> Any:
    from traitlets.config import Config

    return Config(settings)


if __name__ == "__main__":
    sys.exit(main())
