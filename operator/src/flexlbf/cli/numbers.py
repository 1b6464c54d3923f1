"""Numbers as options: what is out of range or no number is told with what to write instead."""

import click


class Whole(click.ParamType[int]):
    """A whole number within limits."""

    name = "whole number"

    def __init__(self, low: int, high: int) -> None:
        self._low, self._high = low, high

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number."""
        try:
            number = int(str(value))
        except ValueError:
            number = None
        if number is None or not self._low <= number <= self._high:
            self.fail(f"{value!s}: write a whole number from {self._low} to {self._high}", param, ctx)
        return number


class Number(click.ParamType[float]):
    """A number within limits, so neither nan nor infinite."""

    name = "number"

    def __init__(self, low: float, high: float, example: str) -> None:
        self._low, self._high, self._example = low, high, example

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        try:
            number = float(str(value))
        except ValueError:
            number = None
        if number is None or not self._low <= number <= self._high:
            limits = f"from {self._low:g} to {self._high:,.0f}"
            self.fail(f"{value!s}: write a number {limits}, such as {self._example}", param, ctx)
        return number


WHOLE_SEED = Whole(0, 2**63 - 1)
