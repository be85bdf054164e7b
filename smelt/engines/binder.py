"""DuckDB as a binder: a database in memory, empty stub tables, no file and no network."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from smelt.analysis.binding import (
    Binding,
    BoundColumn,
    Columns,
    Refusals,
    Refused,
    Statement,
    askable,
    declared,
    located,
    statement,
    stub_of,
    stub_schema,
    without_stubs,
)
from smelt.analysis.refusals import finding
from smelt.analysis.shortening import NOTHING_TOLD, Told, around, left_out, told_of
from smelt.diagnostics.model import Diagnostic
from smelt.engines.answers import Answers
from smelt.project.model import Address, Model, Project, Reference, Target
from smelt.text.identifiers import fold, quote
from smelt.text.spans import Span

if TYPE_CHECKING:  # duckdb costs 140 ms to import, and not every project has a model to ask about
    from duckdb import DuckDBPyConnection

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
    "memory_limit": "512MB",
    "threads": "1",
}
MAX_REFUSALS = 8
"""DuckDB names one fault at a time; after so many a person has enough to mend."""
_CHEAP = 5_000_000
"""Columns that can be read, times tokens that could be unknown ones. To refuse, DuckDB compares each with each; of a
query with more it is asked once."""


@dataclass(frozen=True, slots=True)
class _Question:
    """All that an answer depends on; an equal question has the same answer."""

    file: str
    text: str
    query: Span
    references: tuple[Reference, ...]
    columns: tuple[Columns, ...]
    refused: tuple[Span, ...]
    leniency: "_Leniency"


@dataclass(frozen=True, slots=True)
class _Leniency:
    """What a target may bring that a stub database does not have: then its absence here proves nothing."""

    extensions: frozenset[str]
    statements: bool

    def excuses(self, error: Mapping[str, str]) -> bool:
        message = error.get("exception_message", "")
        if error.get("exception_type") == "Permission":
            return True  # a file is named; what may be read is judged by its own rule
        if error.get("exception_type") != "Catalog":
            return False
        return self.statements or any(f"in the {name} extension" in message for name in self.extensions)


class DuckDBBinder:
    """Binds the models of one project, and remembers each answer until its question changes.

    May be called from any thread, one call at a time.
    """

    def __init__(self, answers: Answers | None = None) -> None:
        """A binder that has not asked DuckDB anything.

        Args:
            answers: what is known from another process, and takes up what is asked; None to ask always.
        """
        self._lock = Lock()
        self._book = answers
        self._connection: DuckDBPyConnection | None = None
        self._stubs: dict[str, Columns | None] = {}
        self._schemas: set[str] = set()
        self._answers: dict[Address, tuple[_Question, Binding]] = {}
        self._told: dict[Address, Told] = {}

    def bind(
        self, project: Project, known: Mapping[Address, Columns | None], refused: Refusals | None = None
    ) -> Mapping[Address, Binding]:
        """One binding for each model that smelt itself could read; see :class:`smelt.analysis.binding.Binder`."""
        with self._lock:
            return self._bind(project, known, refused or {})

    def close(self) -> None:
        """Give the memory back. Never raises."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            self._stubs.clear()
            self._schemas.clear()
            self._answers.clear()
            self._told.clear()

    def _bind(
        self, project: Project, judged: Mapping[Address, Columns | None], refused: Refusals
    ) -> Mapping[Address, Binding]:
        known = declared(project)
        known.update({address: columns for address, columns in judged.items() if columns is not None})
        leniency = _leniency(project)
        bound: dict[Address, Binding] = {}
        for model in askable(project):
            if model.address in judged or not all(reference.address in known for reference in model.references):
                continue
            binding = self._answer(model, known, refused.get(model.address, ()), leniency)
            bound[model.address] = binding
            if binding.columns is not None:
                known[model.address] = binding.columns
        self._answers = {address: self._answers[address] for address in bound}
        self._told = {address: told for address, told in self._told.items() if address in bound}
        return bound

    def _answer(
        self, model: Model, known: Mapping[Address, Columns], refused: tuple[Span, ...], leniency: _Leniency
    ) -> Binding:
        read = tuple(known[reference.address] for reference in model.references)
        question = _Question(model.file, model.text, model.sql_span, model.references, read, refused, leniency)
        earlier = self._answers.get(model.address)
        if earlier is not None and earlier[0] == question:
            return earlier[1]
        stubs = {reference.address: known[reference.address] for reference in model.references}
        recalled = self._book.find(model, stubs) if self._book is not None and not refused else None
        if recalled is not None:
            binding = Binding(recalled)
        elif not all(self._stub(address, columns) for address, columns in stubs.items()):
            binding = Binding(None)
        elif earlier is None:
            binding = self._ask(model, stubs, refused, leniency)[0]
        else:
            binding = self._ask_again(model, stubs, refused, leniency)
        if self._book is not None and recalled is None and binding.columns is not None:
            self._book.note(model, stubs, binding.columns)
        self._answers[model.address] = (question, binding)
        return binding

    def _ask_again(
        self, model: Model, known: Mapping[Address, Columns], refused: tuple[Span, ...], leniency: _Leniency
    ) -> Binding:
        """An answer about a model that is being edited: only what an edit touches is asked about, if that will do."""
        query = model.parsed.query
        if query is None:
            return self._ask(model, known, refused, leniency)[0]
        here, told = around(model, query, known.items()), self._told.get(model.address, NOTHING_TOLD)
        out = left_out(query, told, here)
        short = self._describe(statement(model, [*refused, *(query.items[at].span for at in out)])) if out else {}
        if isinstance(short, tuple) and len(short) == len(query.items):
            columns = tuple(out.get(at, column) for at, column in enumerate(short))
            self._told[model.address] = told_of(query, here, columns, refused, told)
            return Binding(None if refused else columns)
        binding, answer, blanked = self._ask(model, known, refused, leniency)
        noted = told_of(query, here, answer, blanked, NOTHING_TOLD) if answer is not None else NOTHING_TOLD
        self._told[model.address] = noted
        return binding

    def _ask(
        self, model: Model, known: Mapping[Address, Columns], refused: tuple[Span, ...], leniency: _Leniency
    ) -> tuple[Binding, Columns | None, tuple[Span, ...]]:
        """The answer about all of a model but what is refused, the columns of the rest, and what it is the rest of."""
        found: list[Diagnostic] = []
        blanked = [*refused]
        tokens = model.parsed.query.tokens if model.parsed.query is not None else None
        cost = sum(map(len, known.values())) * (len(tokens) if tokens is not None else 0)
        while len(found) < (MAX_REFUSALS if cost <= _CHEAP else 1):
            sent = statement(model, blanked)
            answer = self._describe(sent)
            if isinstance(answer, tuple):
                return Binding(None if blanked else answer, tuple(found)), answer, tuple(blanked)
            if leniency.excuses(answer) or (blanked and _is_about_a_blank(answer)):
                break
            told = _refused(model, sent, answer)
            if any(told.span.start < span.end and span.start < told.span.end for span in blanked):
                break  # the blank itself is refused here; what else there is shows after the first is mended
            found.append(finding(model, told, known))
            if "position" not in answer or told.kind == "Parser":
                break
            blanked.append(told.span)
        return Binding(None, tuple(found)), None, tuple(blanked)

    def _describe(self, sent: Statement) -> Columns | Mapping[str, str]:
        """The output columns, or DuckDB's error as its fields."""
        import duckdb

        try:
            rows = self._connected().execute(sent.text).fetchall()
        except duckdb.Error as error:
            return _fields(str(error))
        return tuple(BoundColumn(str(row[0]), str(row[1])) for row in rows)

    def _stub(self, address: Address, columns: Columns) -> bool:
        """Have an empty table of these columns; False if DuckDB knows no such table."""
        import duckdb

        name = fold(stub_of(address))
        if name in self._stubs and self._stubs[name] == columns:
            return True
        connection = self._connected()
        try:
            if (schema := stub_schema(address)) not in self._schemas:
                connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
                self._schemas.add(schema)
            listed = ", ".join(f"{quote(column.name)} {column.type}" for column in columns)
            connection.execute(f"CREATE OR REPLACE TABLE {stub_of(address)} ({listed})")
        except duckdb.Error:
            self._stubs[name] = None
            return False
        self._stubs[name] = columns
        return True

    def _connected(self) -> "DuckDBPyConnection":
        if self._connection is None:
            import duckdb

            self._connection = duckdb.connect(":memory:", config=_CONFIG)
            self._connection.execute("SET errors_as_json = true")
            self._connection.execute("SET lock_configuration = true")
        return self._connection


