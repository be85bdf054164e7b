"""The tables of record: what smelt built, and which source partitions it folded.

They stand in the target's schema and are written in the transaction of the data they describe. They are made
when first needed, and read as empty until then.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from smelt.engines.duckdb.catalogue import StandingColumn
from smelt.engines.duckdb.session import Session
from smelt.engines.duckdb.statements import qualified
from smelt.engines.errors import fault
from smelt.plan.reserved import FRONTIER_TABLE, MODELS_TABLE
from smelt.project.rules import reserved_relation_name
from smelt.text.identifiers import quote
from smelt.text.intervals import Interval

LEDGER_LAYOUT = 1
"""The layout of tombstone ledgers that this build writes: key and clock, nothing else."""

_LAYOUTS = {
    MODELS_TABLE: (
        "model VARCHAR NOT NULL",
        "relation VARCHAR NOT NULL",
        "kind VARCHAR NOT NULL",
        "definition_hash VARCHAR",
        "definition VARCHAR",
        "statement_hash VARCHAR",
        "settings VARCHAR",
        "ledger VARCHAR",
        "ledger_layout INTEGER",
        "row_count BIGINT",
        "ledger_row_count BIGINT",
        "coverage VARCHAR NOT NULL",
        "run_id VARCHAR NOT NULL",
        "sequence BIGINT NOT NULL",
        "recorded_at TIMESTAMP NOT NULL",
        "relation_columns VARCHAR",
        "ledger_columns VARCHAR",
    ),
    FRONTIER_TABLE: (
        "model VARCHAR NOT NULL",
        "input VARCHAR NOT NULL",
        "partition TIMESTAMP NOT NULL",
        "raw_rows BIGINT NOT NULL",
        "kept_rows BIGINT NOT NULL",
        "fingerprint VARCHAR",
    ),
}
"""The columns of the tables of record, as they are declared."""
_LATER = ("relation_columns", "ledger_columns")
"""Columns that the tables of an older smelt lack. They hold NULL until a model is recorded again."""
_FIELDS = (
    "relation",
    "kind",
    "definition_hash",
    "definition",
    "statement_hash",
    "settings",
    "ledger",
    "row_count",
    "ledger_row_count",
    "coverage",
    "relation_columns",
    "ledger_columns",
)


@dataclass(frozen=True, slots=True)
class BuiltRecord:
    """What the table of record says of a model, seed or view.

    Attributes:
        kind: ``view``, ``table``, ``seed`` or ``succession``.
        definition: the canonical definition, JSON.
        statement_hash: of the physical statement (views) or of the file (seeds).
        settings: what the target sets that can change results, JSON.
        row_count: rows that smelt left; None for a view.
        coverage: the ranges of the run axis folded so far.
        columns: those of the relation as smelt left it; none if an older smelt did.
        ledger_columns: those of its ledger.
    """

    relation: str
    kind: str
    definition_hash: str | None = None
    definition: str | None = None
    statement_hash: str | None = None
    settings: str | None = None
    ledger: str | None = None
    row_count: int | None = None
    ledger_row_count: int | None = None
    coverage: tuple[Interval, ...] = ()
    columns: tuple[StandingColumn, ...] = ()
    ledger_columns: tuple[StandingColumn, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """A row of the table of record: whose it is, and when it was written, in UTC."""

    model: str
    record: BuiltRecord
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Folded:
    """Raw rows of a source partition, and those after the filter, when it was last folded.

    ``fingerprint`` is that of a probe since then, if there was one.
    """

    raw: int
    kept: int
    fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """The tables of record of one session's schema."""

    session: Session

    @property
    def _models(self) -> str:
        return qualified(self.session.target.schema, MODELS_TABLE)

    @property
    def _frontier(self) -> str:
        return qualified(self.session.target.schema, FRONTIER_TABLE)

    def find(self, model: str) -> BuiltRecord | None:
        """What is recorded of a model; None if it was never built."""
        if not self._exists(MODELS_TABLE):
            return None
        rows = self.session.run(f"{self._select(_FIELDS)} WHERE model = $model", {"model": model})
        return _built(rows[0]) if rows else None

    def views(self) -> dict[str, BuiltRecord]:
        """What is recorded of all views, by name."""
        if not self._exists(MODELS_TABLE):
            return {}
        rows = self.session.run(f"{self._select((*_FIELDS, 'model'))} WHERE kind = 'view'")
        return {str(row[-1]): _built(row) for row in rows}

    def every(self) -> tuple[Kept, ...]:
        """What is recorded of all that was built, by name."""
        if not self._exists(MODELS_TABLE):
            return ()
        rows = self.session.run(f"{self._select((*_FIELDS, 'model', 'recorded_at'))} ORDER BY model")
        return tuple(Kept(str(row[-2]), _built(row), row[-1]) for row in rows if isinstance(row[-1], datetime))

    def coverage(self) -> dict[str, tuple[Interval, ...]]:
        """The ranges folded so far, of every model that has a run axis."""
        if not self._exists(MODELS_TABLE):
            return {}
        rows = self.session.run(f"SELECT model, coverage FROM {self._models} WHERE kind = 'succession'")
        return {str(model): read_ranges(str(coverage)) for model, coverage in rows}

    def ends(self) -> dict[tuple[str, str], tuple[datetime, datetime]]:
        """By model and source, the first and the last partition that was folded."""
        if not self._exists(FRONTIER_TABLE):
            return {}
        rows = self.session.run(
            f'SELECT model, input, min("partition"), max("partition") FROM {self._frontier} GROUP BY model, input'
        )
        return {
            (str(model), str(source)): (first, last)
            for model, source, first, last in rows
            if isinstance(first, datetime) and isinstance(last, datetime)
        }

    def forget(self, model: str) -> None:
        """Forget a model: its row, and what was folded into it."""
        self.forget_partitions(model)
        self.session.run(f"DELETE FROM {self._models} WHERE model = $model", {"model": model})

    def _select(self, fields: Iterable[str]) -> str:
        """The beginning of a query of the models' table; what an older smelt's lacks is NULL."""
        there = {column.name for column in self.session.catalogue.columns(MODELS_TABLE)}
        shown = ", ".join(name if name in there else f"NULL AS {name}" for name in fields)
        return f"SELECT {shown} FROM {self._models}"

    def owner(self, relation: str) -> str | None:
        """The model, seed or view that a relation of this name was built for, presented or hidden."""
        if not self._exists(MODELS_TABLE):
            return None
        rows = self.session.run(
            f"SELECT model FROM {self._models} WHERE lower($name) IN (lower(relation), lower(ledger))",
            {"name": relation},
        )
        return str(rows[0][0]) if rows else None

    def last_sequence(self) -> int:
        """The highest run number recorded; 0 if there is none."""
        if not self._exists(MODELS_TABLE):
            return 0
        return _count(self.session.one(f"SELECT max(sequence) FROM {self._models}")[0]) or 0

    def rename(self, model: str, relation: str, ledger: str | None) -> None:
        """Record the new physical names of a model's relations."""
        self.session.run(
            f"UPDATE {self._models} SET relation = $relation, ledger = $ledger WHERE model = $model",
            {"model": model, "relation": relation, "ledger": ledger},
        )

    def save(self, model: str, record: BuiltRecord, run_id: str, sequence: int, now: datetime) -> None:
        """Put a model's row in the place of the one it has."""
        self._ensure(MODELS_TABLE)
        values = {
            "model": model,
            "relation": record.relation,
            "kind": record.kind,
            "definition_hash": record.definition_hash,
            "definition": record.definition,
            "statement_hash": record.statement_hash,
            "settings": record.settings,
            "ledger": record.ledger,
            "ledger_layout": LEDGER_LAYOUT if record.ledger is not None else None,
            "row_count": record.row_count,
            "ledger_row_count": record.ledger_row_count,
            "coverage": _write_ranges(record.coverage),
            "run_id": run_id,
            "sequence": sequence,
            "recorded_at": now,
            "relation_columns": _write_columns(record.columns),
            "ledger_columns": _write_columns(record.ledger_columns),
        }
        assigned = ", ".join(f"{name} = ${name}" for name in values if name != "model")
        updated = self.session.one(f"UPDATE {self._models} SET {assigned} WHERE model = $model", values)
        if not updated[0]:
            names, places = ", ".join(values), ", ".join(f"${name}" for name in values)
            self.session.run(f"INSERT INTO {self._models} ({names}) VALUES ({places})", values)

    def folded(self, model: str, source: str) -> dict[datetime, Folded]:
        """The partitions of a source that were folded into a model."""
        if not self._exists(FRONTIER_TABLE):
            return {}
        rows = self.session.run(
            f'SELECT "partition", raw_rows, kept_rows, fingerprint FROM {self._frontier}\n'
            "WHERE model = $model AND input = $input",
            {"model": model, "input": source},
        )
        return {
            at: Folded(_int(raw), _int(kept), _text(fingerprint))
            for at, raw, kept, fingerprint in rows
            if isinstance(at, datetime)
        }

    def fold(self, model: str, source: str, partitions: Mapping[datetime, Folded], known: Collection[datetime]) -> None:
        """Record partitions as folded with these counts; ``known`` are those that have a row already."""
        if not partitions:
            return
        self._ensure(FRONTIER_TABLE)
        keys = {"model": model, "input": source, "partitions": list(partitions)}
        if any(at in known for at in partitions):
            self.session.run(
                f"DELETE FROM {self._frontier}\nWHERE model = $model AND input = $input "
                'AND "partition" IN (SELECT unnest($partitions::TIMESTAMP[]))',
                keys,
            )
        self.session.run(
            f'INSERT INTO {self._frontier} (model, input, "partition", raw_rows, kept_rows, fingerprint)\n'
            "SELECT $model, $input, unnest($partitions::TIMESTAMP[]), unnest($raw::BIGINT[]), "
            "unnest($kept::BIGINT[]), unnest($fingerprints::VARCHAR[])",
            {
                **keys,
                "raw": [one.raw for one in partitions.values()],
                "kept": [one.kept for one in partitions.values()],
                "fingerprints": [one.fingerprint for one in partitions.values()],
            },
        )

    def forget_partitions(self, model: str) -> None:
        """Forget what was folded into a model: it is rebuilt, or is kept another way now."""
        if self._exists(FRONTIER_TABLE):
            self.session.run(f"DELETE FROM {self._frontier} WHERE model = $model", {"model": model})

    def make(self, tables: Iterable[str]) -> None:
        """Make these tables of record where they are missing, for transactions that will write them side by side."""
        for table in tables:
            self._ensure(table)

    def _ensure(self, table: str) -> None:
        """Make the table, or give one of an older smelt what it lacks."""
        place = qualified(self.session.target.schema, table)
        if not self._exists(table):
            declared = ", ".join(f"{quote(name)} {kind}" for name, kind in _layout(table))
            self.session.run(f"CREATE TABLE {place} ({declared})")
            self.session.catalogue.created("table", table)
            return
        there = {column.name for column in self.session.catalogue.columns(table)}
        for name, kind in _layout(table):
            if name not in there:
                self.session.run(f"ALTER TABLE {place} ADD COLUMN {quote(name)} {kind}")
                self.session.catalogue.created("table", table)

    def _exists(self, table: str) -> bool:
        """Whether the table is there.

        Raises:
            WarehouseError: ``ReservedRelationName``: another relation has its name.
        """
        kind = self.session.catalogue.kind(table)
        if kind is None:
            return False
        # A copy of the table may have lost its NOT NULL; it holds the same.
        there = {column.name: column.type for column in self.session.catalogue.columns(table)}
        wanted = ((name, declared.removesuffix(" NOT NULL")) for name, declared in _layout(table))
        lacks = [name for name, kind in wanted if there.get(name) != kind and name not in _LATER]
        if kind != "table" or lacks:
            relation = f"{self.session.target.schema}.{table}"
            why = f"it is a {kind}" if kind != "table" else f"its columns are others, beginning with {lacks[0]}"
            raise fault(reserved_relation_name.IN_A_WAREHOUSE, relation=relation, why=why)
        return True


