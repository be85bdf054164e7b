"""What ``run``, ``build`` and ``seed`` have in common: from options to a finished run."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import click

from smelt.analysis.model import Analysis
from smelt.cli.command import Invocation
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop, not_available
from smelt.cli.numbers import MOST_JOBS, MOST_RETRIES, count
from smelt.cli.opening import Opened, judged, keep_answers, open_project, selected, sound, target_of
from smelt.cli.showing import Show, TextShow
from smelt.cli.waiting import lock_timeout_option
from smelt.cli.window import check_bounds, parse_window
from smelt.diagnostics.model import Diagnostic, Severity
from smelt.engines.model import WarehouseError
from smelt.project.model import Address
from smelt.run.model import RunRequest, RunSummary
from smelt.state.errors import StateError
from smelt.text.intervals import Interval

Command = Literal["run", "build", "seed", "repair"]
F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of a run, as click hands them over."""

    selectors: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    start: str | None = None
    end: str | None = None
    full_refresh: bool = False
    lose_history: bool = False
    chunk: int | None = None
    fail_fast: bool = False
    jobs: int = 1
    retries: int = 0
    lock_timeout: float = 0.0
    as_json: bool = False
    dry_run: bool = False
    resume: bool = False
    resume_or_run: bool = False
    log_format: str = "text"

    def request(
        self, command: Command, command_line: str, target: str, selection: tuple[Address, ...], window: Interval | None
    ) -> RunRequest:
        """What these options ask of a run."""
        return RunRequest(
            command=command,
            command_line=command_line,
            target=target,
            selection=selection,
            window=window,
            full_refresh=self.full_refresh,
            lose_history=self.lose_history,
            chunk=self.chunk,
            fail_fast=self.fail_fast,
            jobs=self.jobs,
            retries=self.retries,
            lock_timeout=self.lock_timeout,
            resume="always" if self.resume else "if-unfinished" if self.resume_or_run else "never",
        )

    @property
    def include(self) -> tuple[str, ...]:
        """All selectors, whichever way they were given."""
        return (*self.selectors, *self.select)


def selection_options(function: F) -> F:
    """Positional selectors, ``--select`` and ``--exclude``."""
    for decorate in (
        click.option("--exclude", multiple=True, metavar="SELECTOR", help="Leave these out; may be repeated."),
        click.option("--select", multiple=True, metavar="SELECTOR", help="The same as SELECT; may be repeated."),
        click.argument("selectors", nargs=-1, metavar="[SELECT]..."),
    ):
        function = decorate(function)
    return function


def lock_and_json_options(function: F) -> F:
    """``--jobs``, ``--retries``, ``--fail-fast``, ``--lock-timeout``, ``--json`` and ``--log-format``."""
    for decorate in (
        click.option(
            "--log-format",
            type=click.Choice(["text", "json"]),
            default="text",
            help="json: print a line of JSON on stdout for each event, and no progress on stderr.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print the run's summary as JSON on stdout."),
        lock_timeout_option,
        click.option("--fail-fast", is_flag=True, help="Begin nothing more once something has failed."),
        click.option(
            "--retries",
            type=count(0, MOST_RETRIES),
            default=0,
            metavar="N",
            help="Try a step again, up to N times, that failed for a passing reason: network, lock, conflict.",
        ),
        click.option(
            "--jobs",
            type=count(1, MOST_JOBS),
            default=1,
            metavar="N",
            help="Work on up to N models at once, each after those it reads.",
        ),
    ):
        function = decorate(function)
    return function


def window_options(function: F) -> F:
    """What of the run axis to fold, and how; with the options that later releases bring."""
    for decorate in (
        *_later("--since-upstream"),
        click.option(
            "--resume-or-run",
            is_flag=True,
            help="Go on from the last run if it left something undone, else run everything: to try again.",
        ),
        click.option(
            "--resume",
            is_flag=True,
            help="Go on from the last run that left something undone; what it brought up to date is left alone.",
        ),
        click.option(
            "--dry-run",
            is_flag=True,
            help="Print what would be folded and the statements that would run, and touch nothing.",
        ),
        click.option(
            "--chunk",
            type=count(1),
            metavar="N",
            help="Without a window: commit every N partitions instead of once.",
        ),
        click.option(
            "--lose-history", is_flag=True, help="Rebuild although the source no longer has all that was folded."
        ),
        click.option("--full-refresh", is_flag=True, help="Rebuild the tables from their whole sources."),
        click.option("--event-time-end", "--end", "end", metavar="TIME", help="The end of the window, not part of it."),
        click.option(
            "--event-time-start",
            "--start",
            "start",
            metavar="TIME",
            help="Fold this window of the run axis: an ISO date or timestamp, in UTC.",
        ),
    ):
        function = decorate(function)
    return function


