"""`kubectl flexlbf`: the same commands as a plugin of kubectl, which finds the program by its name."""

from flexlbf.cli.main import start


def main() -> None:
    """The entry point of the program `kubectl-flexlbf`."""
    start("kubectl flexlbf")
