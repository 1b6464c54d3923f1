"""The reference of the command line has what each command's help has."""

import pytest

from clireference import all_commands, options, render_cli_reference
from flexlbf.cli.main import COMMANDS

REFERENCE = render_cli_reference()
SECTIONS = {text.partition("\n")[0]: text for text in REFERENCE.split("\n## ")[1:]}


def test_every_command_has_a_section_in_the_order_of_the_help():
    assert list(SECTIONS) == [name for name in all_commands() if name != "flexlbf"]
    assert [name.split()[1] for name in SECTIONS if name.count(" ") == 1] == list(COMMANDS)


@pytest.mark.parametrize("command", SECTIONS)
def test_a_section_has_usage_examples_and_every_option_with_its_meaning(command: str):
    text = SECTIONS[command]
    assert f"```text\n{command}" in text
    assert "```sh\n" in text
    rows = [line for line in text.splitlines() if line.startswith("| `-")]
    assert len(rows) == len(options(all_commands()[command]))
    assert all(row.count(" | ") == 1 and not row.endswith("|  |") for row in rows)


def test_defaults_and_variables_are_told():
    assert (
        "| `-o, --output FILE` | The page that is written. *default: report.html* |"
        in SECTIONS["flexlbf report"]
    )
    assert "*env var: FLEXLBF_DEVICE; required*" in SECTIONS["flexlbf agent backup"]
    assert "\b" not in REFERENCE
