"""The commands and files that a Markdown page shows, in order.

A ```` ```console ```` block holds commands (``$ …``) and, under each, what it prints; ``…`` stands for any text, and
alone on its line for any lines. ``exit=1`` after the language says how the last command ends. A block of another
language with a path after it is a file that the reader writes. A ```` ```sh ```` block holds commands of the clone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^```(?P<info>\S.*)?$")
_FOLDER = re.compile(r"^<!-- run in (?P<folder>\S+) -->$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Command:
    """A command with the output shown under it; None if the page shows none."""

    line: int
    text: str
    output: str | None
    exit_code: int = 0


@dataclass(frozen=True, slots=True)
class File:
    """A file that the page tells its reader to write."""

    line: int
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Setup:
    """A command that only a fresh clone runs."""

    line: int
    text: str


Step = Command | File | Setup


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; ``line`` is that of its first line (1-based)."""

    line: int
    info: str
    lines: tuple[str, ...]


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    info: str | None = None
    held: list[str] = []
    start = 0
    for number, line in enumerate(text.splitlines(), 1):
        fence = _FENCE.match(line)
        if info is None and fence:
            info, held, start = fence["info"] or "", [], number + 1
        elif info is not None and line == "```":
            yield Block(start, info, tuple(held))
            info = None
        elif info is not None:
            held.append(line)
    assert info is None, f"line {start}: the block never ends"


def folder(text: str) -> str | None:
    """The folder of the clone in which a page's commands run, if it names one."""
    found = _FOLDER.search(text)
    return found["folder"] if found else None


def steps(text: str) -> Iterator[Step]:
    """What a reader of the page does, in order."""
    for block in blocks(text):
        language, _, rest = block.info.partition(" ")
        if language == "console":
            yield from _commands(block, int(rest.removeprefix("exit=") or 0))
        elif language == "sh":
            yield from (Setup(block.line + at, line) for at, line in enumerate(block.lines))
        elif rest:
            yield File(block.line, rest, "\n".join(block.lines) + "\n")
        else:
            shown = [line for line in block.lines if line.startswith("$ ")]
            assert not shown, f"line {block.line}: a command that no test runs: {shown[0]}"


def _commands(block: Block, exit_code: int) -> Iterator[Command]:
    starts = [at for at, line in enumerate(block.lines) if line.startswith("$ ")]
    assert starts[:1] == [0], f"line {block.line}: a console block begins with a command"
    for start, end in zip(starts, [*starts[1:], len(block.lines)], strict=True):
        printed = block.lines[start + 1 : end]
        last = end == len(block.lines)
        yield Command(
            block.line + start,
            block.lines[start].removeprefix("$ "),
            "\n".join(printed) + "\n" if printed else None,
            exit_code if last else 0,
        )


def matches(shown: str, printed: str) -> bool:
    """Whether ``printed`` is what the page shows."""
    lines = [
        r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*?") + r"[ ]*\n" for line in shown.splitlines()
    ]
    return re.fullmatch("".join(lines), printed if printed.endswith("\n") else printed + "\n") is not None


def pages(root: Path) -> list[Path]:
    """Every page whose commands a reader may type; the pages of the codes have tests of their own."""
    found = [root / "README.md", root / "CONTRIBUTING.md", *(root / "examples").glob("*/README.md")]
    guides = (path for path in (root / "docs").rglob("*.md") if path.parent.name != "diagnostics")
    return sorted([*found, *guides])
