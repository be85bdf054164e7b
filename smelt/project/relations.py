"""The relations a project builds, with their physical names."""

from collections.abc import Mapping
from dataclasses import dataclass

from smelt.diagnostics.model import Location
from smelt.project.model import Address, Model, ProjectConfig, Seed
from smelt.text.spans import Span


@dataclass(frozen=True, slots=True)
class BuiltRelation:
    """What a model or seed is built as.

    ``place`` names the database and schema it is built in; ``location`` is where its name was chosen: the value of
    ``name:``, else the beginning of the file.
    """

    address: Address
    relation: str
    place: str
    location: Location


def built_relations(
    models: Mapping[Address, Model], seeds: Mapping[Address, Seed], config: ProjectConfig | None
) -> tuple[BuiltRelation, ...]:
    """All of them, in order of their files."""
    built = [
        BuiltRelation(address, model.relation, _place(model.frontmatter.target, config), _name_of(model))
        for address, model in models.items()
    ]
    built += [
        BuiltRelation(address, seed.relation or address.default_relation, _place(None, config), _start(seed.file))
        for address, seed in seeds.items()
    ]
    return tuple(sorted(built, key=lambda one: (one.location.file, one.address)))


def _name_of(model: Model) -> Location:
    return model.marks.at("name") if ("name",) in model.marks.values else _start(model.file)


def _start(file: str) -> Location:
    return Location(file, Span(0, 0))


def _place(target: str | None, config: ProjectConfig | None) -> str:
    """Two targets with one database and schema are one place."""
    if config is None:
        return target or ""
    found = config.targets.get(target or config.default_target)
    return f"{found.database}/{found.schema}" if found is not None else str(target)
