"""The reference of the command line in Markdown, from the commands themselves."""

import inspect
import re
from collections.abc import Iterator

import click

from flexlbf.cli.main import cli

_HEAD = """\
<!-- Generated from the commands in operator/src/flexlbf/cli by `make generate`: do not edit. -->
# Command line

`pip install .` installs `flexlbf`, and `kubectl-flexlbf`, which kubectl runs as `kubectl flexlbf`: the same
commands. `flexlbf COMMAND --help` shows what is below. Bad input is one line on standard error, with what to
write instead, and the exit status 2; what merely failed ends with 1, and what you interrupted with 130.

| Command | What it does |
| --- | --- |
"""

_EXTRA = re.compile(r"\s*\[(?P<extra>[^\[\]]*)\]$")
_EXAMPLES = re.compile(r"^Examples?:$")


def render_cli_reference() -> str:
    """The whole reference."""
    context = _root()
    commands = list(_commands(context))
    rows = "".join(f"| [`{path}`](#{_anchor(path)}) | {_summary(command)} |\n" for path, command in commands)
    return "\n".join((_HEAD + rows, *(_section(path, command) for path, command in commands)))


def all_commands() -> dict[str, click.Command]:
    """Every command by its whole name, such as `flexlbf agent list`; the root is `flexlbf`."""
    return {"flexlbf": cli, **dict(_commands(_root()))}


def options(command: click.Command) -> list[click.Option]:
    """A command's options but for its help, which they all have."""
    return [each for each in command.params if isinstance(each, click.Option)]


def _root() -> click.Context:
    return click.Context(cli, info_name="flexlbf")


def _commands(context: click.Context) -> Iterator[tuple[str, click.Command]]:
    group = context.command
    assert isinstance(group, click.Group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, f"{name} is listed and can't be found"
        yield f"{context.command_path} {name}", command
        if isinstance(command, click.Group):
            yield from _commands(click.Context(command, context, name))


def _anchor(path: str) -> str:
    return path.replace(" ", "-")


def _summary(command: click.Command) -> str:
    return command.get_short_help_str(limit=200)


def _section(path: str, command: click.Command) -> str:
    *parents, name = path.split(" ")
    context = click.Context(command, click.Context(cli, info_name=" ".join(parents)), name)
    usage = " ".join((path, *command.collect_usage_pieces(context)))
    text = "\n\n".join(inspect.cleandoc(part) for part in (command.help, command.epilog) if part)
    lines = [f"## {path}", "", "```text", usage, "```", "", *_prose(text)]
    rows = [_row(each, context) for each in options(command)]
    return "\n".join([*lines, *(["| Option | Meaning |", "| --- | --- |", *rows, ""] if rows else [])])


def _prose(text: str) -> Iterator[str]:
    """Paragraphs, and examples as code; click marks what keeps its lines with a backspace."""
    for paragraph in re.split(r"\n[ \t]*\n", text):
        first, *rest = paragraph.removeprefix("\b\n").split("\n")
        if _EXAMPLES.match(first):
            yield from ("```sh", *(inspect.cleandoc("\n".join(rest)).split("\n")), "```", "")
        else:
            yield from (_plain(" ".join((first, *rest))), "")


def _row(option: click.Option, context: click.Context) -> str:
    """A row; what click appends in brackets goes in italics behind the words."""
    record = option.get_help_record(context)
    assert record is not None, f"{option.name} is hidden"
    names, text = record
    extra = _EXTRA.search(text)
    words = _plain(text[: extra.start()] if extra else text)
    if isinstance(option.type, click.Choice):
        names = names.partition(" [")[0]
        words = f"{words} One of {', '.join(f'`{each}`' for each in option.type.choices)}."
    notes = f" *{_plain(extra['extra'])}*" if extra else ""
    return f"| {_code(names)} | {words.strip()}{notes} |"


def _code(text: str) -> str:
    """As code; a table's cell ends at a bar, which not everybody takes for escaped within code."""
    return " \\| ".join(f"`{part}`" for part in text.split("|"))


def _plain(text: str) -> str:
    """Words with nothing in them that Markdown or HTML would take for its own."""
    return " ".join(text.split()).replace("<", "&lt;").replace("*", "\\*").replace("|", "\\|")
