"""Running a selection: one lock, one warehouse, one manifest, an outcome for each model."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from smelt.analysis.model import Analysis
from smelt.engines.model import Warehouse
from smelt.project.model import Project, ProjectConfig
from smelt.run.building import Builder
from smelt.run.endings import Endings
from smelt.run.execution import Execution
from smelt.run.healing import heal
from smelt.run.interruption import Interruption
from smelt.run.model import Listener, RunRequest, RunSummary
from smelt.run.opening import OpenWarehouse, open_duckdb, open_when_free, side_by_side
from smelt.run.outcomes import skipped
from smelt.run.pool import Pool
from smelt.run.progress import Progress
from smelt.run.resume import Resumption
from smelt.run.resuming import refuse_early, resumed, resumption, upheld
from smelt.run.retrying import Patience
from smelt.run.schedule import Schedule, schedule
from smelt.state.clock import Clock, SystemClock
from smelt.state.codec import instant
from smelt.state.coverage import bounds
from smelt.state.files import Files
from smelt.state.filesystem import network_file_system
from smelt.state.journal import Journal
from smelt.state.records import Manifest
from smelt.state.store import RunId, locked, next_run_id
from smelt.version import VERSION

_SYSTEM_CLOCK = SystemClock()


def execute(
    root: Path,
    project: Project,
    analysis: Analysis,
    request: RunRequest,
    listener: Listener,
    *,
    clock: Clock = _SYSTEM_CLOCK,
    open_warehouse: OpenWarehouse = open_duckdb,
) -> RunSummary:
    """Run what ``request`` selects, under the project's lock, and return how each part of it ended.

    A failure never stops an independent branch. Called on the main thread, Ctrl-C and SIGTERM end the run in an
    orderly way. The caller has dealt with :func:`smelt.run.preflight.project_faults`.

    Raises:
        StateError: ``.smelt/`` is locked or unusable; ``exit_code`` is in it.
        WarehouseError: the database cannot be opened; exit 4 if its failure is ``busy``, else 1.
        SystemExit: 130 or 143, for a signal that came before anything was begun.
    """
    config = project.config
    if config is None:
        raise ValueError("a project without a usable smelt.yml cannot be run")
    target = config.targets[request.target]
    steps = schedule(project, request)
    command = f"smelt {request.command}"
    deadline = clock.monotonic() + request.lock_timeout
    refuse_early(root, config, request)
    with (
        Interruption() as interruption,
        locked(
            root,
            target.name,
            config.state_mode,
            command,
            clock,
            request.lock_timeout,
            default_target=config.default_target,
        ) as files,
    ):
        base = resumption(files, root, analysis, steps, request)
        request = resumed(request, base)
        warehouse = open_when_free(lambda: open_warehouse(root, project, target), clock, deadline)
        with closing(warehouse):
            if base is not None:
                base = upheld(base, files, warehouse.last_sequence())
            return _run(root, files, analysis, request, base, warehouse, interruption, listener, clock)


def _run(
    root: Path,
    files: Files,
    analysis: Analysis,
    request: RunRequest,
    base: Resumption | None,
    warehouse: Warehouse,
    interruption: Interruption,
    listener: Listener,
    clock: Clock,
) -> RunSummary:
    """The run itself, with lock and warehouse in hand."""
    config = analysis.project.config
    if config is None:
        raise ValueError("a project without a usable smelt.yml cannot be run")
    steps = schedule(analysis.project, request)
    models = [analysis.models[address] for address in steps.models]
    run_id = next_run_id(files, clock, warehouse.last_sequence())
    journal = Journal(files, _first_manifest(run_id, request, steps, base, clock), map(str, steps.models), clock)
    healed = heal(journal, warehouse, models) if config.state_mode != "stateless" else None
    notices = [*_warnings(root, request, base, config), healed]
    with ExitStack() as opened:
        connections, single = side_by_side(warehouse, min(request.jobs, steps.width), models)
        for connection in connections[1:]:
            opened.enter_context(closing(connection))
        pool = opened.enter_context(Pool(connections))
        progress = Progress(journal, listener)
        execution = Execution(
            analysis=analysis,
            target=config.targets[request.target],
            builder=Builder(request, run_id, config.error_samples),
            pool=pool,
            patience=Patience(
                retries=request.retries,
                clock=clock,
                is_stopped=lambda: interruption.exit_code is not None,
                tell=lambda retry: pool.post(lambda: progress.retrying(retry)),
            ),
            endings=Endings(progress, interruption, clock),
        )
        with interruption.guarding(execution):
            return execution.run(steps, [notice for notice in (*notices, single) if notice is not None])


def _warnings(root: Path, request: RunRequest, base: Resumption | None, config: ProjectConfig) -> Iterator[str]:
    kind = network_file_system(root)
    if kind is not None:
        yield f"the project lies on a network file system ({kind}): other machines may not see its lock"
    if base is not None:
        yield f"goes on from run {base.base}"
        if base.lost is not None:
            yield f"the database lacks what run {base.lost} wrote: everything selected runs again"
    elif request.resume == "if-unfinished" and config.state_mode == "stateless":
        yield "`state.mode: stateless` keeps no record of runs to go on from: everything selected runs"


def _first_manifest(
    run_id: RunId, request: RunRequest, steps: Schedule, base: Resumption | None, clock: Clock
) -> Manifest:
    """What is told before anything runs: what was done already is, or a kill would lose it for the next resume."""
    done = base.done if base is not None else {}
    return Manifest(
        run_id=run_id.text,
        sequence=run_id.sequence,
        command=request.command,
        smelt_version=VERSION,
        started_at=instant(clock.now()),
        target=request.target,
        selection=steps.names,
        window=None if request.window is None else bounds(request.window),
        full_refresh=request.full_refresh,
        resumed_from=None if base is None else base.base,
        models={name: skipped("resumed", done[name]) for name in steps.names if name in done},
    )
