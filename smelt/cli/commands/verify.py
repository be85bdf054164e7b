"""``smelt verify``: tables held against their own SQL."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import click

from smelt.analysis.model import ModelAnalysis
from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.cli.opening import Opened, analysed, open_project, selected, sound, target_of
from smelt.cli.running import known_faults, selection_options
from smelt.cli.tables import plain_table
from smelt.cli.terminal import Terminal
from smelt.diagnostics.render import text
from smelt.engines.duckdb.reader import Reader, open_reader
from smelt.engines.duckdb.verifying import Compared, Rows, Verified, verify
from smelt.engines.model import Failure, WarehouseError
from smelt.state.store import check_version
from smelt.text.counts import counted

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of one model: compared, never built (neither), or failed."""

    model: str
    verified: Verified | None = None
    failure: Failure | None = None


@command(
    "verify",
    example="smelt verify\nsmelt verify customer_history\nsmelt verify --strict --json",
    short_help="Hold tables against their own SQL.",
)
@selection_options
@click.option("--strict", is_flag=True, help="Exit 1 also if the source has partitions that were never folded.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: each model and what was found.")
def main(
    invocation: Invocation,
    selectors: tuple[str, ...],
    select: tuple[str, ...],
    exclude: tuple[str, ...],
    strict: bool,
    as_json: bool,
) -> Exit:
    """Compare the tables of incremental models with their SQL over all that was folded, row by row, both ways.

    Only reads: it takes no lock and changes nothing. It reads the source anew, so it costs as much as a rebuild.
    Exit code 1 means that a table or its tombstone ledger differs.
    """
    opened = open_project(invocation)
    analysis = analysed(opened)
    config = sound(opened, analysis)
    target = target_of(config, invocation.target)
    addresses = selected(opened.project, (*selectors, *select), exclude)
    models = [analysis.models[one] for one in opened.project.order if one in addresses and one in analysis.models]
    kept = [model for model in models if model.shape is not None]
    if (selectors or select) and not kept:
        raise Stop(Exit.USAGE, "nothing to verify", "views and rebuilt tables are what their SQL gives at each run")
    outcomes: tuple[_Outcome, ...] = ()
    with known_faults(opened):
        check_version(opened.root)
        reader = open_reader(opened.root, target, tuple(config.redacted)) if kept else None
        if kept and reader is None:
            raise Stop(Exit.FAILED, f"nothing is built in target {target.name} yet", "`smelt run` builds it")
        if reader is not None:
            with closing(reader):
                outcomes = tuple(_verified(opened, reader, model, config.error_samples) for model in kept)
    if as_json:
        invocation.terminal.result(json.dumps({"models": [_object(one) for one in outcomes]}, indent=2) + "\n")
    else:
        _print(invocation.terminal, opened, outcomes)
    return _exit(outcomes, fails_behind=strict)


def _verified(opened: Opened, reader: Reader, model: ModelAnalysis, samples: int) -> _Outcome:
    name = str(model.model.address)
    try:
        return _Outcome(name, verify(reader.session, opened.root, opened.project, model, samples))
    except WarehouseError as error:
        return _Outcome(name, failure=error.failure)


def _exit(outcomes: tuple[_Outcome, ...], *, fails_behind: bool) -> Exit:
    if any(one.verified is not None and one.verified.differs for one in outcomes):
        return Exit.FAILED
    failures = [one.failure for one in outcomes if one.failure is not None]
    if failures:
        return Exit.APPROVAL if all(failure.approval for failure in failures) else Exit.FAILED
    behind = any(one.verified is not None and one.verified.behind for one in outcomes)
    return Exit.FAILED if behind and fails_behind else Exit.DONE


def _print(terminal: Terminal, opened: Opened, outcomes: tuple[_Outcome, ...]) -> None:
    width = max((len(one.model) for one in outcomes), default=0)
    for one in outcomes:
        terminal.result(f"{_word(one):<8} {one.model:<{width}}  {'; '.join(_details(one))}\n")
        if one.failure is not None:
            found = one.failure.diagnostics
            shown = text(found, opened.project.texts, terminal.out_palette, terminal.out_width) if found else ""
            terminal.result(shown or f"error[{one.failure.code}]: {one.failure.message}\n = help: {one.failure.help}\n")
        elif one.verified is not None:
            _print_differences(terminal, one.verified)


def _word(one: _Outcome) -> str:
    if one.failure is not None:
        return "failed"
    if one.verified is None:
        return "unbuilt"
    return "differs" if one.verified.differs else "same"


def _details(one: _Outcome) -> Iterator[str]:
    found = one.verified
    if found is None:
        yield one.failure.code if one.failure is not None else "never built"
        return
    yield counted(found.rows, "row")
    if found.tombstones is not None:
        yield counted(found.tombstones, "tombstone")
    if found.behind:
        yield f"behind by {counted(found.behind, 'partition')} with {counted(found.behind_rows, 'row')}"
    if found.changed:
        yield (
            f"{counted(found.changed, 'folded partition')} with another row count in the source now: "
            f"{counted(found.left_out, 'key')} left out"
        )


def _print_differences(terminal: Terminal, found: Verified) -> None:
    for where, compared in (("table", found.table), ("tombstone ledger", found.ledger)):
        if compared is not None:
            _print_rows(terminal, f"in the {where}, and should not be", compared, compared.unexpected)
            _print_rows(terminal, f"missing from the {where}", compared, compared.missing)


def _print_rows(terminal: Terminal, what: str, compared: Compared, rows: Rows) -> None:
    if not rows.count:
        return
    shown = [["NULL" if value is None else str(value) for value in row] for row in rows.sample]
    more = f", {len(shown)} of them" if len(shown) < rows.count else ""
    terminal.result(f"{counted(rows.count, 'row')} {what}{more}:\n")
    if shown:
        terminal.result(plain_table(compared.columns, shown))


def _object(one: _Outcome) -> Json:
    if one.failure is not None:
        error = {"code": one.failure.code, "message": one.failure.message, "help": one.failure.help}
        return {"model": one.model, "outcome": "failed", "error": error}
    found = one.verified
    if found is None:
        return {"model": one.model, "outcome": "unbuilt"}
    return {
        "model": one.model,
        "outcome": _word(one),
        "rows": found.rows,
        "tombstones": found.tombstones,
        "table": _compared_object(found.table),
        "ledger": None if found.ledger is None else _compared_object(found.ledger),
        "behind": {"partitions": found.behind, "rows": found.behind_rows},
        "changed_partitions": found.changed,
        "keys_left_out": found.left_out,
    }


def _compared_object(compared: Compared) -> Json:
    return {
        side: {"count": rows.count, "sample": [dict(zip(compared.columns, row, strict=True)) for row in rows.sample]}
        for side, rows in (("unexpected", compared.unexpected), ("missing", compared.missing))
    }
