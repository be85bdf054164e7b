"""The files that copy what the warehouse recorded: intervals, landed deltas, schemas.

Nothing in them decides what a table needs. They are read to be rewritten, with every field that a later smelt may
have put there kept.
"""

from collections.abc import Collection, Iterable

from smelt.project.model import Granularity
from smelt.state.codec import SCHEMA_VERSION, schema_from_json, schema_to_json, version_of
from smelt.state.coverage import (
    Drift,
    drift,
    intervals_from_json,
    intervals_to_json,
    landed_from_json,
    landed_to_json,
    merge_landed,
    roll_up,
)
from smelt.state.documents import JsonObject, MalformedDocument
from smelt.state.files import Files, corrupt_at
from smelt.state.layout import file_stem
from smelt.state.records import Landed, SchemaRecord
from smelt.state.rules import version_newer
from smelt.text.intervals import Interval

INTERVALS = "intervals.json"
LANDED = "landed_deltas.json"
_FILE_VERSION = 1


class Mirror:
    """The copies as one run knows them. Not safe for threads: the journal that owns it is."""

    def __init__(self, files: Files, models: Iterable[str]) -> None:
        """Reads all that the run may rewrite.

        Raises:
            StateError: one is corrupt or newer, so the run is refused before any data is written.
        """
        self._files = files
        self._intervals, self._interval_entries = _load_table(files, INTERVALS, "models")
        with corrupt_at(files.path(INTERVALS)):
            self._ranges = intervals_from_json(self._intervals)
        self._landed, self._landed_entries = _load_table(files, LANDED, "sources")
        with corrupt_at(files.path(LANDED)):
            self._partitions = landed_from_json(self._landed)
        self._schemas = {model: _load_schema(files, model) for model in models}
        self._changed: dict[str, JsonObject] = {}

    def cover(self, model: str, granularity: Granularity, coverage: tuple[Interval, ...]) -> Drift:
        """Note what the warehouse says a model covers; returns how the file relates to it."""
        drifted = drift(self._ranges.get(model, ()), coverage)
        known = self._interval_entries.get(model)
        written = intervals_to_json(coverage, granularity, known)
        self._ranges[model] = coverage
        if written != (known or []):
            self._changed[INTERVALS] = self._intervals
            if written:
                self._interval_entries[model] = written
            else:
                del self._interval_entries[model]
        return drifted

    def lacks(self, source: str, partitions: Interval) -> bool:
        """Whether the counts of a source's partitions do not reach from the first to the last of these."""
        known = self._partitions.get(source, ())
        return not known or known[0].interval.start > partitions.start or known[-1].interval.end < partitions.end

    def land(self, source: str, granularity: Granularity, counted: Iterable[Landed]) -> None:
        """Note the partitions of a source that were counted."""
        partitions = roll_up(merge_landed(self._partitions.get(source, ()), counted))
        known = self._landed_entries.get(source)
        written = landed_to_json(partitions, granularity, known)
        self._partitions[source] = partitions
        if written != (known or []):
            self._landed_entries[source] = written
            self._changed[LANDED] = self._landed

    def forget(self, models: Iterable[str]) -> None:
        """Drop the intervals of some models."""
        for model in models:
            if self._interval_entries.pop(model, None) is not None:
                self._changed[INTERVALS] = self._intervals

    def forget_others(self, models: Collection[str], sources: Collection[str | None]) -> None:
        """Drop the entries of models and sources that are none of these."""
        for entries, kept, name, document in (
            (self._interval_entries, models, INTERVALS, self._intervals),
            (self._landed_entries, sources, LANDED, self._landed),
        ):
            for gone in [one for one in entries if one not in kept]:
                del entries[gone]
                self._changed[name] = document

    def deploy(self, model: str, record: SchemaRecord) -> None:
        """Note what a model's relation looks like now; a record that differs in its time alone changes nothing."""
        known = self._schemas.get(model)
        written = {**(known or {}), **schema_to_json(record)}
        if known is None or {**written, "deployed_at": known.get("deployed_at")} != known:
            self._schemas[model] = written
            self._changed[schema_name(model)] = written

    def has_schema(self, model: str) -> bool:
        """Whether a model's columns are on file."""
        return self._schemas.get(model) is not None

    def flush(self) -> tuple[str, ...]:
        """Write what changed; returns the names of the documents written.

        Raises:
            StateError: a write was refused; it and what comes after it stay to be written.
        """
        written: list[str] = []
        while self._changed:
            name, document = next(iter(self._changed.items()))
            self._files.save(name, document)
            self._changed.pop(name, None)
            written.append(name)
        return tuple(written)


def covered(files: Files) -> dict[str, tuple[Interval, ...]]:
    """The ranges of every model, as ``intervals.json`` tells.

    Raises:
        StateError: the file is corrupt or newer.
    """
    document, _ = _load_table(files, INTERVALS, "models")
    with corrupt_at(files.path(INTERVALS)):
        return intervals_from_json(document)


def deployed_schema(files: Files, model: str) -> SchemaRecord | None:
    """What a model's relation looked like when it was last written; None if no run told.

    Raises:
        StateError: the file is corrupt or newer.
    """
    document = _load_schema(files, model)
    return None if document is None else schema_from_json(document)


def schema_name(model: str) -> str:
    """The document that holds a model's schema record."""
    return f"schemas/{file_stem(model)}.json"


def refuse_newer(files: Files, name: str, document: JsonObject, known: int) -> None:
    """Refuse a document of a later version than ``known``."""
    with corrupt_at(files.path(name)):
        found = version_of(document, "version")
    if found > known:
        raise version_newer.error(files.path(name), found, known)


def _load_table(files: Files, name: str, key: str) -> tuple[JsonObject, dict[str, object]]:
    document = files.load(name)
    if document is None:
        document = {"version": _FILE_VERSION, key: {}}
    refuse_newer(files, name, document, _FILE_VERSION)
    entries = document.get(key)
    with corrupt_at(files.path(name)):
        if not isinstance(entries, dict):
            raise MalformedDocument(key, "expected an object")
    return document, entries


def _load_schema(files: Files, model: str) -> JsonObject | None:
    name = schema_name(model)
    document = files.load(name)
    if document is not None:
        refuse_newer(files, name, document, SCHEMA_VERSION)
        with corrupt_at(files.path(name)):
            schema_from_json(document)
    return document
