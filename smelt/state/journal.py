"""What a run tells as it goes: its manifest and report, and the copies of what the warehouse recorded."""

import threading
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from smelt.project.model import Granularity
from smelt.state.clock import Clock
from smelt.state.codec import instant, report_of, report_to_json
from smelt.state.coverage import Drift
from smelt.state.files import Files
from smelt.state.growing import GrowingManifest, head_of
from smelt.state.mirror import Mirror
from smelt.state.records import Landed, Manifest, ModelRecord, SchemaRecord, TestOutcome
from smelt.text.intervals import Interval

_PAUSE_SECONDS = 0.25
"""A success alone makes no write sooner than this after the last one."""
_PAUSE_SECONDS_A_MODEL = 0.001
"""No sooner than this for each model that has ended: a long manifest costs more to write."""


class Journal:
    """The records of one run, in memory and, at the points that matter, on disk.

    Memory changes before the disk does, so whoever writes last, a signal handler included, writes the newest.
    Safe for threads. Only for the holder of the lock. Each method that writes raises
    :class:`smelt.state.errors.StateError`.
    """

    def __init__(self, files: Files, manifest: Manifest, models: Iterable[str], clock: Clock) -> None:
        """Reads what the run will rewrite; a corrupt file is refused here, before any data is written."""
        self._files = files
        self._clock = clock
        self._guard = threading.RLock()
        self._head = manifest
        self._models: dict[str, ModelRecord] = dict(manifest.models)
        self._tests: dict[str, TestOutcome] = dict(manifest.tests)
        self._places = {name: at for at, name in enumerate(manifest.selection)}
        self._text = GrowingManifest(manifest)
        self._mirror = Mirror(files, models)
        self._written_at = clock.monotonic()

    @property
    def manifest(self) -> Manifest:
        """The manifest as it is now; its models are in the order of the selection, whatever ended first."""
        with self._guard:
            places, last = self._places, len(self._places)
            names = sorted(self._models, key=lambda name: places.get(name, last))
            return replace(self._head, models={name: self._models[name] for name in names}, tests=dict(self._tests))

    def cover(self, model: str, granularity: Granularity, coverage: tuple[Interval, ...]) -> Drift:
        """Note what the warehouse says a model covers; returns how the file relates to it."""
        with self._guard:
            return self._mirror.cover(model, granularity, coverage)

    def lacks(self, source: str, partitions: Interval) -> bool:
        """Whether the counts of a source's partitions do not reach from the first to the last of these."""
        with self._guard:
            return self._mirror.lacks(source, partitions)

    def land(self, source: str, granularity: Granularity, counted: Iterable[Landed]) -> None:
        """Note the partitions of a source that were counted."""
        with self._guard:
            self._mirror.land(source, granularity, counted)

    def deploy(self, model: str, record: SchemaRecord) -> None:
        """Note what a model's relation looks like now."""
        with self._guard:
            self._mirror.deploy(model, record)

    def model_ended(self, name: str, record: ModelRecord) -> None:
        """Note how a model or seed ended; a failure is written at once, the rest with the next write."""
        with self._guard:
            self._models[name] = record
            self._text.put(name, record)
            if record.outcome == "failed" or self._is_due():
                self.flush()

    def test_ended(self, name: str, outcome: TestOutcome) -> None:
        """Note how a test ended; a failure is written at once, the rest with the next write."""
        with self._guard:
            self._tests[name] = outcome
            if outcome == "failed" or self._is_due():
                self.flush()

    def finish(self, status: Literal["completed", "cancelled"], exit_code: int | None = None) -> Manifest:
        """The orderly end of the run, written; ``exit_code`` is None where it is not known yet."""
        with self._guard:
            now = instant(self._clock.now())
            self._head = replace(self._head, status=status, completed_at=now, exit_code=exit_code)
            self.flush()
            return self.manifest

    def flush(self) -> None:
        """Write what there is to tell, the manifest last: what it tells of is there by then."""
        with self._guard:
            self._mirror.flush()
            manifest = self.manifest
            self._files.save(f"reports/{manifest.run_id}.json", report_to_json(report_of(manifest)))
            self._files.put(f"runs/{manifest.run_id}.json", self._text.encode(head_of(self._head, self._tests)))
            self._written_at = self._clock.monotonic()

    def _is_due(self) -> bool:
        pause = max(_PAUSE_SECONDS, _PAUSE_SECONDS_A_MODEL * len(self._models))
        return self._clock.monotonic() - self._written_at >= pause