def _later(*names: str) -> Iterator[Callable[[F], F]]:
    def refuse(context: click.Context, parameter: click.Parameter, value: bool) -> None:
        if value:
            raise not_available(parameter.opts[0])

    for name in names:
        yield click.option(name, is_flag=True, hidden=True, expose_value=False, callback=refuse)


def run(invocation: Invocation, command: Command, options: RunOptions) -> Exit:
    """Do what the options ask for, show how it goes, and return how it ended."""
    terminal = invocation.terminal
    if options.log_format == "text":
        return _run(invocation, command, options, lambda texts: TextShow(terminal, texts))
    from smelt.cli.event_log import EventLog

    if options.as_json or options.dry_run:
        other = "--json" if options.as_json else "--dry-run"
        raise Stop(Exit.USAGE, f"--log-format json and {other} both print on stdout", "give one of them")
    try:
        return _run(invocation, command, options, lambda texts: EventLog(terminal, texts))
    except Stop as stop:
        EventLog(terminal, {}).stopped(stop)
        raise


def _run(
    invocation: Invocation, command: Command, options: RunOptions, show_of: Callable[[Mapping[str, str]], Show]
) -> Exit:
    window = _window(options)
    opened = open_project(invocation)
    show = show_of(opened.project.texts)
    looked = judged(opened)
    analysis = looked.analysis
    config = sound(opened, analysis)
    target = target_of(config, invocation.target)
    addresses = selected(opened.project, options.include, options.exclude)
    if window is not None:
        check_bounds(window, (analysis.models[address] for address in addresses if address in analysis.models))
    advice = () if command == "seed" else _advice(analysis, addresses)
    if advice:
        show.warn(advice)
    request = options.request(command, invocation.command_line, target.name, addresses, window)
    if options.dry_run:
        from smelt.cli.dry_run import dry_run
        from smelt.run.resuming import rehearsed

        with known_faults(opened):
            request = rehearsed(opened.root, analysis, request)
            return dry_run(invocation.terminal, opened, analysis, target, request, as_json=options.as_json)
    from smelt.run.runner import execute

    keep_answers(opened, looked.answers)
    began = time.monotonic()
    with known_faults(opened), show.listening() as listener:
        summary = execute(opened.root, opened.project, analysis, request, listener)
    elapsed = round((time.monotonic() - began) * 1000)
    show.ended(summary, {str(address) for address in opened.project.seeds}, elapsed)
    if options.as_json:
        invocation.terminal.result(json.dumps(summary_object(summary), indent=2) + "\n")
    return Exit(summary.exit_code)


def summary_object(summary: RunSummary) -> dict[str, Any]:
    """What ``--json`` prints: the run's manifest, with its exit code and notices."""
    from smelt.state.codec import manifest_to_json

    written = dict(manifest_to_json(summary.manifest))
    return {**written, "exit_code": summary.exit_code, "notices": list(summary.notices)}


def _window(options: RunOptions) -> Interval | None:
    window = parse_window(options.start, options.end)
    if window is not None and options.full_refresh:
        raise Stop(
            Exit.USAGE,
            "--full-refresh with a window would drop the history outside it",
            "give --full-refresh without a window, or the window without --full-refresh",
        )
    if options.resume and options.resume_or_run:
        raise Stop(Exit.USAGE, "--resume and --resume-or-run differ in what they do when nothing was left undone")
    if window is not None and options.chunk is not None:
        raise Stop(Exit.USAGE, "--chunk cuts a run without a window", "leave out --chunk: a window is one transaction")
    return window


def _advice(analysis: Analysis, addresses: tuple[Address, ...]) -> tuple[Diagnostic, ...]:
    """The warnings of the models that will be run; refused ones speak when their turn comes."""
    return tuple(
        finding
        for address in addresses
        if address in analysis.models and analysis.models[address].kind != "refused"
        for finding in analysis.models[address].diagnostics
        if finding.severity is Severity.WARNING
    )


@contextmanager
def known_faults(opened: Opened) -> Iterator[None]:
    """Inside, what state and warehouse raise becomes a :class:`Stop` with its exit code."""
    try:
        yield
    except StateError as error:
        raise Stop(Exit(error.exit_code), error.message, error.help, code=error.code) from error
    except WarehouseError as error:
        failure = error.failure
        exit_code = Exit.LOCKED if failure.busy else Exit.APPROVAL if failure.approval else Exit.FAILED
        exit_code = Exit.USAGE if failure.setting else exit_code
        if failure.diagnostics:
            raise Stop(exit_code, diagnostics=failure.diagnostics, texts=opened.project.texts) from error
        raise Stop(exit_code, failure.message, failure.help, code=failure.code) from error
