"""A model folded though it was refused: what a patch would do that trusts the model to be a succession.

A run computes the model's own SQL over the events that are remembered and those that came, and lets it change what a
patch may change: the rows of new events, and of their neighbours in their key's history. This is generous: whatever
such a run writes is right over what it knows. Where it still ends up with other rows than the SQL gives over
everything, no patch of that reach could keep the table.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import duckdb

from smelt.diagnostics.model import Load
from smelt.project.model import Model, Source
from smelt.sql.model import Query
from smelt.sql.rewrite import rewrite
from smelt.text.identifiers import quote
from smelt.text.spans import Span
from tests.databases import blank

Identity = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Forced:
    """The rows that the runs left, and those that the query gives over the source as it is after them, sorted."""

    table: tuple[str, ...]
    answer: tuple[str, ...]


def force(model: Model, source: Source, loads: Iterable[Load], identity: Identity, flag: str) -> Forced:
    """Fold the loads one by one, then ask the query over everything."""
    with blank() as connection:
        fold_ = _Fold(connection, model, source, identity, flag)
        at = ""
        for load in loads:
            fold_.run(load)
            at = load.at
        return Forced(fold_.table(), fold_.answer(at))


@dataclass(frozen=True, slots=True)
class _Fold:
    connection: duckdb.DuckDBPyConnection
    model: Model
    source: Source
    identity: Identity
    flag: str

    def __post_init__(self) -> None:
        columns = ", ".join(f"{quote(column.name)} {column.type}" for column in self.source.columns)
        self.connection.execute(f"CREATE TABLE stored ({columns}, row_number INTEGER, known BOOLEAN)")

    def run(self, load: Load) -> None:
        """Take in what is new in the source, and patch the table."""
        run = self.connection.execute
        for row in load.rows:
            run(f"INSERT INTO stored SELECT *, (SELECT count(*) FROM stored), NULL FROM (VALUES {row})")
        for row in load.gone:
            named = " AND ".join(
                f"s.{quote(column.name)} IS NOT DISTINCT FROM v.c{i}::{column.type}"
                for i, column in enumerate(self.source.columns)
            )
            names = ", ".join(f"c{i}" for i in range(len(self.source.columns)))
            run(f"DELETE FROM stored s USING (VALUES {row}) v({names}) WHERE {named}")
        axis = quote(self._axis)
        run(f"CREATE OR REPLACE TABLE batch AS FROM stored WHERE known IS NULL AND {axis} IS NOT NULL")
        for part in ("result", "sequence"):
            self._ask(f"known OR (known IS NULL AND {axis} IS NOT NULL)", load.at, part)
        run("CREATE TABLE IF NOT EXISTS presented AS FROM result LIMIT 0")
        self._patch()
        shown, passed = (f"EXISTS (SELECT 1 FROM {rows} r WHERE {self._same})" for rows in ("result", "sequence"))
        run(
            f"UPDATE stored e SET known = {shown} OR ({quote(self.flag)} IS TRUE AND {passed})"
            f" WHERE known OR (known IS NULL AND {axis} IS NOT NULL)"
        )

    def table(self) -> tuple[str, ...]:
        """The rows that the runs left."""
        return self._rows("presented")

    def answer(self, at: str) -> tuple[str, ...]:
        """The rows that the query gives over everything."""
        self._ask("TRUE", at, "answer")
        return self._rows("answer")

    def _patch(self) -> None:
        """Replace the rows of new events and their neighbours: found by what the output shows of their identity."""
        sides = {call.function for call in self._query.calls}
        last = len(self.identity) - 1
        keys = " AND ".join(f"e.id{i} = b.{name}" for i, name in enumerate(self._key))
        clock = self._clock
        touched = [f"SELECT {self._names('b')} FROM batch b"]
        for side, order, beyond in (("LEAD", "max", "<"), ("LAG", "min", ">")):
            if side in sides:
                found = f"SELECT {order}(e.id{last}) FROM sequence e WHERE {keys} AND e.id{last} {beyond} b.{clock}"
                touched.append(f"SELECT {self._names('b', last=f'({found})')} FROM batch b")
        run = self.connection.execute
        run(f"CREATE OR REPLACE TABLE touched AS {' UNION '.join(touched)}")
        here = [f"p.{quote(shown)} = t.id{i}" for i, (_, shown) in enumerate(self.identity) if shown]
        run(f"DELETE FROM presented p USING touched t WHERE {' AND '.join(here) or 'TRUE'}")
        there = " AND ".join(f"r.id{i} = t.id{i}" for i in range(len(self.identity)))
        run(f"INSERT INTO presented SELECT r.* FROM result r WHERE EXISTS (FROM touched t WHERE {there})")

    def _ask(self, known: str, at: str, part: Literal["result", "sequence", "answer"]) -> None:
        """The model's SQL over some of the stored events, with their identity behind the output's columns.

        The sequence is what its windows see: its rows before QUALIFY.
        """
        columns = ", ".join(quote(column.name) for column in self.source.columns)
        self.connection.execute(f"CREATE OR REPLACE TABLE seen AS SELECT {columns} FROM stored WHERE {known}")
        query = self._query
        hidden = "".join(f", {column} AS id{i}" for i, (column, _) in enumerate(self.identity))
        named = "seen" if query.relations[0].alias else f"seen AS {quote(query.relations[0].parts[-1])}"
        edits = [(reference.span, named) for reference in self.model.references]
        edits.append((Span(query.list_span.end, query.list_span.end), hidden))
        if part == "sequence" and query.qualify is not None:
            edits.append((query.qualify.span, ""))
        sql = rewrite(self.model.text, query.span, edits)
        sql = re.sub(r"\bnow\(\)", f"TIMESTAMPTZ '{at}'", sql)
        sql = re.sub(r"\bcurrent_date\b", f"DATE '{at[:10]}'", sql)
        self.connection.execute(f"CREATE OR REPLACE TABLE {part} AS {sql}")

    @property
    def _query(self) -> Query:
        query = self.model.parsed.query
        assert query is not None
        return query

    @property
    def _axis(self) -> str:
        assert self.source.timeseries is not None
        return self.source.timeseries.partition_column

    @property
    def _key(self) -> tuple[str, ...]:
        return tuple(column.rpartition(".")[2] for column, _ in self.identity[:-1])

    @property
    def _clock(self) -> str:
        return self.identity[-1][0].rpartition(".")[2]

    def _rows(self, table: str) -> tuple[str, ...]:
        hidden = ", ".join(f"id{i}" for i in range(len(self.identity)))
        found = self.connection.execute(
            f"SELECT CAST(COLUMNS(* EXCLUDE ({hidden})) AS VARCHAR) FROM {table}"
        ).fetchall()
        return tuple(sorted(map(repr, found)))

    def _names(self, table: str, last: str = "") -> str:
        values = [f"{table}.{name}" for name in self._key] + [last or f"{table}.{self._clock}"]
        return ", ".join(f"{value} AS id{i}" for i, value in enumerate(values))

    @property
    def _same(self) -> str:
        """A row ``r`` is that of a stored event ``e``."""
        return " AND ".join(f"r.id{i} = e.{name}" for i, name in enumerate((*self._key, self._clock)))
