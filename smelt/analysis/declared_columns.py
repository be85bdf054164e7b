"""What a model's declarations say of columns, against the columns that there are."""

from collections.abc import Iterator, Mapping

from smelt.analysis.binding import Columns
from smelt.analysis.rules import unknown_declared_column
from smelt.diagnostics.model import Diagnostic, Location
from smelt.project.model import Address, KeyPath, Model, Project
from smelt.text.identifiers import fold


def findings(project: Project, model: Model, given: Mapping[Address, Columns]) -> Iterator[Diagnostic]:
    """Columns that ``columns:`` names and the model lacks, and fields that ``relationships`` names elsewhere.

    Args:
        project: where the declarations of ``smelt.yml`` stand.
        model: the model.
        given: the columns of models, as far as they are known.
    """
    names = _names(project, model.address, given)
    for index, column in enumerate(model.frontmatter.columns):
        if not _has(names, column.name):
            where = _written(project, model, ("columns", index, "name"))
            yield unknown_declared_column.finding(where, column.name, names, str(model.address))
    yield from _fields(project, model, given)


def tested_against(model: Model) -> tuple[Address, ...]:
    """What the ``relationships`` tests of a model point to."""
    tests = (test for column in model.frontmatter.columns for test in column.tests)
    return tuple(_address(test.to) for test in tests if test.to is not None)


def _fields(project: Project, model: Model, given: Mapping[Address, Columns]) -> Iterator[Diagnostic]:
    for index, column in enumerate(model.frontmatter.columns):
        for test in column.tests:
            if test.to is None or test.field is None:
                continue
            names = _names(project, _address(test.to), given)
            if not _has(names, test.field):
                where = _written(project, model, ("columns", index, "tests", test.item, "relationships", "field"))
                yield unknown_declared_column.finding(where, test.field, names, test.to)


def _names(project: Project, address: Address, given: Mapping[Address, Columns]) -> tuple[str, ...]:
    """The columns of a model, source or seed; empty if they are not known."""
    if address in project.models:
        return tuple(column.name for column in given.get(address, ()))
    source = project.sources.get(address)
    return tuple(column.name for column in source.columns) if source is not None else ()


def _has(names: tuple[str, ...], name: str) -> bool:
    return not names or fold(name) in {fold(known) for known in names}


def _address(printed: str) -> Address:
    return Address(tuple(printed.split(".")))


def _written(project: Project, model: Model, path: KeyPath) -> Location:
    """Where a value of ``columns:`` was written: in the frontmatter, or in ``smelt.yml``."""
    if path in model.marks.values or project.config is None:
        return model.marks.at(*path)
    marks, name = project.config.marks, fold(str(model.address))
    for above in marks.keys:
        if len(above) == 2 and above[0] == "models" and fold(str(above[1])).removeprefix("smelt.") == name:
            return marks.at(*above, *path)
    return model.marks.at(*path)
