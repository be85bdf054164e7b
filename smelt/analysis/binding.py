"""Binding: what DuckDB itself says of a query over empty tables of the declared types.

The parser lets much pass that no engine runs. A binder asks DuckDB, in memory, for the output types of every
model; what it refuses comes back as findings. This module is the pure half: which stub tables there are, the
text that is sent, and where in the author's text an answer points. The half that asks is
:mod:`smelt.engines.binder`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from smelt.diagnostics.model import Diagnostic
from smelt.project.model import Address, Model, Project
from smelt.sql import types
from smelt.sql.model import Query
from smelt.sql.tokens import query_span
from smelt.text.identifiers import fold, quote
from smelt.text.spans import Span

PREFIX = "DESCRIBE "
_CONSEQUENCES: Mapping[str, tuple[str, ...]] = {
    "SuccessionSingleSourceOnly": ("Ambiguous reference",),
    "SuccessionRowLocalColumnViolation": ("must appear in the GROUP BY clause",),
    "SuccessionPatternUnrecognized": ("must appear in the GROUP BY clause", "Ambiguous reference"),
}
"""DuckDB's words, by the refusal whose mending makes them go: a join brings two columns of a name, an aggregate wants
all other columns grouped."""
_STUBS = "the stubs of"
_STUB = re.compile(rf'(?:memory\.)?"{_STUBS} ([^"]+)"')
_QUOTED = re.compile(r"\"((?:[^\"]|\"\")+)\"|'([^']+)'")


@dataclass(frozen=True, slots=True)
class BoundColumn:
    """An output column with its type as DuckDB prints it."""

    name: str
    type: str


Columns = tuple[BoundColumn, ...]
Refusals = Mapping[Address, tuple[Span, ...]]
"""References that mean nothing, by the model they stand in."""


@dataclass(frozen=True, slots=True)
class Binding:
    """What became of one model. ``columns`` is None if DuckDB refused it, or could not be asked."""

    columns: Columns | None
    diagnostics: tuple[Diagnostic, ...] = ()


class Binder(Protocol):
    """Asks an engine for the output types of a project's models. Opens no database and no file."""

    def bind(
        self, project: Project, known: Mapping[Address, Columns | None], refused: Refusals | None = None
    ) -> Mapping[Address, Binding]:
        """One binding for each model of ``project.order``, each seeing what its upstreams gave.

        Args:
            project: the models, and what they read.
            known: models that are not asked about: they give these columns, or none.
            refused: what smelt itself refused of the others: the engine is asked about the rest of them.
        """


@dataclass(frozen=True, slots=True)
class _Part:
    """``sent`` in the text that is sent stands for ``written`` in the document; ``verbatim`` letter by letter."""

    sent: Span
    written: Span
    verbatim: bool


@dataclass(frozen=True, slots=True)
class Statement:
    """The text that is sent, and the way back from it."""

    text: str
    parts: tuple[_Part, ...]

    def written(self, position: int, length: int) -> Span:
        """Where in the document a range of the sent text stands, given in UTF-8 bytes."""
        raw = self.text.encode()
        start = len(raw[:position].decode(errors="ignore"))
        end = start + len(raw[position : position + length].decode(errors="ignore"))
        first = self._part(start)
        last = self._part(max(start, end - 1))
        begin = first.written.start + (start - first.sent.start if first.verbatim else 0)
        stop = last.written.start + end - last.sent.start if last.verbatim else last.written.end
        return Span(begin, max(begin, stop))

    def _part(self, offset: int) -> _Part:
        for part in self.parts:
            if offset < part.sent.end:
                return part
        return self.parts[-1]


def statement(model: Model, blanked: Iterable[Span] = ()) -> Statement:
    """The model's query with stub tables for its references, and ``NULL`` for what was refused before."""
    whole = query_span(model.text, model.sql_span)
    replaced = [(reference.span, stub_of(reference.address)) for reference in model.references]
    replaced += [(span, " NULL ") for span in blanked]  # a quoted name may touch the words beside it
    pieces, parts = [PREFIX], list[_Part]()
    sent, at = len(PREFIX), whole.start

    def add(text: str, written: Span, verbatim: bool) -> None:
        nonlocal sent
        pieces.append(text)
        parts.append(_Part(Span(sent, sent + len(text)), written, verbatim))
        sent += len(text)

    for span, text in sorted(replaced):
        if span.start < at:
            continue
        kept = Span(at, span.start)
        add(kept.of(model.text), kept, True)
        add(text, span, False)
        at = span.end
    rest = Span(at, whole.end)
    add(rest.of(model.text), rest, True)
    return Statement("".join(pieces), tuple(parts))


def stub_schema(address: Address) -> str:
    """The schema that holds an address's stub: one for each folder, so that the last segment stays its name.

    No query spells it: an address names a relation in FROM, and qualifies no column there is in a warehouse.
    """
    return quote(f"{_STUBS} {'.'.join(('smelt', *address.segments[:-1]))}")


