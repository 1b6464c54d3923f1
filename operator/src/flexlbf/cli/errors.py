"""Bad input, told as one line that says the mend."""

import click

BAD_INPUT = 2
INTERRUPTED = 130
"""What shells give for a program that Ctrl-C ended."""

LONGEST = 600


class BadInput(click.ClickException):
    """What was asked for can't be, and trying again won't help."""

    exit_code = BAD_INPUT


def one_line(message: str) -> str:
    """A message on one line of bearable length that can't move the cursor, whatever a file put into it."""
    text = " ".join(part.strip() for part in message.splitlines() if part.strip())
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
