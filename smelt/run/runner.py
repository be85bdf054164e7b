"""Running a selection: one lock, one warehouse, one manifest, an outcome for each model."""

from contextlib import closing
from pathlib import Path

from smelt.analysis.model import Analysis
from smelt.project.model import Project
from smelt.run.execution import Execution
from smelt.run.healing import heal
from smelt.run.interruption import Interruption
from smelt.run.model import Listener, RunRequest, RunSummary
from smelt.run.opening import OpenWarehouse, open_duckdb, open_when_free
from smelt.run.outcomes import skipped
from smelt.run.progress import Progress
from smelt.run.resume import Resumption
from smelt.run.resuming import refuse_early, resumed, resumption
from smelt.run.schedule import Schedule, schedule
from smelt.state.clock import Clock, SystemClock
from smelt.state.codec import instant
from smelt.state.coverage import bounds
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
            run_id = next_run_id(files, clock, warehouse.last_sequence())
            manifest = _first_manifest(run_id, request, steps, base, clock)
            journal = Journal(files, manifest, map(str, steps.models), clock)
            execution = Execution(
                analysis=analysis,
                request=request,
                target=target,
                run_id=run_id,
                warehouse=warehouse,
                interruption=interruption,
                progress=Progress(journal, listener),
                clock=clock,
                samples=config.error_samples,
            )
            with interruption.guarding(execution):
                _warn_of_network(root, execution.progress)
                healed = heal(journal, warehouse, [analysis.models[address] for address in steps.models])
                if healed is not None:
                    execution.progress.notice(healed)
                return execution.run(steps)


def _warn_of_network(root: Path, progress: Progress) -> None:
    kind = network_file_system(root)
    if kind is not None:
        progress.notice(f"the project lies on a network file system ({kind}): other machines may not see its lock")


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
