"""A project's findings, at the cost of what changed since they were last asked for."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from smelt.diagnostics.codec import words
from smelt.diagnostics.model import Diagnostic
from smelt.project.layout import PROJECT_FILE
from smelt.workspace import cache
from smelt.workspace.build import build_key
from smelt.workspace.cache import Report, Writer
from smelt.workspace.inventory import LazyTexts, NotPlain, digest, take

if TYPE_CHECKING:  # these bring the parser along, which an unchanged project does without
    from smelt.analysis.binding import Binder
    from smelt.analysis.incremental import Record

    OpenBinder = Callable[[], AbstractContextManager[Binder]]

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)")
_HIDDEN_VARIABLE = re.compile(r"\\(?:x24|u0024|U00000024)", re.IGNORECASE)
"""A dollar that is written as an escape: which variables the file names is then not plain to see."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found in a project.

    Attributes:
        findings: everything, in order.
        texts: the files' texts by project-relative path; one is read when it is asked for.
        files: the files looked at, sorted.
        reads: for each model's file the folded names, without ``smelt.``, of what it and its tests read.
        folders: where the project's files lie.
        hidden: values of the environment that must not be printed.
        commented: the files with a comment that may allow a finding, sorted.
    """

    findings: tuple[Diagnostic, ...]
    texts: Mapping[str, str]
    files: tuple[str, ...]
    reads: Mapping[str, tuple[str, ...]]
    folders: tuple[str, ...]
    hidden: frozenset[str]
    commented: tuple[str, ...]


def findings_of(root: Path, environment: Mapping[str, str], open_binder: "OpenBinder") -> Findings:
    """The findings of the project in a folder, and a note of them for the next time.

    Args:
        root: the folder of ``smelt.yml``.
        environment: for ``${NAME}`` in it.
        open_binder: opens a binder; called only if something must be bound.
    """
    try:
        setup = (root / PROJECT_FILE).read_bytes().decode("utf-8")
        if _HIDDEN_VARIABLE.search(setup):
            return findings_with(root, {}, environment, open_binder)
        variables = {name: environment.get(name) for name in _VARIABLE.findall(setup)}
        key = _key(setup, variables)
        last = cache.load_report(root)
        look = _Look(root, environment, variables, key, open_binder, last if last and last.key == key else None)
        return look.kept() or look.anew(setup)
    except (NotPlain, OSError, UnicodeDecodeError):
        return findings_with(root, {}, environment, open_binder)


def remembered(root: Path, setup: str, environment: Mapping[str, str]) -> "Mapping[str, Record]":
    """What the last check left of each file, if it was under this ``smelt.yml`` and environment, by this build.

    A record counts for the text with its digest only.
    """
    if _HIDDEN_VARIABLE.search(setup):
        return {}
    variables = {name: environment.get(name) for name in _VARIABLE.findall(setup)}
    return _records(root, _key(setup, variables))


def remember(
    root: Path, setup: str, environment: Mapping[str, str], records: "Mapping[str, Record]", secrets: frozenset[str]
) -> None:
    """Keep what a look left of each file for the next one, where it can be kept.

    Args:
        root: the folder of ``smelt.yml``.
        setup: the text of ``smelt.yml`` under which that was found.
        environment: for ``${NAME}`` in it.
        records: by file.
        secrets: values that must not be written down.
    """
    from smelt.analysis.records import encode

    if _HIDDEN_VARIABLE.search(setup):
        return
    variables = {name: environment.get(name) for name in _VARIABLE.findall(setup)}
    hidden = secrets | frozenset(value for value in variables.values() if value)
    if _tells(tuple(found for record in records.values() for found in record.findings), hidden):
        return
    writer = cache.writer(root)
    if writer is not None:
        writer.records(_key(setup, variables), encode(records))


def _key(setup: str, variables: Mapping[str, str | None]) -> str:
    """Of all that decides beside the files: the build, ``smelt.yml`` and what it takes from the environment."""
    parts = (build_key(), setup, repr(sorted(variables.items())))
    return digest("\0".join(parts).encode())


@dataclass(frozen=True, slots=True)
class _Look:
    root: Path
    environment: Mapping[str, str]
    variables: Mapping[str, str | None]
    key: str
    open_binder: "OpenBinder"
    last: Report | None

    @property
    def hidden(self) -> frozenset[str]:
        return frozenset(value for value in self.variables.values() if value)

    def kept(self) -> Findings | None:
        """The findings of the last time, if nothing they depend on has changed since."""
        report = self.last
        if report is None:
            return None
        found = take(self.root, report.folders)
        if found.seeds != report.seeds or found.stamps.keys() != report.noted.keys():
            return None
        if any(noted.stamp != found.stamps[path] for path, noted in report.noted.items()):
            digests = found.digests(report.noted)
            if any(noted.digest != digests[path] for path, noted in report.noted.items()):
                return None
            self._note(report, digests)
        texts = LazyTexts(self.root, {path: noted.digest for path, noted in report.noted.items()})
        hidden, commented = self.hidden, report.commented
        return Findings(report.findings, texts, report.looked_at, report.reads, report.folders, hidden, commented)

    def _note(self, report: Report, digests: Mapping[str, str]) -> None:
        """Note the files again, which have other stamps and the same content, so that they need not be read."""
        writer = cache.writer(self.root)
        if writer is not None:
            found = take(self.root, report.folders)
            if found.stamps.keys() == digests.keys() and found.digests(report.noted) == digests:
                writer.report(replace(report, noted=found.noted(digests, writer.began)))

    def anew(self, setup: str) -> Findings:
        """Look, taking from the last time what still holds, and keep what was found."""
        from smelt.analysis.incremental import Texts, check
        from smelt.project.config import source_paths

        writer = cache.writer(self.root)
        folders = source_paths(setup, self.environment)
        found = take(self.root, folders)
        digests = found.digests(self.last.noted if self.last is not None else {})
        if digests[PROJECT_FILE] != digest(setup.encode()):
            raise NotPlain(f"{PROJECT_FILE} was changed meanwhile")
        texts = LazyTexts(self.root, digests)
        with self.open_binder() as binder:
            earlier = _records(self.root, self.key)
            done = check(Texts(texts, digests, found.seeds, {}, self.environment), earlier, binder)
        looked_at = tuple(sorted(done.files))
        commented = tuple(sorted(_commented(texts, digests, self.last)))
        hidden = self.hidden | done.hidden
        if writer is not None and not _tells(done.diagnostics, hidden):
            noted = found.noted(digests, writer.began)
            report = Report(self.key, folders, noted, found.seeds, done.diagnostics, looked_at, done.reads, commented)
            self._keep(writer, report, done.records)
        return Findings(done.diagnostics, texts, looked_at, done.reads, folders, hidden, commented)

    def _keep(self, writer: Writer, report: Report, records: "Mapping[str, Record]") -> None:
        from smelt.analysis.records import encode

        writer.records(self.key, encode(records))
        writer.report(report)


def _records(root: Path, key: str) -> "Mapping[str, Record]":
    from smelt.analysis.records import decode

    try:
        return decode(cache.load_records(root, key))
    except (KeyError, TypeError, ValueError):
        return {}


def _commented(texts: Mapping[str, str], digests: Mapping[str, str], last: Report | None) -> Iterator[str]:
    """The files with a comment that may allow a finding; one that is as it was last time is not read for it."""
    from smelt.analysis.allowances import mentions

    known = {path: noted.digest for path, noted in last.noted.items()} if last is not None else {}
    before = frozenset(last.commented) if last is not None else frozenset()
    for path, found in digests.items():
        if path in before if known.get(path) == found else mentions(texts[path]):
            yield path


def _tells(findings: tuple[Diagnostic, ...], hidden: frozenset[str]) -> bool:
    """Whether a value of the environment would be written down."""
    return any(value in text for finding in findings for text in words(finding) for value in hidden)


def findings_with(
    root: Path, overlay: Mapping[str, str], environment: Mapping[str, str], open_binder: "OpenBinder"
) -> Findings:
    """The findings of a project looked at as a whole, keeping nothing.

    Args:
        root: the folder of ``smelt.yml``.
        overlay: texts that count as the files', by project-relative path.
        environment: for ``${NAME}`` in ``smelt.yml``.
        open_binder: opens a binder.
    """
    from smelt.analysis.allowances import mentions
    from smelt.analysis.incremental import Texts, check
    from smelt.workspace.reader import read_files

    found = read_files(root, overlay, environment)
    digests = {path: digest(text.encode("utf-8", "surrogatepass")) for path, text in found.texts.items()}
    with open_binder() as binder:
        done = check(Texts(found.texts, digests, found.seeds, found.unreadable, environment), {}, binder)
    return Findings(
        findings=done.diagnostics,
        texts=found.texts,
        files=tuple(sorted(done.files)),
        reads=done.reads,
        folders=found.folders,
        hidden=done.hidden,
        commented=tuple(sorted(path for path, text in found.texts.items() if mentions(text))),
    )