def _leniency(project: Project) -> _Leniency:
    targets: tuple[Target, ...] = tuple(project.config.targets.values()) if project.config is not None else ()
    return _Leniency(
        frozenset(name for target in targets for name in target.extensions),
        any(target.init_sql for target in targets),
    )


def _is_about_a_blank(error: Mapping[str, str]) -> bool:
    """Whether no function can be chosen for a NULL, such as an alias of what was blanked."""
    said = error.get("exception_message", "").partition("\n")[0]
    return said.startswith("Could not choose a best candidate function") and '"NULL"' in said


def _fields(text: str) -> Mapping[str, str]:
    """DuckDB's error, which it gives as a JSON object after the exception's name."""
    try:
        loaded = json.loads(text[text.index("{") :])
    except ValueError:
        return {"exception_message": text}
    return {str(key): str(value) for key, value in loaded.items()}


def _refused(model: Model, sent: Statement, error: Mapping[str, str]) -> Refused:
    message = without_stubs(error.get("exception_message", ""))
    position, length = _place(error)
    return Refused(
        span=located(model, sent, position, length, message),
        kind=error.get("exception_type", ""),
        subtype=error.get("error_subtype", ""),
        message=message,
        name=error.get("name", ""),
        candidates=tuple(name.strip() for name in error.get("candidates", "").split(",") if name.strip()),
        call=error.get("call", ""),
    )


def _place(error: Mapping[str, str]) -> tuple[int | None, int | None]:
    """Position and length in UTF-8 bytes. Older versions of DuckDB give no length."""
    try:
        start, length = json.loads(error["location"])
    except (KeyError, ValueError, TypeError):
        text = error.get("position", "")
        return (int(text), None) if text.isdigit() else (None, None)
    return int(start), int(length)
