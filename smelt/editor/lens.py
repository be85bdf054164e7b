"""The line above a model: what it is, how its last run went, what it covers, and what can be done with it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from smelt.analysis.model import ModelAnalysis
from smelt.editor.snapshot import Snapshot
from smelt.text.counts import counted
from smelt.text.intervals import Interval, in_words
from smelt.text.spans import Span

Command = Literal["smelt.run", "smelt.explain", "smelt.verify"]


@dataclass(frozen=True, slots=True)
class LastRun:
    """How the last run of a model ended. ``started_at`` is in UTC; counts are None where nothing was folded."""

    outcome: Literal["success", "failed", "skipped"]
    started_at: datetime
    inserted: int | None = None
    patched: int | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """What is on record of a model: its last run, if there was one, and the ranges that it covers."""

    last_run: LastRun | None = None
    covered: tuple[Interval, ...] = ()


@dataclass(frozen=True, slots=True)
class Lens:
    """Words above ``span``; a click on them is ``command``, to do something with ``model``."""

    span: Span
    title: str
    command: Command
    model: str


def lenses(snapshot: Snapshot, file: str, past: Past) -> tuple[Lens, ...]:
    """The line above a model's file; none above any other."""
    analysis = snapshot.model(file)
    if analysis is None:
        return ()
    top, model = Span(0, 0), str(analysis.model.address)
    told = " · ".join(_told(analysis, past))
    found = [Lens(top, told, "smelt.explain", model)]
    if analysis.kind != "refused":
        found.append(Lens(top, "run", "smelt.run", model))
    found.append(Lens(top, "explain", "smelt.explain", model))
    if analysis.kind == "succession":
        found.append(Lens(top, "verify", "smelt.verify", model))
    return tuple(found)


def _told(analysis: ModelAnalysis, past: Past) -> Iterator[str]:
    yield analysis.kind
    yield _last_run(past.last_run)
    if analysis.kind == "succession":
        yield _coverage(past.covered)


def _last_run(run: LastRun | None) -> str:
    if run is None:
        return "never run"
    when = run.started_at.strftime("%Y-%m-%d %H:%M UTC")
    if run.outcome != "success":
        return f"{run.outcome} {when}"
    counts = [f"{counted(run.inserted, 'row')} inserted"] if run.inserted is not None else []
    counts += [f"{run.patched:,} patched"] if run.patched else []
    return f"last run {when}" + (f": {', '.join(counts)}" if counts else "")


def _coverage(covered: tuple[Interval, ...]) -> str:
    if not covered:
        return "covers nothing"
    gaps = f", {counted(len(covered) - 1, 'gap')}" if len(covered) > 1 else ""
    return f"covers {in_words(_end(covered[0].start), _end(covered[-1].end))}{gaps}"


def _end(moment: datetime) -> str:
    midnight = (moment.hour, moment.minute, moment.second) == (0, 0, 0)
    return moment.date().isoformat() if midnight else moment.isoformat(sep=" ", timespec="minutes")
