"""``smelt check --fix`` and ``--diff``: fixes on files."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.cli.fixing import Fixed, difference, fix_all
from smelt.cli.looking import look_at
from smelt.cli.scope import Part
from smelt.cli.terminal import Terminal
from smelt.diagnostics.model import Diagnostic, Fix
from smelt.text.counts import counted
from smelt.workspace.checking import Findings


@dataclass(frozen=True, slots=True)
class Mended:
    """A project's files as its fixes leave them; ``name`` is what the folder is called, ``before`` all texts."""

    root: Path
    name: str
    before: Mapping[str, str]
    fixed: Fixed


def safe(fix: Fix) -> bool:
    """Whether a fix keeps the table as it is."""
    return fix.safe


def any_fix(fix: Fix) -> bool:
    """Every fix may be applied."""
    return True


def mended(
    part: Part, reported: Callable[[Findings], tuple[Diagnostic, ...]], may_apply: Callable[[Fix], bool]
) -> Mended:
    """Apply, in memory, the fixes of what is reported of a project."""
    first = look_at(part).seen

    def look(overlay: Mapping[str, str]) -> tuple[tuple[Diagnostic, ...], Mapping[str, str]]:
        seen = look_at(part, overlay).seen if overlay else first
        return reported(seen), seen.texts

    return Mended(part.root, part.name, first.texts, fix_all(look, may_apply))


def show(terminal: Terminal, projects: Iterable[Mended]) -> Exit:
    """Print what the fixes would change, as a diff that ``git apply`` reads from where the command stands."""
    listed = tuple(projects)
    for one in listed:
        for file, after in sorted(one.fixed.texts.items()):
            path = file if one.name == "." else f"{one.name}/{file}"
            terminal.result(difference(path, one.before.get(file, ""), after))
    count, files = _counts(listed)
    terminal.say(f"--fix would mend {counted(count, 'finding')} in {counted(files, 'file')}")
    return Exit.FAILED if count else Exit.DONE


def write(terminal: Terminal, projects: Iterable[Mended]) -> None:
    """Write the mended files.

    Raises:
        Stop: a file cannot be written.
    """
    listed = tuple(projects)
    for one in listed:
        for file, after in sorted(one.fixed.texts.items()):
            _write(one.root / file, file, after)
    count, files = _counts(listed)
    if count:
        terminal.say(f"fixed {counted(count, 'finding')} in {counted(files, 'file')}")


def _counts(projects: Iterable[Mended]) -> tuple[int, int]:
    listed = tuple(projects)
    return sum(one.fixed.count for one in listed), sum(len(one.fixed.texts) for one in listed)


def _write(path: Path, file: str, after: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Bytes, so that the line ends stay those that the file has.
        path.write_bytes(after.encode("utf-8"))
    except OSError as error:
        raise Stop(Exit.FAILED, f"cannot write {file}: {error.strerror}") from error
