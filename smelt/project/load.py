"""File texts to a :class:`~smelt.project.model.Project`. Pure: no file is opened here."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from smelt.diagnostics.model import Diagnostic, Location, Related, in_order, report
from smelt.project.config import ConfigFile, config_of
from smelt.project.declare import frontmatter_of, source_of
from smelt.project.frontmatter import split
from smelt.project.grammar import ModelFile
from smelt.project.model import Address, Marks, Model, Project, ProjectConfig, Seed, Source
from smelt.project.references import link
from smelt.project.rules import (
    duplicate_address,
    duplicate_relation,
    file_unreadable,
    frontmatter_unclosed,
    project_file_missing,
    reserved_relation_name,
    unknown_target,
)
from smelt.project.yaml import YamlFile, read_mapping
from smelt.sql.parse import parse
from smelt.sql.rules import syntax
from smelt.text.identifiers import did_you_mean, fold
from smelt.text.spans import Span

PROJECT_FILE = "smelt.yml"
_EXTENSIONS = (".sql", ".yml", ".yaml", ".csv")


@dataclass(frozen=True, slots=True)
class _Entity:
    address: Address
    file: str


def load_project(
    files: Mapping[str, str],
    *,
    seeds: Collection[str] = (),
    unreadable: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Project:
    """The project that the files make.

    Args:
        files: path (relative to the root, with ``/``) to text: ``smelt.yml``, models and YAML files.
        seeds: paths of CSV files.
        unreadable: path to the reason why a file's text is missing.
        environment: for ``${NAME}`` in ``smelt.yml``.
    """
    found = [
        report(file_unreadable.CODE, Location(path, Span(0, 0)), problem=problem)
        for path, problem in sorted((unreadable or {}).items())
    ]
    setup = _config(files, environment or {}, unreadable or {})
    found += setup.diagnostics
    config = setup.config
    if config is None:
        paths: tuple[str, ...] = ("models",)
        materialization = "view"
    else:
        paths, materialization = config.paths, config.default_materialization
    models, model_findings = _models(_entities(files, (".sql",), paths), files, setup, materialization)
    seed_entities = _entities(seeds, (".csv",), paths)
    sources, source_findings = _sources(_entities(files, (".yml", ".yaml"), paths), files, seed_entities)
    seed_map = {
        entity.address: Seed(entity.address, entity.file, sources.get(entity.address)) for entity in seed_entities
    }
    found += model_findings + source_findings
    found += _duplicates(models, sources, seed_entities)
    linked = link(models, [*models, *sources, *seed_map])
    found += linked.diagnostics
    found += _relation_findings(linked.models, seed_map)
    if config is not None:
        found += _target_findings(linked.models, config)
    return Project(
        config=config,
        models=linked.models,
        sources=sources,
        seeds=seed_map,
        texts=dict(files),
        diagnostics=in_order(found),
        order=linked.order,
    )


def _config(files: Mapping[str, str], environment: Mapping[str, str], unreadable: Mapping[str, str]) -> ConfigFile:
    text = files.get(PROJECT_FILE)
    if text is None:
        if PROJECT_FILE in unreadable:
            return ConfigFile(None, {}, ())
        where = Location(PROJECT_FILE, Span(0, 0))
        return ConfigFile(None, {}, (report(project_file_missing.CODE, where),))
    return config_of(read_mapping(PROJECT_FILE, text, Span(0, len(text))), environment)


def address_of(path: str, prefixes: Iterable[str]) -> Address | None:
    """The address of a file, or None if it lies under no prefix or is of no kind that has one."""
    stem, dot, extension = path.rpartition(".")
    if not dot or f".{extension.lower()}" not in _EXTENSIONS:
        return None
    for prefix in sorted(prefixes, key=len, reverse=True):
        inside = stem.removeprefix(prefix + "/") if prefix not in ("", ".") else stem
        if prefix in ("", ".") or inside != stem:
            return Address(tuple(inside.split("/")))
    return None


def _entities(files: Iterable[str], extensions: tuple[str, ...], prefixes: Iterable[str]) -> tuple[_Entity, ...]:
    prefixes = tuple(prefixes)
    return tuple(
        _Entity(address, path)
        for path in sorted(files)
        if path != PROJECT_FILE
        and path.lower().endswith(extensions)
        and (address := address_of(path, prefixes)) is not None
    )


def _models(
    entities: Iterable[_Entity], files: Mapping[str, str], setup: ConfigFile, materialization: str
) -> tuple[dict[Address, Model], list[Diagnostic]]:
    models: dict[Address, Model] = {}
    found: list[Diagnostic] = []
    for entity in entities:
        override = setup.overrides.get(str(entity.address)) or setup.overrides.get(entity.address.sql)
        model, problems = _model(entity, files[entity.file], override, materialization)
        models.setdefault(entity.address, model)
        found += problems
    return models, found


def _model(
    entity: _Entity, text: str, override: ModelFile | None, materialization: str
) -> tuple[Model, list[Diagnostic]]:
    parts = split(text)
    found: list[Diagnostic] = []
    if parts.unclosed is not None:
        found.append(report(frontmatter_unclosed.CODE, Location(entity.file, parts.unclosed)))
    yaml = (
        read_mapping(entity.file, text, parts.yaml)
        if parts.yaml is not None
        else YamlFile({}, Marks(entity.file, whole=Span(parts.sql.start, parts.sql.start)))
    )
    found += yaml.diagnostics
    frontmatter, problems = frontmatter_of(yaml, override, materialization)
    found += problems
    parsed = parse(text, parts.sql)
    if parts.unclosed is None:
        found += syntax.findings(entity.file, parsed.errors)
    model = Model(entity.address, entity.file, text, parts.sql, frontmatter, yaml.marks, parsed)
    return model, found


def _sources(
    entities: Iterable[_Entity], files: Mapping[str, str], seeds: Iterable[_Entity]
) -> tuple[dict[Address, Source], list[Diagnostic]]:
    seed_files = {entity.address: entity.file for entity in seeds}
    sources: dict[Address, Source] = {}
    found: list[Diagnostic] = []
    for entity in entities:
        text = files[entity.file]
        yaml = read_mapping(entity.file, text, Span(0, len(text)))
        found += yaml.diagnostics
        if yaml.diagnostics and not yaml.values:
            continue
        seed_file = seed_files.get(entity.address)
        beside = seed_file is not None and seed_file.rpartition(".")[0] == entity.file.rpartition(".")[0]
        source, problems = source_of(entity.address, yaml, seed_file if beside else None)
        found += problems
        if source is not None:
            sources.setdefault(entity.address, source)
    return sources, found


def _duplicates(
    models: Mapping[Address, Model], sources: Mapping[Address, Source], seeds: Iterable[_Entity]
) -> list[Diagnostic]:
    """One finding at each later file of an address, the first one related. A sidecar is part of its seed."""
    files = [(m.file, m.address) for m in models.values()]
    files += [(s.marks.file, s.address) for s in sources.values() if s.seed_file is None]
    files += [(entity.file, entity.address) for entity in seeds]
    first: dict[str, str] = {}
    found: list[Diagnostic] = []
    for file, address in sorted(files):
        earlier = first.setdefault(fold(str(address)), file)
        if earlier != file:
            related = [Related(Location(earlier, Span(0, 0)), "the other file")]
            found.append(report(duplicate_address.CODE, Location(file, Span(0, 0)), address=address, related=related))
    return found


def _relation_findings(models: Mapping[Address, Model], seeds: Mapping[Address, Seed]) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    first: dict[str, Location] = {}
    built = [(m.relation, m.marks.at("name"), m.frontmatter.target) for m in models.values()]
    built += [(a.default_relation, Location(s.file, Span(0, 0)), None) for a, s in seeds.items()]
    for relation, where, target in sorted(built, key=lambda entry: (entry[1].file, entry[0])):
        name = fold(relation)
        if name.startswith("_smelt_") or name.endswith("__tombstones"):
            found.append(report(reserved_relation_name.CODE, where, relation=relation))
        earlier = first.setdefault(f"{target}/{name}", where)
        if earlier is not where:
            related = [Related(earlier, "the other one")]
            found.append(report(duplicate_relation.CODE, where, relation=relation, related=related))
    return found


def _target_findings(models: Mapping[Address, Model], config: ProjectConfig) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    for model in models.values():
        target = model.frontmatter.target
        if target is not None and target not in config.targets:
            hint = did_you_mean(target, config.targets) or "one of " + ", ".join(config.targets)
            found.append(report(unknown_target.CODE, model.marks.at("target"), target=target, suggestion=hint))
    return found
