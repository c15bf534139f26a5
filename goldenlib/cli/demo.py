"""The embedded demo on the command line."""

from __future__ import annotations

from typing import Annotated

import typer

from goldenlib.cli.ending import say
from goldenlib.cli.shell import command


@command
def demo_serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the chatbot; 0 takes a free one.")] = 8765,
    judge_port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the judge; 0 takes a free one.")] = 8766,
    degraded: Annotated[bool, typer.Option("--degraded", help="One page outdated, passages cut: real regressions to look at.")] = False,
    delay: Annotated[float, typer.Option(min=0, max=60, help="Seconds before each piece of an answer, as if typed.")] = 0.05,
) -> int:
    """Serve the demo chatbot and the demo judge on the loopback interface, until Ctrl-C."""
    from goldenlib.demo.demoservers import serve_until_interrupted

    serve_until_interrupted(port=port, judge_port=judge_port, degraded=degraded, delay_s=delay, say=say)
    return 0
