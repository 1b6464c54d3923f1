"""The options that say what to tune for: as fast as possible, a little slower, or by a deadline."""

import functools
from collections.abc import Callable
from typing import Any

import click

from flexlbf.api.durations import Duration
from flexlbf.cli.errors import BadInput
from flexlbf.cli.numbers import Number
from flexlbf.tuning import Deadline, Objective, WithinPercent

NANOSECONDS_PER_MILLISECOND = 1_000_000

_Function = Callable[..., Any]


class _DurationType(click.ParamType[Duration]):
    name = "duration"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Duration:
        try:
            return Duration.parse(str(value))
        except ValueError as error:
            self.fail(f"{value!s}: {error}", param, ctx)


def objective_options(function: _Function) -> _Function:
    """Give a command --within and --deadline; it gets an `objective` in their place, None without either."""

    @click.option(
        "--within",
        type=Number(0, 1000, "15"),
        metavar="PERCENT",
        help="Accept a session this much longer than the fastest.",
    )
    @click.option(
        "--deadline",
        type=_DurationType(),
        metavar="DURATION",
        help="Be done within this time: 8h, 1h30m, 1d.",
    )
    @functools.wraps(function)
    def command(*arguments: Any, within: float | None, deadline: Duration | None, **given: Any) -> Any:
        return function(*arguments, objective=_objective(within, deadline), **given)

    return command


def _objective(within: float | None, deadline: Duration | None) -> Objective | None:
    if within is not None and deadline is not None:
        raise BadInput("--within and --deadline exclude each other: give one of them")
    if within is not None:
        return WithinPercent(within)
    if deadline is not None:
        return Deadline(deadline.milliseconds * NANOSECONDS_PER_MILLISECOND)
    return None
