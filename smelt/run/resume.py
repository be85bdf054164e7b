"""What ``--resume`` goes on from, and which models it leaves alone. Pure: past runs in, a decision out."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from smelt.state.records import Manifest, ModelRecord

Window = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """The run that is asked for.

    Attributes:
        selection: printed names of seeds and models, in the order they would run.
        hashes: for each of these the hash of what it is now; None if it is refused or cannot be read.
        reads: for each model of the project, selected or not and each after what it reads, what it reads.
        window: as manifests have it; None if none was given.
    """

    command: Literal["run", "build"]
    selection: tuple[str, ...]
    hashes: Mapping[str, str | None]
    reads: Mapping[str, tuple[str, ...]]
    window: Window | None = None
    full_refresh: bool = False


@dataclass(frozen=True, slots=True)
class Resumption:
    """The run that goes on from another one.

    Attributes:
        base: the run id of the other one.
        done: what need not run again, each name with the hash of what it is and was.
        window: the window to fold; None folds what is new.
        lost: the newest run that wrote something, if the warehouse does not know of it; then nothing is done.
    """

    base: str
    done: Mapping[str, str]
    window: Window | None
    full_refresh: bool
    lost: str | None = None


@dataclass(frozen=True, slots=True)
class NothingToResume:
    """There is no run to go on from: ``newest`` ended well, or, if None, none had to do with what is selected."""

    newest: str | None


@dataclass(frozen=True, slots=True)
class OtherWindow:
    """The run to go on from had another window than the one asked for."""

    base: str
    had: Window | None
    asked: Window


def plan_resume(
    runs: Iterable[Manifest], named: Callable[[str], Manifest | None], asked: Asked
) -> Resumption | NothingToResume | OtherWindow:
    """How to go on from the last run that left something undone.

    Args:
        runs: the runs of the target, newest first by sequence; read no further than needed.
        named: the run of an id; None if its manifest is gone.
        asked: what is to be run now.
    """
    past = _Past(named)
    base = _base(runs, past, asked)
    if isinstance(base, NothingToResume):
        return base
    if asked.window is not None and asked.window != base.window:
        return OtherWindow(base.run_id, base.window, asked.window)
    given = asked.full_refresh or asked.window is not None
    return Resumption(
        base=base.run_id,
        done=_done(past, base, asked),
        window=asked.window if given else base.window,
        full_refresh=asked.full_refresh if given else base.full_refresh,
    )


def held_to(found: Resumption, runs: Iterable[Manifest], recorded: int) -> Resumption:
    """The same, or with nothing done if the warehouse is an older one than the manifests tell of, or a new one.

    Args:
        found: what the manifests alone say.
        runs: as for :func:`plan_resume`.
        recorded: the newest run's number that the warehouse knows; 0 if it knows of none.
    """
    for run in runs:
        if run.sequence <= recorded:
            return found
        if any(_is_recorded(record) for record in run.models.values()):
            return replace(found, done={}, lost=run.run_id)
    return found


def _is_recorded(record: ModelRecord) -> bool:
    """Whether the run's number came into the table of record with what was done; with less it may have."""
    if record.strategy in ("table", "seed", "succession-build"):
        return True
    return bool(record.rows_inserted or record.tombstones)


@dataclass(frozen=True, slots=True)
class _Past:
    """Past runs, and what became of a model in them."""

    named: Callable[[str], Manifest | None]

    def did(self, run: Manifest, name: str) -> bool:
        """Whether a model was brought up to date in a run, or in the one that this run went on from."""
        while True:
            record = run.models.get(name)
            if record is None or record.skip_reason != "resumed":
                return record is not None and record.outcome == "success"
            if run.resumed_from is None:
                return False
            earlier = self.named(run.resumed_from)
            if earlier is None:
                return True  # cleaned away; the one that went on from it saw that it was done
            if earlier.sequence >= run.sequence:
                return False
            run = earlier

    def is_whole(self, run: Manifest, command: Literal["run", "build"]) -> bool:
        """Whether a run left nothing undone that a run of ``command`` could do."""
        if run.completed_at is None:
            return False
        tested = command == "run" or all(outcome == "passed" for outcome in run.tests.values())
        return tested and all(self.did(run, name) for name in (*run.selection, *run.models))


def _base(runs: Iterable[Manifest], past: _Past, asked: Asked) -> Manifest | NothingToResume:
    selected = frozenset(asked.selection)
    newest = True
    for run in runs:
        if run.command not in ("run", "build"):
            continue
        if run.completed_at is None:
            return run
        overlaps = not selected.isdisjoint(run.selection)
        if (newest or overlaps) and past.is_whole(run, asked.command):
            return NothingToResume(run.run_id)
        if overlaps:
            return run
        newest = False
    return NothingToResume(None)


def _done(past: _Past, base: Manifest, asked: Asked) -> dict[str, str]:
    """The names that were done and have not changed, and read nothing that runs again, however far up."""
    seeds = [name for name in asked.selection if name not in asked.reads]
    selected = frozenset(asked.selection)
    again: set[str] = set()
    done: dict[str, str] = {}
    for name in (*seeds, *asked.reads):
        now = asked.hashes.get(name)
        if any(parent in again for parent in asked.reads.get(name, ())):
            again.add(name)
        elif name not in selected:
            continue
        elif now is not None and past.did(base, name) and base.models[name].definition_hash == now:
            done[name] = now
        else:
            again.add(name)
    return done
