"""`flexlbf status`: how the policies of a cluster stand, and their sessions as they run."""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

import click

from flexlbf.cli.clusteraccess import Access, cluster_options
from flexlbf.cli.errors import BadInput
from flexlbf.cli.output import echo_data
from flexlbf.planning.sessionwords import SessionView, session_of, settings_row

if TYPE_CHECKING:
    from flexlbf.cluster.person import PersonClient

PAUSE_S = 2.0
"""Between two looks at a session that is followed."""

Policies = list[dict[str, Any]]


@click.command()
@click.argument("policies", metavar="[POLICY]...", nargs=-1)
@cluster_options
@click.option("-A", "--all-namespaces", "everywhere", is_flag=True, help="Of all namespaces.")
@click.option("-w", "--watch", "follow", is_flag=True, help="Follow sessions that run until they are over.")
@click.option(
    "-o", "--output", type=click.Choice(["table", "json", "yaml"]), default="table", show_default=True
)
def status(policies: Sequence[str], *, access: Access, everywhere: bool, follow: bool, output: str) -> None:
    """Show how policies stand in the cluster, and how far their sessions are.

    \b
    Examples:
      flexlbf status
      flexlbf status -n backup weekly --watch
      kubectl flexlbf status -A -o json
    """
    namespace = None if everywhere else access.namespace

    async def look(client: "PersonClient") -> Policies:
        return await _read(client, policies, namespace)

    if output != "table":
        found = access.run(look)
        echo_data({_name(each): each.get("status") or {} for each in found}, output)
        return
    found = access.run(look)
    _show(found)
    if follow and any(_running(each) for each in found):
        access.run(lambda client: _follow(client, policies, namespace))


async def _read(client: "PersonClient", names: Sequence[str], namespace: str | None) -> Policies:
    from flexlbf.cluster.resources import BACKUP_POLICIES  # noqa: PLC0415

    found = await client.all_of(BACKUP_POLICIES, namespace)
    there = {each["metadata"]["name"] for each in found}
    missing = [name for name in names if name not in there]
    where = f"namespace {namespace}" if namespace else "any namespace"
    if missing:
        raise BadInput(f"there is no BackupPolicy {', '.join(missing)} in {where}: name another, or -n")
    if not found:
        raise BadInput(f"there is no BackupPolicy in {where}: name another with -n, or give -A")
    chosen = [each for each in found if not names or each["metadata"]["name"] in names]
    return sorted(chosen, key=_name)


def _show(found: Policies) -> None:
    from rich.text import Text  # noqa: PLC0415 - programs need no tables

    from flexlbf.cli.page import Page, table  # noqa: PLC0415

    page, now = Page(), datetime.now(UTC)
    shown = table("<policy", "<ready", "drives", "agents", "duration", "<window", "<next session")
    for each in found:
        shown.add_row(Text(_name(each)), *map(Text, settings_row(each)))
    page.table(shown)
    for each in found:
        session = session_of(each, now)
        if session:
            page.heading(f"{_name(each)}: session {session.raw.get('name')}")
            page.paragraph(f"{session.bar} {session.words}" if session.running else session.words)
            if session.waiting:
                page.paragraph(session.waiting)
    page.show()


async def _follow(client: "PersonClient", names: Sequence[str], namespace: str | None) -> None:
    """Bars on a terminal; elsewhere a line whenever a session gets on."""
    told: dict[str, str] = {}
    with _bars() as bars:
        while True:
            found = await _read(client, names, namespace)
            now = datetime.now(UTC)
            for each in found:
                session = session_of(each, now)
                if session:
                    bars.tell(_name(each), session, told)
            if not any(_running(each) for each in found):
                return
            await asyncio.sleep(PAUSE_S)


def _bars() -> "_Lines | _Bars":
    return _Bars() if sys.stdout.isatty() else _Lines()


class _Lines:
    """A line for each change, where nothing can be overwritten."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is left to tidy up."""

    def tell(self, name: str, session: SessionView, told: dict[str, str]) -> None:
        """Say how a session stands if that is news."""
        stands = f"{session.settled} {session.raw.get('running')} {session.running}"
        if told.get(name) != stands:
            told[name] = stands
            click.echo(f"{name} {session.bar} {session.words}")


class _Bars:
    """A bar for each session, moving."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415
        from rich.table import Column  # noqa: PLC0415

        # On a narrow terminal a line is cut and not folded: what moves should stay where it is.
        name, words = (
            TextColumn(text, markup=False, table_column=Column(no_wrap=True, overflow="ellipsis"))
            for text in ("{task.description}", "{task.fields[words]}")
        )
        self._progress = Progress(name, BarColumn(), words)
        self._tasks: dict[str, Any] = {}

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def tell(self, name: str, session: SessionView, _told: dict[str, str]) -> None:
        """Move a session's bar."""
        if name not in self._tasks:
            self._tasks[name] = self._progress.add_task(name, words="")
        self._progress.update(
            self._tasks[name],
            total=max(1, session.objects),
            completed=session.settled,
            words=session.words,
        )


def _running(policy: Mapping[str, Any]) -> bool:
    session = session_of(policy, datetime.now(UTC))
    return bool(session and session.running)


def _name(policy: Mapping[str, Any]) -> str:
    metadata = policy["metadata"]
    return f"{metadata['namespace']}/{metadata['name']}"
