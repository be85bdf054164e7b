"""One model's end, and a whole run's, in words. Pure."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from smelt.run.model import Ended, RunSummary
from smelt.state.records import ModelRecord, Outcome
from smelt.text.counts import counted

_SKIPPED = {
    "upstream_failed": "what it reads failed",
    "resumed": "done in the run that this one resumes",
    "cancelled": "cancelled",
    "not_reached": "not reached",
}
_WORDS: Mapping[Outcome, str] = {"success": "done", "failed": "failed", "skipped": "skipped"}
_TEST_WORDS: Mapping[Outcome, str] = {**_WORDS, "success": "passed"}


@dataclass(frozen=True, slots=True)
class Written:
    """Logical rows that a run wrote, and the events that it met and that were in already."""

    inserted: int = 0
    patched: int = 0
    tombstones: int = 0
    re_presented: int = 0

    def __add__(self, other: "Written") -> "Written":
        return Written(
            self.inserted + other.inserted,
            self.patched + other.patched,
            self.tombstones + other.tombstones,
            self.re_presented + other.re_presented,
        )

    def __str__(self) -> str:
        tombstones = counted(self.tombstones, "tombstone")
        again = f", {self.re_presented:,} in already" if self.re_presented else ""
        return f"{self.inserted:,} inserted, {self.patched:,} patched, {tombstones}{again}"


def detail(record: ModelRecord) -> str:
    """What a run did with a model, in a few words."""
    if record.outcome == "skipped":
        return _SKIPPED.get(record.skip_reason or "", "")
    if record.outcome == "failed":
        return record.error.code if record.error else ""
    written = _written(record)
    if written is not None:
        return str(written) if written != Written() else "nothing new"
    if record.row_count is None:
        return ""
    return "nothing new" if record.strategy == "none" else counted(record.row_count, "row")


def word(outcome: Outcome) -> str:
    """How a model ended, in one word."""
    return _WORDS[outcome]


def seconds(milliseconds: int) -> str:
    """A duration as a person reads it."""
    if milliseconds < 60_000:
        return f"{milliseconds / 1000:.1f} s"
    minutes, rest = divmod(milliseconds // 1000, 60)
    return f"{minutes} min {rest:02} s"


def summary_line(summary: RunSummary, seed_names: Collection[str], elapsed_ms: int) -> str:
    """The last line of a run: how many ended how, what was written, how long it took."""
    tests = [ended for ended in summary.ended if ended.name in summary.manifest.tests]
    seeds = [ended for ended in summary.ended if ended.name in seed_names]
    others = {*summary.manifest.tests, *seed_names}
    models = [ended for ended in summary.ended if ended.name not in others]
    parts = []
    if seeds:
        parts.append(f"{counted(len(seeds), 'seed')}: {_outcomes(seeds, _WORDS)}")
    if models:
        parts.append(f"{counted(len(models), 'model')}: {_outcomes(models, _WORDS)}")
    if tests:
        parts.append(f"{counted(len(tests), 'test')}: {_outcomes(tests, _TEST_WORDS)}")
    written = [one for one in (_written(ended.record) for ended in models) if one is not None]
    if written:
        parts.append(str(sum(written, Written())))
    return f"{'; '.join(parts) or 'nothing to run'} ({seconds(elapsed_ms)}, run {summary.manifest.run_id})"


def _outcomes(ended: Iterable[Ended], words: Mapping[Outcome, str]) -> str:
    outcomes = [one.record.outcome for one in ended]
    return ", ".join(f"{outcomes.count(outcome)} {word}" for outcome, word in words.items() if outcome in outcomes)


def _written(record: ModelRecord) -> Written | None:
    """What was written; None for what is no incremental model."""
    if record.rows_inserted is None:
        return None
    return Written(record.rows_inserted, record.rows_patched or 0, record.tombstones or 0, record.re_presented or 0)
