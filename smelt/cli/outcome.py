"""One model's end, and a whole run's, in words. Pure."""

from collections.abc import Iterable

from smelt.run.model import Ended, RunSummary
from smelt.state.records import ModelRecord

_SKIPPED = {
    "upstream_failed": "what it reads failed",
    "resumed": "done in the run that this one resumes",
    "cancelled": "cancelled",
    "not_reached": "not reached",
}
_COUNTS = (("rows_inserted", "inserted"), ("rows_patched", "patched"), ("tombstones", "tombstones"))


def detail(record: ModelRecord) -> str:
    """What a run did with a model, in a few words."""
    if record.outcome == "skipped":
        return _SKIPPED.get(record.skip_reason or "", "")
    if record.outcome == "failed":
        return record.error.code if record.error else ""
    counts = ", ".join(
        f"{getattr(record, name):,} {word}" for name, word in _COUNTS if getattr(record, name) is not None
    )
    if counts:
        return counts
    return "" if record.row_count is None else f"{counted(record.row_count, 'row')}"


def seconds(milliseconds: int) -> str:
    """A duration as a person reads it."""
    return f"{milliseconds / 1000:.1f} s" if milliseconds < 100_000 else f"{milliseconds // 60_000} min"


def counted(count: int, noun: str) -> str:
    """``1 row``, ``2 rows``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def summary_line(summary: RunSummary, elapsed_ms: int) -> str:
    """The last line of a run: how many ended how, what was written, how long it took."""
    models = [ended for ended in summary.ended if ended.name not in summary.manifest.tests]
    tests = [ended for ended in summary.ended if ended.name in summary.manifest.tests]
    parts = [f"{counted(len(models), 'model')}: {_outcomes(models)}" if models else "nothing to run"]
    if tests:
        parts.append(f"{counted(len(tests), 'test')}: {_outcomes(tests)}")
    written = _written(models)
    if written:
        parts.append(written)
    return f"{'; '.join(parts)} ({seconds(elapsed_ms)}, run {summary.manifest.run_id})"


def _outcomes(ended: Iterable[Ended]) -> str:
    outcomes = [one.record.outcome for one in ended]
    words = (("success", "done"), ("failed", "failed"), ("skipped", "skipped"))
    return ", ".join(f"{outcomes.count(outcome)} {word}" for outcome, word in words if outcome in outcomes)


def _written(ended: Iterable[Ended]) -> str:
    totals = {word: 0 for _, word in _COUNTS}
    known = False
    for one in ended:
        for name, word in _COUNTS:
            count = getattr(one.record, name)
            if count is not None:
                known = True
                totals[word] += count
    return ", ".join(f"{total:,} {word}" for word, total in totals.items()) if known else ""
