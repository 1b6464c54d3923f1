"""Files that commands write."""

from pathlib import Path

import click

from flexlbf.cli.errors import BadInput


def write_file(path: Path, text: str) -> None:
    """Write a file with the folders above it, and say so.

    Raises:
        BadInput: it can't be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}: name a folder that can be written to") from error
    click.echo(f"wrote {path}")
