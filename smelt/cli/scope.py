"""What ``smelt check`` is about: which project, and of its findings which are reported."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from smelt.cli.checking import Judged
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.diagnostics import registry
from smelt.diagnostics.model import Diagnostic
from smelt.text.identifiers import did_you_mean


@dataclass(frozen=True, slots=True)
class Codes:
    """The codes that are reported: all if ``select`` is empty, but for those of ``ignore``."""

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()

    def has(self, code: str) -> bool:
        """Whether a code is reported."""
        return (not self.select or code in self.select) and code not in self.ignore


@dataclass(frozen=True, slots=True)
class Part:
    """One project and what of it is reported.

    Attributes:
        root: the project's folder.
        name: how the folder is called from where the command stands.
        base: see :class:`smelt.diagnostics.checked.Checked`.
        paths: project-relative paths of files and folders; None for all, the empty path for the root.
        codes: the codes reported.
        changed: files that changed; findings are those that this can have made. None for all.
    """

    root: Path
    name: str
    base: str
    paths: frozenset[str] | None
    codes: Codes
    changed: frozenset[str] | None = None

    def reported(self, seen: Judged) -> tuple[Diagnostic, ...]:
        """The findings that are reported, in order."""
        affected = self._affected(seen)
        return tuple(
            finding
            for finding in seen.findings
            if self.codes.has(finding.code.name)
            and self.has(finding.location.file)
            and (affected is None or self._touches(finding, affected))
        )

    def files(self, seen: Judged) -> tuple[str, ...]:
        """The files whose findings are reported."""
        affected = self._affected(seen)
        return tuple(file for file in seen.files if self.has(file) and (affected is None or file in affected))

    def looks_at(self, file: str, seen: Judged) -> bool:
        """Whether a finding in a file would be reported, were the file there."""
        affected = self._affected(seen)
        return self.has(file) and (affected is None or file in affected)

    def has(self, file: str) -> bool:
        """Whether the paths hold a file."""
        if self.paths is None:
            return True
        return any(file == path or path == "" or file.startswith(f"{path}/") for path in self.paths)

    def _affected(self, seen: Judged) -> frozenset[str] | None:
        if self.changed is None:
            return None
        from smelt.project.impact import affected_files

        return affected_files(self.changed, seen.reads, seen.prefixes)

    def _touches(self, finding: Diagnostic, affected: frozenset[str]) -> bool:
        """Whether it stands in a file of these, or came to light by another file that changed (a second address)."""
        others = {related.location.file for related in finding.related}
        return finding.location.file in affected or not others.isdisjoint(self.changed or ())


def codes_named(select: tuple[str, ...], ignore: tuple[str, ...]) -> Codes:
    """The codes that options name.

    Raises:
        Stop: there is no such code.
    """
    return Codes(_known(select), _known(ignore))


def _known(written: tuple[str, ...]) -> frozenset[str]:
    known = registry.names()
    for name in written:
        if name not in known:
            help_text = did_you_mean(name, known) or "`smelt docs` lists the codes"
            raise Stop(Exit.USAGE, f"no such code: {name}", help_text)
    return frozenset(written)


def root_of(start: Path) -> Path:
    """The folder of the project that ``start`` is in.

    Raises:
        Stop: there is none.
    """
    from smelt.workspace.files import find_root

    if not start.is_dir():
        raise Stop(Exit.USAGE, f"no such folder: {start}")
    root = find_root(start)
    if root is None:
        raise Stop(
            Exit.USAGE,
            f"no smelt.yml {'here or in any folder above' if start == Path() else f'in {start} or above it'}",
            "`smelt init DIR` makes a project; --project-dir says where one is",
            code="ProjectFileMissing",
        )
    return root


def parts_of(root: Path, paths: tuple[str, ...], codes: Codes) -> Iterator[Part]:
    """The projects that paths name, or the one in ``root``.

    Raises:
        Stop: a path is not there, or in no project.
    """
    yield Part(root, ".", base_of(root), _inside(root, paths), codes)


def _inside(root: Path, paths: tuple[str, ...]) -> frozenset[str] | None:
    """The paths as the project names its files: relative to the root; a folder stands for all below it."""
    if not paths:
        return None
    found = set()
    for written in paths:
        path = Path(written)
        if not path.exists():
            raise Stop(Exit.USAGE, f"no such file: {written}", "paths are read from the folder you are in")
        full = path.resolve()
        if not full.is_relative_to(root):
            raise Stop(Exit.USAGE, f"{written} is not in the project {root}")
        relative = full.relative_to(root).as_posix()
        found.add("" if relative == "." else relative)
    return frozenset(found)


def base_of(root: Path) -> str:
    """What stands before the project's paths to count them from the repository's root.

    That is the nearest folder with a ``.git``; without one, the folder the command stands in, if it is above.
    """
    here = Path.cwd().resolve()
    repository = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), here)
    if not root.is_relative_to(repository) or root == repository:
        return ""
    return f"{root.relative_to(repository).as_posix()}/"