def _layout(table: str) -> list[tuple[str, str]]:
    """Names of the columns, with the rest of their declarations."""
    pairs = (declared.split(" ", 1) for declared in _LAYOUTS[table])
    return [(name, rest) for name, rest in pairs]


def _built(row: Sequence[object]) -> BuiltRecord:
    """The record in a row that begins with :data:`_FIELDS`."""
    values = dict(zip(_FIELDS, row, strict=False))
    return BuiltRecord(
        relation=str(values["relation"]),
        kind=str(values["kind"]),
        definition_hash=_text(values["definition_hash"]),
        definition=_text(values["definition"]),
        statement_hash=_text(values["statement_hash"]),
        settings=_text(values["settings"]),
        ledger=_text(values["ledger"]),
        row_count=_count(values["row_count"]),
        ledger_row_count=_count(values["ledger_row_count"]),
        coverage=read_ranges(str(values["coverage"])),
        columns=_read_columns(values["relation_columns"]),
        ledger_columns=_read_columns(values["ledger_columns"]),
    )


def count_rows(session: Session, relation: str) -> int:
    """How many rows a relation of the target's schema has."""
    return _int(session.one(f"SELECT count(*) FROM {qualified(session.target.schema, relation)}")[0])


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _int(value: object) -> int:
    return int(str(value))


def _count(value: object) -> int | None:
    return None if value is None else _int(value)


def _write_columns(columns: Iterable[StandingColumn]) -> str | None:
    return json.dumps([[one.name, one.type, one.nullable] for one in columns]) if columns else None


def _read_columns(value: object) -> tuple[StandingColumn, ...]:
    return () if value is None else tuple(StandingColumn(*one) for one in json.loads(str(value)))


def _write_ranges(ranges: Iterable[Interval]) -> str:
    return json.dumps([[one.start.isoformat(), one.end.isoformat()] for one in ranges])


def read_ranges(text: str) -> tuple[Interval, ...]:
    """The ranges of a ``coverage`` value."""
    return tuple(
        Interval(datetime.fromisoformat(start), datetime.fromisoformat(end)) for start, end in json.loads(text)
    )
