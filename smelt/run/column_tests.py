"""Column tests as queries: each finds the rows that break it. Pure."""

from smelt.project.model import Address, ColumnTest, Project, Target
from smelt.text.identifiers import quote, quote_literal


def can_run(project: Project, test: ColumnTest) -> bool:
    """Whether the test's query can be written: not where it points to a source that is read from files."""
    if test.kind != "relationships":
        return True
    source = project.sources.get(_address(test))
    return source is None or source.seed_file is not None or source.relation is not None


def query(project: Project, target: Target, model: Address, test: ColumnTest) -> str:
    """SQL whose rows break ``test``; its first column is the tested one.

    Values of ``accepted_values`` are literals that the warehouse reads in the column's own type.
    """
    relation = _relation(project, target, model)
    column = f"tested.{quote(test.column)}"
    present = f"SELECT {column} FROM {relation} AS tested WHERE {column} IS NOT NULL"
    match test.kind:
        case "not_null":
            return f"SELECT {column} FROM {relation} AS tested WHERE {column} IS NULL"
        case "unique":
            return f"{present} GROUP BY {column} HAVING count(*) > 1"
        case "accepted_values":
            values = ", ".join(quote_literal(value) for value in test.values)
            return f"{present} AND {column} NOT IN ({values})" if values else present
        case "relationships":
            return f"{present} AND NOT EXISTS ({_partner(project, target, test, column)})"


def _partner(project: Project, target: Target, test: ColumnTest, column: str) -> str:
    relation = _relation(project, target, _address(test))
    return f"SELECT 1 FROM {relation} AS partner WHERE partner.{quote(test.field or test.column)} = {column}"


def _address(test: ColumnTest) -> Address:
    return Address(tuple((test.to or "").removeprefix("smelt.").split(".")))


def _relation(project: Project, target: Target, address: Address) -> str:
    model, seed, source = project.models.get(address), project.seeds.get(address), project.sources.get(address)
    if model is not None:
        name = model.relation
    elif seed is not None:
        name = seed.relation or address.default_relation
    elif source is not None and source.relation is not None:
        return ".".join(quote(part) for part in source.relation.split("."))
    else:
        name = address.default_relation
    return f"{quote(target.schema)}.{quote(name)}"
