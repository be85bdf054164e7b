"""What a child process costs, and what a few such costs come to. CPU time, as a busy machine disturbs it least."""

import math
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median


class ChildFailed(Exception):
    """A measured program ended with an exit code that it should not have."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one process cost, its own finished children included.

    Attributes:
        cpu: seconds of user and system time.
        wall: seconds from start to end.
        memory: the most bytes of memory that it held at once.
        output: what it wrote, both streams together.
    """

    cpu: float
    wall: float
    memory: int
    output: str


def child(
    arguments: Sequence[str],
    folder: Path,
    *,
    environment: Mapping[str, str] | None = None,
    expected: Sequence[int] = (0,),
) -> Cost:
    """Run a program in a folder, and measure it.

    Raises:
        ChildFailed: it ended with none of the expected exit codes; the message has the end of its output.
    """
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        process = subprocess.Popen(
            list(arguments),
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    if process.returncode not in expected:
        raise ChildFailed(f"{' '.join(arguments)} ended with {process.returncode}:\n{text[-2000:]}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024, text)


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """``e`` of the curve ``cost = c * size ** e`` that lies nearest, by least squares of the logarithms."""
    x, y = [math.log(one) for one in sizes], [math.log(one) for one in costs]
    middle_x, middle_y = sum(x) / len(x), sum(y) / len(y)
    over = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y, strict=True))
    return over / sum((a - middle_x) ** 2 for a in x)


def spread(values: Sequence[float]) -> str:
    """The median, with the lowest and highest where there are several."""
    if len(values) == 1:
        return f"{values[0]:.2f}"
    return f"{median(values):.2f} ({min(values):.2f}–{max(values):.2f})"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, its columns lined up."""
    lines = [header, *rows]
    widths = [max(len(line[at]) for line in lines) for at in range(len(header))]
    drawn = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    drawn.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(drawn)


def machine() -> str:
    """One line on where this was measured, and how busy it was."""
    name = next(
        (line.partition(":")[2].strip() for line in _cpu_lines() if line.startswith("model name")), platform.machine()
    )
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    return f"{os.cpu_count()} × {name}, Python {sys.version.split()[0]}, load before {load}"


def _cpu_lines() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
