"""`flexlbf`: the root of the command line."""

import io
import sys

import click

from flexlbf.cli.errors import INTERRUPTED
from flexlbf.cli.lazy import LazyGroup

COMMANDS = {
    "plan": "Show what the operator would write, from manifests alone.",
    "report": "Draw what is planned: one page of HTML.",
    "diff": "Say what changed manifests change of the plan.",
    "explain": "Say why the settings are what they are, and what would help.",
    "status": "Show how policies stand in a cluster, and their sessions.",
    "run": "Ask for a session of a policy now.",
    "suspend": "Let a policy of a cluster start nothing more.",
    "resume": "Let a suspended policy start sessions again.",
    "tune": "Find the fewest drives and agents for a workload.",
    "whatif": "Ask what a lost drive, more data or other drives would change.",
    "simulate": "Simulate a session: which object on which drive, and when.",
    "reproduce": "Repeat the paper's evaluation, its figures beside ours.",
    "samples": "Write sample manifests and workloads.",
    "agent": "Back one directory up to a drive, or restore it.",
    "operator": "Run the operator against a cluster.",
    "selftest": "See whether the operator of a cluster answers.",
    "completion": "Print a shell's completion script.",
}


@click.group(
    cls=LazyGroup,
    package="flexlbf.cli",
    summaries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="flexlbf-operator", prog_name="flexlbf", message="%(prog)s %(version)s")
def cli() -> None:
    """Plan backup sessions on tape drives with FlexLBF.

    Past backups tell how long an object takes and how fast it streams. From that follow the drives and the
    concurrent agents that a session needs, and when each object should start.

    \b
    Examples:
      flexlbf plan -f config/samples
      flexlbf samples --csv -o workloads
      flexlbf tune workloads/server1.csv --drives 4 --max-agents 10 --max-throughput 80
    """


def main() -> None:
    """The entry point of the program `flexlbf`."""
    start("flexlbf")


def start(name: str) -> None:
    """Run the command line as the program of a name."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # An object may be called what the terminal's encoding can't show; that is no reason to fail.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        cli(prog_name=name)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
