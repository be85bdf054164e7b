"""``--resume`` put to a target's manifests: what to go on from, or a refusal."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path

from smelt.analysis.model import Analysis
from smelt.engines.digests import seed_digest
from smelt.plan.windows import Grid
from smelt.project.model import Project, ProjectConfig
from smelt.run.model import RunRequest
from smelt.run.resume import Asked, NothingToResume, OtherWindow, Resumption, held_to, plan_resume
from smelt.run.rules import nothing_to_resume, resume_window_differs
from smelt.run.schedule import Schedule, schedule
from smelt.state.coverage import bounds
from smelt.state.files import Files
from smelt.state.past import newest_first, run_named
from smelt.state.store import reading
from smelt.text.intervals import Interval


def refuse_early(root: Path, config: ProjectConfig, request: RunRequest) -> None:
    """Refuse what cannot be resumed whatever the lock's holder does, before anything is made under ``.smelt/``.

    Raises:
        StateError: ``NothingToResume``, or ``.smelt/`` cannot be used.
    """
    if request.resume != "always":
        return
    if config.state_mode == "stateless":
        raise nothing_to_resume.stateless(request.command)
    if (
        config.state_mode == "intervals"
        and not reading(root, request.target, default_target=config.default_target).run_ids()
    ):
        raise nothing_to_resume.error(request.command, request.target, None)


def resumption(files: Files, root: Path, analysis: Analysis, steps: Schedule, request: RunRequest) -> Resumption | None:
    """What the run goes on from; None for a run that begins anew.

    Raises:
        StateError: ``NothingToResume``, ``ResumeWindowDiffers``, or a manifest is damaged.
    """
    if request.resume == "never" or request.command in ("seed", "repair"):
        return None
    asked = Asked(
        command="build" if request.command == "build" else "run",
        selection=steps.names,
        hashes=_hashes(root, analysis, steps),
        reads=_reads(analysis.project),
        window=None if request.window is None else bounds(request.window),
        full_refresh=request.full_refresh,
    )
    found = plan_resume(newest_first(files), cache(lambda run_id: run_named(files, run_id)), asked)
    if isinstance(found, NothingToResume):
        if request.resume == "if-unfinished":
            return None
        raise nothing_to_resume.error(request.command, request.target, found.newest)
    if isinstance(found, OtherWindow):
        raise resume_window_differs.error(found.base, found.had, found.asked)
    _check_window(found, analysis, steps, request)
    return found


def upheld(found: Resumption, files: Files, recorded: int) -> Resumption:
    """What is left of it beside a warehouse that knows of runs up to number ``recorded``.

    Raises:
        StateError: a manifest is damaged.
    """
    return held_to(found, newest_first(files), recorded)


def resumed(request: RunRequest, found: Resumption | None) -> RunRequest:
    """The request with the window and the kind of the run that it goes on from."""
    if found is None:
        return request
    return replace(request, window=_interval(found), full_refresh=found.full_refresh)


def rehearsed(root: Path, analysis: Analysis, request: RunRequest) -> RunRequest:
    """The request cut down to what a resumed run would do: for a dry run, without the lock.

    Raises:
        StateError: as :func:`refuse_early` and :func:`resumption`.
    """
    config = analysis.project.config
    if config is None or request.resume == "never":
        return request
    refuse_early(root, config, request)
    if config.state_mode == "stateless":
        return request
    files = reading(root, request.target, default_target=config.default_target)
    found = resumption(files, root, analysis, schedule(analysis.project, request), request)
    selection = tuple(one for one in request.selection if found is None or str(one) not in found.done)
    return replace(resumed(request, found), selection=selection)


def _hashes(root: Path, analysis: Analysis, steps: Schedule) -> Mapping[str, str | None]:
    models = {str(address): analysis.models[address].definition_hash for address in steps.models}
    seeds = {str(seed.address): seed_digest(root, seed) for seed in steps.seeds}
    return {**seeds, **models}


def _reads(project: Project) -> Mapping[str, tuple[str, ...]]:
    return {
        str(address): tuple(str(reference.address) for reference in project.models[address].references)
        for address in project.order
    }


def _check_window(found: Resumption, analysis: Analysis, steps: Schedule, request: RunRequest) -> None:
    """A window that was taken over fits what is asked for now."""
    window = _interval(found)
    if found.window is None or window is None:
        return
    if request.chunk is not None:
        raise resume_window_differs.chunked(found.base, found.window)
    for address in steps.models:
        shape = analysis.models[address].shape
        if shape is not None and _cuts(Grid(shape.granularity, shape.week_start), window):
            raise resume_window_differs.misfit(found.base, found.window, str(address), shape.granularity)


def _cuts(grid: Grid, window: Interval) -> bool:
    return any(grid.nearest(bound) is not None for bound in (window.start, window.end))


def _interval(found: Resumption) -> Interval | None:
    if found.window is None:
        return None
    start, end = found.window
    return Interval(datetime.fromisoformat(start), datetime.fromisoformat(end))
