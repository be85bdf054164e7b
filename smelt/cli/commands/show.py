"""``smelt show``: rows of a built relation."""

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

import click

from smelt.analysis.model import Analysis, ModelAnalysis
from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.cli.numbers import count
from smelt.cli.opening import classified, open_project, relation_named, target_of, usable
from smelt.cli.running import known_faults
from smelt.cli.tables import csv_table, is_numeric, plain_table
from smelt.cli.terminal import Terminal
from smelt.engines.duckdb.reader import InForce, Reader, Relation, RowQuery, UnreadableValue, open_reader
from smelt.explain.model import ledger_name
from smelt.state.store import check_version
from smelt.text.counts import counted

Format = Literal["table", "json", "csv"]

_SCREENFUL = 20
_EXAMPLE = """\
smelt show customer_history --key 42
smelt show customer_history --as-of 2025-03-01 --limit 10
smelt show customer_history --csv > history.csv"""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What to show; ``limit`` None is the format's own default, 0 is no limit."""

    keys: tuple[str, ...]
    as_of: str | None
    limit: int | None
    format: Format

    @property
    def rows(self) -> int | None:
        if self.limit is None:
            return _SCREENFUL if self.format == "table" else None
        return self.limit or None


@command("show", example=_EXAMPLE, short_help="Print rows of a built relation.")
@click.argument("model")
@click.option(
    "--limit",
    type=count(0),
    metavar="N",
    help=f"At most N rows, 0 for all. {_SCREENFUL} if not given; with --json or --csv all.",
)
@click.option(
    "--key", "keys", multiple=True, metavar="K", help="Rows of this key; of a composite one, each part in order."
)
@click.option("--as-of", metavar="TIME", help="Of each key only the version in force at this time.")
@click.option("--json", "as_json", is_flag=True, help="A JSON array with an object for each row.")
@click.option("--csv", "as_csv", is_flag=True, help="CSV with a header; NULL is empty, an empty text is quoted.")
def main(
    invocation: Invocation,
    model: str,
    limit: int | None,
    keys: tuple[str, ...],
    as_of: str | None,
    as_json: bool,
    as_csv: bool,
) -> Exit:
    """Print rows of MODEL as it is built, from a connection that only reads."""
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other", click.get_current_context())
    wanted = _Wanted(keys, as_of, limit, "json" if as_json else "csv" if as_csv else "table")
    opened = open_project(invocation)
    config = usable(opened)
    target = target_of(config, invocation.target)
    analysis = classified(opened)
    name = relation_named(opened.project, model)
    with known_faults(opened):
        check_version(opened.root)
        reader = open_reader(opened.root, target, tuple(config.redacted))
        if reader is None:
            raise _not_built(model)
        with closing(reader):
            _show(invocation.terminal, reader, _query(reader, analysis, model, name, wanted), wanted)
    return Exit.DONE


def _query(reader: Reader, analysis: Analysis, model: str, name: str, wanted: _Wanted) -> RowQuery:
    relation = reader.relation(name)
    if relation is None:
        raise _not_built(model)
    found = next((one for one in analysis.models.values() if one.model.relation == name), None)
    shape = found.shape if found is not None else None
    key = shape.key_outputs if shape is not None else found.model.frontmatter.unique_key if found is not None else ()
    sort = (*key, shape.clock_output) if shape is not None else key
    known = {column.name for column in relation.columns}
    return RowQuery(
        relation=relation,
        encoding="json" if wanted.format == "json" else "text",
        keys=_keys(model, relation, key, wanted.keys),
        in_force=None if wanted.as_of is None else _in_force(model, relation, found, wanted.as_of),
        order=sort if known.issuperset(sort) else (),
        limit=wanted.rows,
    )


def _keys(
    model: str, relation: Relation, key: tuple[str, ...], given: tuple[str, ...]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not given:
        return ()
    if not key:
        raise Stop(Exit.USAGE, f"{model} has no key", "leave out --key")
    _must_have(model, relation, key)
    if len(key) == 1:
        return ((key[0], given),)
    if len(given) != len(key):
        raise Stop(
            Exit.USAGE,
            f"the key of {model} is ({', '.join(key)}), but --key stands {counted(len(given), 'time')}",
            "give --key once for each part, in this order",
        )
    return tuple((column, (value,)) for column, value in zip(key, given, strict=True))


def _in_force(model: str, relation: Relation, found: ModelAnalysis | None, at: str) -> InForce:
    if found is None or found.shape is None:
        raise Stop(Exit.USAGE, f"{model} keeps no history", "leave out --as-of: it asks a succession model")
    shape = found.shape
    _must_have(model, relation, (*shape.key_outputs, shape.clock_output))
    return InForce(
        at=at,
        key=shape.key_outputs,
        clock=shape.clock_output,
        ledger=ledger_name(found) if shape.flag is not None else None,
        ledger_columns=(*shape.key, shape.clock),
    )


def _must_have(model: str, relation: Relation, names: tuple[str, ...]) -> None:
    known = {column.name for column in relation.columns}
    missing = [name for name in names if name not in known]
    if missing:
        raise Stop(
            Exit.FAILED,
            f"{model} was built from another definition: it has no {', '.join(missing)}",
            f"`smelt run {model} --full-refresh` builds it from the one that stands there now",
        )


def _not_built(model: str) -> Stop:
    return Stop(Exit.FAILED, f"{model} is not built yet", f"`smelt run {model}` builds it")


def _show(terminal: Terminal, reader: Reader, query: RowQuery, wanted: _Wanted) -> None:
    try:
        rows = reader.rows(query)
        shown_all = query.limit is None or len(rows) < query.limit
        total = len(rows) if shown_all else reader.count(query)
    except UnreadableValue as error:
        raise Stop(Exit.USAGE, str(error)) from error
    names = [column.name for column in query.relation.columns]
    if wanted.format == "json":
        terminal.result(_json(names, rows))
    elif wanted.format == "csv":
        terminal.result(csv_table(names, rows))
    else:
        _show_table(terminal, query.relation, rows)
    if total > len(rows):
        terminal.say(f"{len(rows):,} of {counted(total, 'row')}; --limit shows more")
    elif wanted.format == "table":
        terminal.say(counted(total, "row"))


def _show_table(terminal: Terminal, relation: Relation, rows: Sequence[Sequence[object]]) -> None:
    names = [column.name for column in relation.columns]
    right = [is_numeric(column.type) for column in relation.columns]
    if terminal.out_is_tty and not terminal.plain:
        from smelt.cli.rich_tables import print_table

        print_table(terminal, names, rows, right)
    else:
        cells = [["NULL" if value is None else str(value) for value in row] for row in rows]
        terminal.result(plain_table(names, cells, right))


def _json(names: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    objects = [dict(zip(names, map(_value, row), strict=True)) for row in rows]
    return json.dumps(objects, indent=2, ensure_ascii=False) + "\n"


def _value(encoded: object) -> object:
    # JSON has no NaN and no infinity: they stay the words that DuckDB prints.
    return None if encoded is None else json.loads(str(encoded), parse_constant=str)
