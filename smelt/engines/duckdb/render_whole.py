"""SQL of what is built whole, views and tables: the author's query over physical relations. Pure."""

from collections.abc import Callable

from smelt.engines.duckdb.statements import Statement
from smelt.project.model import Address, Model
from smelt.sql.rewrite import rewrite
from smelt.text.identifiers import quote
from smelt.text.spans import Span


def physical_query(model: Model, relation: Callable[[Address], str | None]) -> str:
    """The model's SQL with each address replaced, and nothing else touched.

    A replaced relation keeps the name that the author gave it, or else the last segment of its address.

    Args:
        model: whose query is written.
        relation: what stands in ``FROM`` for an address; None leaves the address as it is.
    """
    aliased = {one.name_span: one.alias is not None for one in model.parsed.relations}
    replacements: list[tuple[Span, str]] = []
    for reference in model.references:
        sql = relation(reference.address)
        if sql is not None:
            alias = "" if aliased.get(reference.span) else f" AS {quote(reference.address.segments[-1])}"
            replacements.append((reference.span, sql + alias))
    span = model.parsed.query.span if model.parsed.query is not None else model.sql_span
    return rewrite(model.text, span, replacements).strip()


def create_view(place: str, query: str) -> Statement:
    """A view of a query."""
    return Statement("create the view", f"CREATE VIEW {place} AS\n{query}", guard="it is missing or reads otherwise")


def create_table(place: str, query: str) -> Statement:
    """A table with the rows of a query; one that smelt built before is dropped in the same transaction."""
    return Statement("create the table", f"CREATE TABLE {place} AS\n{query}")
