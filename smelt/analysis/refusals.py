"""What DuckDB refused, as a finding: a column, a type, or anything else."""

import re
from collections.abc import Mapping

from smelt.analysis.binding import BoundColumn, Refused
from smelt.analysis.rules import bind_error, type_mismatch
from smelt.diagnostics.model import Diagnostic, Location, report
from smelt.facts.rules import unknown_column
from smelt.project.model import Address, Model
from smelt.sql.names import CLAUSE_WORDS, RESERVED
from smelt.sql.rules import syntax
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_IN_WORDS = re.compile(
    r'does not have a column named "((?:[^"]|"")+)"'
    r'|^Column "((?:[^"]|"")+)" in (?:EXCLUDE|REPLACE|RENAME) list not found'
)
_CANDIDATES = re.compile(r"Candidate bindings: :?(.*)", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"]|"")+)"')

MAY_BE_COLUMN = RESERVED - CLAUSE_WORDS
"""Words that somebody may well have called a column, and that mean nothing where they stand."""

Columns = Mapping[Address, tuple[BoundColumn, ...]]


def finding(model: Model, refused: Refused, known: Columns) -> Diagnostic:
    """The finding for what DuckDB refused in a model.

    Args:
        model: the model.
        refused: DuckDB's answer.
        known: the columns of what the model reads.
    """
    if refused.kind == "Parser":
        return _syntax(model, refused, known)
    name = _missing_column(refused)
    if name is not None:
        return _unknown_column(model, refused, name, known)
    return type_mismatch.finding(model, refused) or bind_error.finding(model, refused)


def _syntax(model: Model, refused: Refused, known: Columns) -> Diagnostic:
    """What DuckDB's parser does not take, though smelt's did; mostly a word that it keeps for itself."""
    tokens = model.parsed.query.tokens if model.parsed.query is not None else None
    index = tokens.at(refused.span.start) if tokens is not None else None
    if tokens is not None and index is not None:
        for token in (tokens[index], *((tokens[index - 1],) if index > 0 else ())):
            bare = token.span.of(model.text) == token.text
            if bare and fold(token.text) in MAY_BE_COLUMN:
                names = {fold(column.name) for columns in known.values() for column in columns}
                return syntax.keyword(Location(model.file, token.span), token.text, names)
    return syntax.finding(Location(model.file, refused.span), refused.first_line)


def _missing_column(refused: Refused) -> str | None:
    if refused.subtype == "COLUMN_NOT_FOUND" and refused.name:
        return refused.name
    words = _IN_WORDS.search(refused.message)
    return (words[1] or words[2]).replace('""', '"') if words is not None else None


def _unknown_column(model: Model, refused: Refused, name: str, known: Columns) -> Diagnostic:
    location = Location(model.file, _last_name(model, refused.span))
    if _reads_one_relation(model):
        address = model.references[0].address
        names = [column.name for column in known.get(address, ())]
        return unknown_column.finding(location, name, names, f"`{address}`")
    # With several relations only DuckDB knows which of their columns are in scope at this place.
    listed = _CANDIDATES.search(refused.message)
    offered = [text.replace('""', '"') for text in _QUOTED.findall(listed[1])] if listed is not None else []
    bare = dict.fromkeys(text.rpartition(".")[2] for text in (*offered, *refused.candidates))
    if not bare:
        return report(unknown_column.CODE, location, column=name, suggestion="name a column of what is read here")
    return unknown_column.finding(location, name, bare, "what is read here")


def _reads_one_relation(model: Model) -> bool:
    query = model.parsed.query
    outer = query.relations if query is not None else ()
    return len(model.references) == len(model.parsed.relations) == len(outer) == 1 and outer[0].is_address


def _last_name(model: Model, span: Span) -> Span:
    """Of ``alias.column``, the column."""
    tokens = model.parsed.query.tokens if model.parsed.query is not None else None
    if tokens is None:
        return span
    first, end = tokens.within(span)
    return tokens[end - 1].span if end > first else span
