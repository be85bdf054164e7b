"""What the last check of a project found, kept in ``target/.cache``.

It is an aid and nothing more: it may be deleted at any time, one that is damaged or of another build is as good as
none, and a folder that cannot be written goes without. It is read without the parser, so that an unchanged project
is answered at once.
"""

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from smelt.diagnostics.codec import pack, unpack
from smelt.diagnostics.model import Code, Diagnostic, Severity
from smelt.workspace.inventory import Noted, digest

_FOLDER = ("target", ".cache")
_REPORT = "check.json"
_RECORDS = "check-records.json"
_ANSWERS = "answers.json"


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a check.

    Attributes:
        key: of everything but the files that the outcome depends on.
        folders: where the project's files lie.
        noted: the files.
        seeds: paths of CSV files.
        findings: in order.
        looked_at: the files that were looked at, sorted.
        reads: for each model's file the folded names of what it reads.
        commented: the files with a comment that may allow a finding, sorted.
    """

    key: str
    folders: tuple[str, ...]
    noted: Mapping[str, Noted]
    seeds: tuple[str, ...]
    findings: tuple[Diagnostic, ...]
    looked_at: tuple[str, ...]
    reads: Mapping[str, tuple[str, ...]]
    commented: tuple[str, ...]


def load_report(root: Path) -> Report | None:
    """The last report, if there is one that can be read."""
    value = _load(root, _REPORT)
    if value is None:
        return None
    with contextlib.suppress(KeyError, TypeError, ValueError):
        codes = {name: Code(name, Severity(severity), "") for name, severity in value["codes"].items()}
        return Report(
            key=value["key"],
            folders=tuple(value["folders"]),
            noted={path: Noted(tuple(stamp) if stamp else None, found) for path, stamp, found in value["files"]},
            seeds=tuple(value["seeds"]),
            findings=tuple(unpack(one, codes.__getitem__) for one in value["findings"]),
            looked_at=tuple(value["looked_at"]),
            reads={file: tuple(names) for file, names in value["reads"].items()},
            commented=tuple(value["commented"]),
        )
    return None


def load_records(root: Path, key: str) -> Mapping[str, Any]:
    """What is known of each file, as JSON values; nothing if it was noted under another key."""
    return _noted(root, _RECORDS, key, "records")


def load_answers(root: Path, key: str) -> Mapping[str, Any]:
    """What DuckDB said of queries, as JSON values; nothing if that was noted under another key."""
    return _noted(root, _ANSWERS, key, "answers")


@dataclass(frozen=True, slots=True)
class Writer:
    """A folder to write into. ``began`` is its file system's time, in nanoseconds, when it was opened."""

    folder: Path
    began: int

    def report(self, report: Report) -> None:
        """Keep a report."""
        codes = {finding.code.name: finding.code.severity.value for finding in report.findings}
        value = {
            "key": report.key,
            "folders": report.folders,
            "files": [[path, noted.stamp, noted.digest] for path, noted in report.noted.items()],
            "seeds": report.seeds,
            "codes": codes,
            "findings": [pack(finding) for finding in report.findings],
            "looked_at": report.looked_at,
            "reads": report.reads,
            "commented": report.commented,
        }
        _save(self.folder / _REPORT, value)

    def records(self, key: str, records: Mapping[str, Any]) -> None:
        """Keep what is known of each file."""
        _save(self.folder / _RECORDS, {"key": key, "records": records})

    def answers(self, key: str, answers: Mapping[str, Any]) -> None:
        """Keep what DuckDB said of queries."""
        _save(self.folder / _ANSWERS, {"key": key, "answers": answers})


def writer(root: Path) -> Writer | None:
    """The cache of a project, to be written; None where it cannot be."""
    folder = root.joinpath(*_FOLDER)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _beside(folder / "clock") as probe:
            probe.touch()
            return Writer(folder, probe.stat().st_mtime_ns)
    except OSError:
        return None


def clear(root: Path) -> bool:
    """Delete the cache; returns whether there was one.

    Raises:
        OSError: it cannot be deleted.
    """
    folder = root.joinpath(*_FOLDER)
    if not folder.exists():
        return False
    shutil.rmtree(folder)
    return True


def _noted(root: Path, name: str, key: str, field: str) -> Mapping[str, Any]:
    value = _load(root, name)
    if value is None or value.get("key") != key or not isinstance(value.get(field), dict):
        return {}
    noted: Mapping[str, Any] = value[field]
    return noted


def _load(root: Path, name: str) -> dict[str, Any] | None:
    """The content of a file whose first line is the digest of the rest."""
    try:
        written, _, body = root.joinpath(*_FOLDER, name).read_bytes().partition(b"\n")
    except OSError:
        return None
    if written.decode("ascii", "replace") != digest(body):
        return None
    with contextlib.suppress(ValueError):
        value = json.loads(body)
        return value if isinstance(value, dict) else None
    return None


def _save(path: Path, value: object) -> None:
    body = json.dumps(value, separators=(",", ":")).encode()
    # No fsync: what a power cut leaves of the file has not the digest that its first line tells.
    with contextlib.suppress(OSError), _beside(path) as temp:
        temp.write_bytes(digest(body).encode() + b"\n" + body)
        temp.replace(path)


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A name for a temporary file, which is gone in the end."""
    temp = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        yield temp
    finally:
        with contextlib.suppress(OSError):
            temp.unlink(missing_ok=True)
