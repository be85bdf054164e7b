"""The kinds of numbers that options take: each has a least and a greatest value, and is a number."""

import math
from typing import Any

import click

GREATEST = 2**63 - 1
"""The greatest number of rows that a database can count."""

MOST_JOBS = 256
"""Threads, each with a connection, that a run may have."""

MOST_RETRIES = 100
"""With the longest pauses this is most of an hour."""

LONGEST = 366 * 24 * 3600
"""Seconds of the longest wait."""


class Seconds(click.FloatRange):
    """A time to wait, from none to a year."""

    def __init__(self) -> None:
        super().__init__(min=0, max=LONGEST)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number that a text stands for; ``nan`` compares to nothing and would pass any range."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return number

    def _describe_range(self) -> str:
        return "0 to a year"


class _Count(click.IntRange):
    """A number of things; help and errors give its range in words."""

    def _describe_range(self) -> str:
        return f"{self.min} or more" if self.max == GREATEST else f"{self.min} to {self.max}"


def count(least: int, greatest: int = GREATEST) -> click.IntRange:
    """A number of things, from ``least`` on."""
    return _Count(min=least, max=greatest)
