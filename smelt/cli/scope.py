"""What ``smelt check`` is about: which project, and of its findings which are reported."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.diagnostics import registry
from smelt.diagnostics.model import Diagnostic
from smelt.text.identifiers import did_you_mean
from smelt.workspace.checking import Findings


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

    def reported(self, seen: Findings) -> tuple[Diagnostic, ...]:
        """The findings that are reported, in order."""
        affected = self._affected(seen)
        return tuple(
            finding
            for finding in seen.findings
            if self.codes.has(finding.code.name)
            and self.has(finding.location.file)
            and (affected is None or self._touches(finding, affected))
        )

    def files(self, seen: Findings) -> tuple[str, ...]:
        """The files whose findings are reported."""
        affected = self._affected(seen)
        return tuple(file for file in seen.files if self.has(file) and (affected is None or file in affected))

    def looks_at(self, file: str, seen: Findings) -> bool:
        """Whether a finding in a file would be reported, were the file there."""
        affected = self._affected(seen)
        return self.has(file) and (affected is None or file in affected)

    def has(self, file: str) -> bool:
        """Whether the paths hold a file."""
        if self.paths is None:
            return True
        return any(file == path or path == "" or file.startswith(f"{path}/") for path in self.paths)

    def _affected(self, seen: Findings) -> frozenset[str] | None:
        if self.changed is None:
            return None
        from smelt.project.impact import affected_files

        return affected_files(self.changed, seen.reads, seen.folders)

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


def parts_of(start: Path, paths: tuple[str, ...], codes: Codes) -> tuple[Part, ...]:
    """The projects that paths name, each with its paths; without paths those that ``start`` stands for.

    A folder stands for the project it is in; one that is in none, for all projects below it.

    Args:
        start: where the command stands, or the folder that ``--project-dir`` names.
        paths: as typed, read from the folder the process is in.
        codes: the codes reported.

    Raises:
        Stop: a folder or path is not there, or in no project.
    """
    if not paths:
        return tuple(_part(root, None, codes) for root in _roots(start))
    allowed = None if start == Path() else _roots(start)
    inside: dict[Path, set[str]] = {}
    for written in paths:
        for root, path in _placed(written):
            if allowed is not None and root not in allowed:
                raise Stop(Exit.USAGE, f"{written} is not in the project {start}")
            inside.setdefault(root, set()).add(path)
    return tuple(_part(root, frozenset(inside[root]), codes) for root in sorted(inside))


def _roots(start: Path) -> tuple[Path, ...]:
    """The folders of the projects that a folder stands for.

    Raises:
        Stop: there is none.
    """
    if not start.is_dir():
        raise Stop(Exit.USAGE, f"no such folder: {start}")
    roots = _projects(start)
    if roots:
        return roots
    here = "here or in any folder above" if start == Path() else f"in {start} or above it"
    help_text = "`smelt init DIR` makes a project; --project-dir says where one is"
    raise Stop(Exit.USAGE, f"no smelt.yml {here}", help_text, code="ProjectFileMissing")


def _projects(place: Path) -> tuple[Path, ...]:
    """The project that a file or folder is in; if it is in none, those below it."""
    from smelt.workspace.files import find_root

    folder = place if place.is_dir() else place.parent
    root = find_root(folder)
    if root is not None:
        return (root,)
    if folder != place:
        return ()
    from smelt.editor.session import Workspace

    return tuple(sorted(Workspace().discover(place)))


def _placed(written: str) -> Iterator[tuple[Path, str]]:
    """The projects that a path is about, and what it is called in each.

    Raises:
        Stop: it is not there, or in no project.
    """
    path = _real(written)
    roots = _projects(path)
    if not roots:
        raise Stop(Exit.USAGE, f"{written} is in no project", "no folder above it has a smelt.yml, and none below")
    for root in roots:
        relative = path.relative_to(root).as_posix() if path.is_relative_to(root) else "."
        # The root itself stands for all below it, and so does what lies above it.
        yield root, "" if relative == "." else relative


def _real(written: str) -> Path:
    """The path from the file system's root on. A file that is a link keeps its own name: the project has it so.

    Raises:
        Stop: there is no such file or folder.
    """
    path = Path(written)
    if not path.exists():
        raise Stop(Exit.USAGE, f"no such file: {written}", "paths are read from the folder you are in")
    return path.parent.resolve() / path.name if path.is_symlink() and path.is_file() else path.resolve()


def _part(root: Path, paths: frozenset[str] | None, codes: Codes) -> Part:
    here = Path.cwd().resolve()
    name = "." if here.is_relative_to(root) else Path(os.path.relpath(root, here)).as_posix()
    return Part(root, name, base_of(root), paths, codes)


def base_of(root: Path) -> str:
    """What stands before the project's paths to count them from the repository's root.

    That is the nearest folder with a ``.git``; without one, the folder the command stands in, if it is above.
    """
    here = Path.cwd().resolve()
    repository = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), here)
    if not root.is_relative_to(repository) or root == repository:
        return ""
    return f"{root.relative_to(repository).as_posix()}/"