def stub_of(address: Address) -> str:
    """The stub table's qualified name, quoted."""
    return f"{stub_schema(address)}.{quote(address.segments[-1])}"


def without_stubs(message: str) -> str:
    """DuckDB's words, with addresses where they name stub tables."""
    return _STUB.sub(r"\1", message)


def declared(project: Project) -> dict[Address, tuple[BoundColumn, ...]]:
    """The columns that sources (and seeds with a sidecar) declare.

    Who declares none is absent, and so is who names a type that is none: it has its own finding.
    """
    typed = {
        address: tuple((column.name, types.normal(column.type)) for column in source.columns)
        for address, source in project.sources.items()
    }
    return {
        address: tuple(BoundColumn(name, kind) for name, kind in columns if kind is not None)
        for address, columns in typed.items()
        if columns and all(kind is not None for _, kind in columns)
    }


def askable(project: Project) -> tuple[Model, ...]:
    """The models in build order whose text DuckDB may be asked about: those that smelt itself could read."""
    errors: dict[str, list[Span]] = {}
    for diagnostic in project.diagnostics:
        if diagnostic.is_error:
            errors.setdefault(diagnostic.location.file, []).append(diagnostic.location.span)
    models = (project.models[address] for address in project.order)
    return tuple(model for model in models if _is_askable(model, errors.get(model.file, ())))


def _is_askable(model: Model, errors: Iterable[Span]) -> bool:
    """Whether the query was read, and everything it reads was found."""
    if model.parsed.query is None or any(model.sql_span.start <= span.start and span.end > 0 for span in errors):
        return False
    found = {reference.span for reference in model.references}
    return all(relation.name_span in found for relation in model.parsed.relations if relation.kind == "table")


@dataclass(frozen=True, slots=True)
class Refused:
    """One thing DuckDB refused, in the author's text.

    Attributes:
        kind: DuckDB's exception type: ``Binder``, ``Catalog``, ``Parser``, ….
        subtype: its machine-readable reason, or the empty string.
        message: DuckDB's own words.
        name: the column, function or table it is about, if DuckDB says.
        candidates: what DuckDB would have taken instead.
        call: for a function: its name with the types it was given.
    """

    span: Span
    kind: str
    subtype: str
    message: str
    name: str = ""
    candidates: tuple[str, ...] = ()
    call: str = ""

    @property
    def first_line(self) -> str:
        """What is wrong, without the advice that may follow."""
        return self.message.partition("\n")[0].strip()


def located(model: Model, sent: Statement, position: int | None, length: int | None, message: str) -> Span:
    """The range an answer points at; found by the names in its words if DuckDB gives no position."""
    query = model.parsed.query
    if query is None:
        return model.sql_span
    if position is None:
        return _named(query, message)
    span = sent.written(position, length or 0)
    return span if len(span) > 0 else _extent(query, span.start)


def _extent(query: Query, offset: int) -> Span:
    """The dotted name that begins at an offset, with its arguments if it is called."""
    tokens = query.tokens
    index = tokens.at(offset) if tokens is not None else None
    if tokens is None or index is None:
        return _keyword(query)
    end = index + 1
    while end + 1 < len(tokens) and tokens[end].text == ".":
        end += 2
    if end < len(tokens) and tokens[end].text == "(" and tokens.partner[end] > end:
        end = tokens.partner[end] + 1
    return tokens.span(index, end)


def _named(query: Query, message: str) -> Span:
    spans = dict[str, Span]()
    for token in query.tokens.items if query.tokens is not None else ():
        spans.setdefault(fold(token.text), token.span)
    for double, single in _QUOTED.findall(message):  # advice, which names others, comes last
        name = fold(double or single)
        if (span := spans.get(name) or spans.get(name.rpartition(".")[2])) is not None:
            return span
    if "set operation" in message.lower():
        return query.set_operation or _keyword(query)
    if "QUALIFY" in message and query.qualify is not None:
        return query.qualify.span
    return _keyword(query)


def _keyword(query: Query) -> Span:
    """The word the query begins with: for an answer that points nowhere."""
    tokens = query.tokens
    index = tokens.at(query.select.start) if tokens is not None else None
    return query.select if tokens is None or index is None else tokens[index].span


def beside(own: Iterable[Diagnostic], bound: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The binder's findings that no error of smelt's own already covers: one cause, one code."""
    errors = [diagnostic for diagnostic in own if diagnostic.is_error]
    taken = [diagnostic.location for diagnostic in errors]
    follows = tuple(words for one in errors for words in _CONSEQUENCES.get(one.code.name, ()))
    return tuple(
        diagnostic
        for diagnostic in bound
        if not any(words in diagnostic.message for words in follows)
        and not any(
            place.file == diagnostic.location.file
            and place.span.start < diagnostic.location.span.end
            and diagnostic.location.span.start < place.span.end
            for place in taken
        )
    )
