"""Findings that are known: a file of them, so that a check reports only what is new.

An entry is matched by its fingerprint, not by its line, so that it stays known when lines move.
"""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.cli.looking import Look
from smelt.diagnostics.fingerprint import VERSION, fingerprints
from smelt.workspace.checking import Findings


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """A known finding.

    Attributes:
        project: the project's folder, relative to that of the baseline, with ``/``.
        file: relative to the project.
        message: for who reads the baseline; it says nothing when findings are compared.
    """

    project: str
    file: str
    code: str
    fingerprint: str
    message: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a baseline file holds; ``path`` is absolute."""

    path: Path
    entries: frozenset[Entry] = frozenset()

    def new(self, root: Path, seen: Findings) -> Findings:
        """The same look at a project with only the findings that are not known."""
        if not self.entries:
            return seen
        listed = zip(seen.findings, self.entries_of(root, seen), strict=True)
        return replace(seen, findings=tuple(finding for finding, entry in listed if entry not in self.entries))

    def unused(self, looked: Iterable[Look]) -> tuple[Entry, ...]:
        """The entries that no finding matches any more, of those that the look could have matched."""
        gone: set[Entry] = set()
        for look in looked:
            part, seen = look.part, look.seen
            project = self._project(part.root)
            mine = {entry for entry in self.entries if entry.project == project}
            asked = {entry for entry in mine if part.codes.has(entry.code) and part.looks_at(entry.file, seen)}
            gone |= asked - set(self.entries_of(part.root, seen))
        return tuple(sorted(gone))

    def entries_of(self, root: Path, seen: Findings) -> tuple[Entry, ...]:
        """An entry for each finding, in their order."""
        project = self._project(root)
        marks = fingerprints(seen.findings, seen.texts)
        return tuple(
            Entry(project, finding.location.file, finding.code.name, mark, finding.message)
            for finding, mark in zip(seen.findings, marks, strict=True)
        )

    def _project(self, root: Path) -> str:
        return Path(os.path.relpath(root, self.path.parent)).as_posix()


def read_baseline(written: str) -> Baseline:
    """The baseline in a file.

    Raises:
        Stop: it cannot be read, or is none.
    """
    path = Path(written).resolve()
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise Stop(Exit.USAGE, f"no such file: {written}", "--write-baseline writes it") from error
    except OSError as error:
        raise Stop(Exit.USAGE, f"cannot read {written}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise Stop(Exit.USAGE, f"{written} is no JSON", "--write-baseline writes it anew") from error
    version = loaded.get("version") if isinstance(loaded, dict) else None
    if isinstance(version, int) and version != VERSION:
        raise Stop(Exit.USAGE, f"{written} has version {version}, not {VERSION}", "--write-baseline writes it anew")
    try:
        return Baseline(path, frozenset(_entry(one) for one in loaded["findings"]))
    except (KeyError, TypeError) as error:
        raise Stop(Exit.USAGE, f"{written} is no baseline", "--write-baseline writes it anew") from error


def _entry(loaded: object) -> Entry:
    """An entry as it stands in the file.

    Raises:
        KeyError, TypeError: it is none.
    """
    if not isinstance(loaded, dict):
        raise TypeError("an entry is an object")
    fields = (loaded["project"], loaded["file"], loaded["code"], loaded["fingerprint"])
    if not all(isinstance(one, str) for one in fields):
        raise TypeError("its fields are texts")
    return Entry(*fields)


def write_baseline(written: str, entries: Iterable[Entry]) -> None:
    """Write a baseline, the entries sorted so that a diff of it shows what came and went.

    Raises:
        Stop: it cannot be written.
    """
    findings = [
        {
            "project": entry.project,
            "file": entry.file,
            "code": entry.code,
            "message": entry.message,
            "fingerprint": entry.fingerprint,
        }
        for entry in sorted(entries)
    ]
    text = json.dumps({"version": VERSION, "findings": findings}, indent=2, ensure_ascii=False) + "\n"
    try:
        Path(written).write_bytes(text.encode("utf-8", errors="backslashreplace"))
    except OSError as error:
        raise Stop(Exit.USAGE, f"cannot write {written}: {error.strerror}") from error
