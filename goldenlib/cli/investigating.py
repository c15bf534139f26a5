"""The commands of whoever investigates: compare, ask."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from goldenlib.cli.ending import ERROR, interrupt_when_asked_to_end
from goldenlib.cli.shell import LATEST, Config, StoreUrl, command, console, open_store, write_checked


@command
def compare(
    run_id: Annotated[str, typer.Argument(metavar="[RUN|latest]", help="The run that is explained.")] = LATEST,
    other: Annotated[str | None, typer.Argument(metavar="[RUN]", help="Another run to hold it against.", show_default=False)] = None,
    store: StoreUrl = None,
    config: Config = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it as a page, too.", show_default=False)] = None,
    note: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the note on the incident, as Markdown.", show_default=False)
    ] = None,
) -> int:
    """Explain what was decided of a run: which items regressed or stand failing, since when, and why. With another run, what flipped.

    Nothing is asked, decided or stored. A decision stands as it was made; see also golden rescore.

    Example: golden compare latest --note incident.md
    """
    from goldenlib.comparing import compare_runs
    from goldenlib.comparing.decided import decided_run
    from goldenlib.reporting.incidents import incident_note
    from goldenlib.reporting.runlists import print_comparison, print_decided
    from goldenlib.reporting.sidebyside import decided_as_html, flips_as_html, page_of

    if other is not None and note is not None:
        raise typer.BadParameter("a note is about one run; leave the other one out")
    with open_store(config, store) as opened:
        if other is not None:
            comparison = compare_runs(opened, run_id, other)
            shown, title = flips_as_html(comparison), comparison.summary
            print_comparison(comparison, console())
        else:
            decided = decided_run(opened, run_id)
            shown, title = decided_as_html(decided), decided.decision.line
            print_decided(decided, console())
            if note is not None:
                write_checked(note, incident_note(decided))
    if html is not None:
        write_checked(html, page_of(shown, title))
    return 0


@command
def ask(
    items: Annotated[list[str], typer.Argument(metavar="ITEM...", help="Ids of the items to ask.", show_default=False)],
    files: Annotated[list[Path], typer.Option("--set", metavar="FILE", help="Golden set file or folder; repeatable.", show_default=False)],
    times: Annotated[int, typer.Option("--times", "-n", min=1, max=100, help="How often each is asked.")] = 5,
    config: Config = None,
    store: StoreUrl = None,
    label: Annotated[
        str | None, typer.Option(help="Name of the target in the series. [default: host of its URL]", show_default=False)
    ] = None,
) -> int:
    """Ask items again, several times, without harm: outside every series, so that no baseline moves and no run is decided by it.

    Answers and verdicts are stored beside the history of the items; golden compare tells them. Exit code: 0, or 3 where nothing was scored.

    Example: golden ask apostille-biaya --set golden/mine.yaml -n 5 --config golden.yaml
    """
    from goldenlib.askagain import ask_again
    from goldenlib.config.settings import load_settings
    from goldenlib.files.loading import load_set
    from goldenlib.files.shipped import find
    from goldenlib.reporting.runlists import print_asked
    from goldenlib.storage import Store

    settings, _ = load_settings(config, {"golden_store": store})
    golden_set = load_set([find(path) for path in files])
    interrupt_when_asked_to_end()
    with Store.open(settings.golden_store) as opened:
        asked = ask_again(golden_set, settings, opened, items, times, label=label)
    print_asked(asked, console())
    return 0 if any(result.is_scored for each in asked for result in each.now) else ERROR
