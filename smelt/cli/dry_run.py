"""``--dry-run``: what a run would do, and the statements it would run. Nothing is written and no lock is taken."""

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

from smelt.analysis.model import Analysis, ModelAnalysis
from smelt.cli.exits import Exit
from smelt.cli.opening import Opened
from smelt.cli.terminal import Terminal
from smelt.diagnostics.render import text
from smelt.engines.duckdb.checks import instant
from smelt.engines.duckdb.rehearsing import Rehearsed, open_to_rehearse, rehearse
from smelt.engines.duckdb.render import render
from smelt.engines.duckdb.script import script, statement_object, whole_statement
from smelt.engines.duckdb.session import Session
from smelt.engines.duckdb.statements import Statement
from smelt.engines.model import Failure, FoldRequest, WarehouseError
from smelt.plan.succession import Clear, SuccessionPlan
from smelt.project.model import Address, Target
from smelt.run.model import RunRequest
from smelt.run.outcomes import refusal
from smelt.state.store import check_version
from smelt.text.counts import counted
from smelt.text.intervals import Interval, in_words

Json = dict[str, object]
Bound = tuple[Statement, Interval | None]


@dataclass(frozen=True, slots=True)
class _Planned:
    """One model: what would be done, transaction by transaction, or why nothing would."""

    name: str
    does: Literal["build", "fold", "none", "view", "table", "refused"]
    transactions: tuple[tuple[Bound, ...], ...] = ()
    ranges: tuple[Interval, ...] = ()
    renamed: str | None = None
    failure: Failure | None = None


def dry_run(
    terminal: Terminal, opened: Opened, analysis: Analysis, target: Target, request: RunRequest, *, as_json: bool
) -> Exit:
    """Print what the run that ``request`` asks for would do.

    Raises:
        WarehouseError: the database cannot be read.
        StateError: the project's state is that of a later smelt.
    """
    chosen = frozenset(request.selection)
    redacted = tuple(opened.project.config.redacted) if opened.project.config is not None else ()
    check_version(opened.root)
    session = open_to_rehearse(opened.root, target, redacted)
    with closing(session.connection):
        planned = tuple(
            _planned(session, opened, analysis.models[address], target, request)
            for address in analysis.project.order
            if address in chosen
        )
    seeds = tuple(seed for seed in sorted(chosen) if seed in opened.project.seeds and request.command == "build")
    if as_json:
        value = {"dry_run": True, "seeds": [str(one) for one in seeds], "models": [_object(one) for one in planned]}
        terminal.result(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
    else:
        terminal.result("".join(_text(opened, terminal, seeds, planned)))
    failures = [one.failure for one in planned if one.failure is not None]
    if not failures:
        return Exit.DONE
    return Exit.APPROVAL if all(failure.approval for failure in failures) else Exit.FAILED


def _planned(session: Session, opened: Opened, model: ModelAnalysis, target: Target, request: RunRequest) -> _Planned:
    name = str(model.model.address)
    failure = refusal(model, target.name)
    if failure is not None:
        return _Planned(name, "refused", failure=failure)
    if model.shape is None:
        does: Literal["view", "table"] = "view" if model.kind == "view" else "table"
        return _Planned(name, does, (((whole_statement(model, opened.project, target), None),),))
    fold = FoldRequest(
        run_id="dry-run",
        sequence=0,
        window=request.window,
        full_refresh=request.full_refresh,
        chunk=request.chunk,
        lose_history=request.lose_history,
    )
    try:
        return _of(name, rehearse(session, opened.root, opened.project, model, fold))
    except WarehouseError as error:
        return _Planned(name, "refused", failure=error.failure)


def _of(name: str, rehearsed: Rehearsed) -> _Planned:
    rehearsal = rehearsed.rehearsal
    ranges = tuple(one for transaction in rehearsal.transactions for one in transaction)
    if not rehearsal.transactions:
        return _Planned(name, "none", renamed=rehearsed.renamed)
    transactions = tuple(
        tuple(_statements(rehearsal.plan, windows, builds=rehearsal.builds and at == 0))
        for at, windows in enumerate(rehearsal.transactions)
    )
    return _Planned(name, "build" if rehearsal.builds else "fold", transactions, ranges, rehearsed.renamed)


def _statements(plan: SuccessionPlan, windows: tuple[Interval, ...], *, builds: bool) -> Iterator[Bound]:
    for step in plan.stage:
        yield from ((statement, None) for statement in render(step))
    for window in windows:
        yield from ((statement, window) for statement in render(plan.stage_window))
    for step in (plan.inspect, *(plan.build if builds else plan.patch), Clear()):
        yield from ((statement, None) for statement in render(step))


def _text(opened: Opened, terminal: Terminal, seeds: Iterable[Address], planned: tuple[_Planned, ...]) -> Iterator[str]:
    for seed in seeds:
        yield f"-- seed {seed}: load its file, unless it is the one that was loaded last\n\n"
    for one in planned:
        yield f"-- model {one.name}: {_does(one)}\n"
        if one.failure is not None:
            found = one.failure.diagnostics
            shown_failure = text(found, opened.project.texts, terminal.out_palette, terminal.out_width)
            yield "".join(f"--   {line}\n" for line in _failure_lines(one.failure, shown_failure))
        yield "\n"
        for number, transaction in enumerate(one.transactions, start=1):
            if len(one.transactions) > 1:
                yield f"-- transaction {number} of {len(one.transactions)}\n\n"
            for statement, window in transaction:
                yield from (f"{line}\n" for line in script([statement], window))


def _failure_lines(failure: Failure, shown_failure: str) -> Iterator[str]:
    if shown_failure:
        yield from shown_failure.splitlines()
        return
    yield f"error[{failure.code}]: {failure.message}"
    if failure.help:
        yield f" = help: {failure.help}"


def _does(one: _Planned) -> str:
    moved = f"; {one.renamed} gets its new name first" if one.renamed is not None else ""
    match one.does:
        case "none":
            return f"nothing new{moved}"
        case "refused":
            return "would be refused"
        case "view":
            return "a view, made if it is missing or reads otherwise"
        case "table":
            return "rebuilt whole"
        case "build" if not one.ranges:
            return f"built from a source without rows{moved}"
        case _:
            word = "built" if one.does == "build" else "folds"
            spans = ", ".join(in_words(instant(window.start), instant(window.end)) for window in one.ranges)
            times = counted(len(one.transactions), "transaction")
            return f"{word} {spans} in {times}{moved}"


def _object(one: _Planned) -> Json:
    value: Json = {"model": one.name, "does": one.does}
    if one.failure is not None:
        value["error"] = {"code": one.failure.code, "message": one.failure.message, "help": one.failure.help}
    if one.ranges:
        value["ranges"] = [{"start": window.start.isoformat(), "end": window.end.isoformat()} for window in one.ranges]
    if one.renamed is not None:
        value["renamed_from"] = one.renamed
    value["transactions"] = [
        [statement_object(statement, window) for statement, window in transaction] for transaction in one.transactions
    ]
    return value
