"""File texts to a :class:`~smelt.project.model.Project`. Pure: no file is opened here."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from smelt.diagnostics.model import Diagnostic, in_order
from smelt.project.addresses import AddressBook, Entity, entities_of
from smelt.project.config import ConfigFile, no_config, read_config
from smelt.project.declarations import Override, declaration_of
from smelt.project.frontmatter import split
from smelt.project.graph import link
from smelt.project.known import KnownFile
from smelt.project.layout import PROJECT_FILE
from smelt.project.model import Address, Marks, Model, Project, ProjectConfig, Seed, Source
from smelt.project.relations import built_relations
from smelt.project.rules import (
    duplicate_address,
    duplicate_relation,
    file_unreadable,
    frontmatter_unclosed,
    project_file_missing,
    reserved_relation_name,
    unknown_reference,
    unknown_target,
    yaml_duplicate_key,
)
from smelt.project.sources import read_source
from smelt.project.yaml import YamlFile, read_mapping
from smelt.sql.parse import parse
from smelt.sql.rules import syntax
from smelt.text.spans import Span


def load_project(
    files: Mapping[str, str],
    *,
    seeds: Collection[str] = (),
    unreadable: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    previous: Project | None = None,
) -> Project:
    """The project that the files make.

    A file that is broken is left out, with its findings; the others are read all the same.

    Args:
        files: path (relative to the root, with ``/``) to text: ``smelt.yml``, models and YAML files.
        seeds: paths of CSV files.
        unreadable: path to the reason why a file's text is missing.
        environment: for ``${NAME}`` in ``smelt.yml``.
        previous: an earlier state of the project, whose queries are not parsed again where their text is the same.
            It changes how long this takes, never what comes out.
    """
    return load(files, seeds=seeds, unreadable=unreadable, environment=environment, previous=previous, known={}).project


@dataclass(frozen=True, slots=True)
class Loaded:
    """A project, and apart from it what each file's own text is to blame for.

    Attributes:
        project: with all findings but those of the files that were known.
        own: by file that was read: the findings that depend on its text, on ``smelt.yml`` and on nothing else.
        addresses: everything that may be referred to.
    """

    project: Project
    own: Mapping[str, tuple[Diagnostic, ...]]
    addresses: AddressBook


def load(
    files: Mapping[str, str],
    *,
    seeds: Collection[str] = (),
    unreadable: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    previous: Project | None = None,
    known: Mapping[str, KnownFile],
) -> Loaded:
    """Like :func:`load_project`, but the files in ``known`` are not read: their models have no query.

    What a file's own text is to blame for is not found again for those; the rules of the whole project judge them
    as if they had been read.
    """
    lacking = unreadable or {}
    setup = read_setup(files, lacking, environment or {})
    entities = entities_of({*files, *seeds, *lacking}, setup.paths)
    book = AddressBook.of(entity.address for entity in entities)
    found = [*file_unreadable.findings(lacking), *setup.diagnostics, *duplicate_address.check(entities)]
    loading = Loading(files, setup, book, previous.models if previous is not None else {}, known)
    overrides, override_findings = read_overrides(setup, book, entities)
    found += override_findings
    models, own = loading.models(of_kind(entities, "model"), overrides)
    sources, of_sources = loading.sources(entities)
    seed_map = seeds_of(of_kind(entities, "seed"), sources)
    own.update(of_sources)
    found += chain.from_iterable(own.values())
    usable = {*models, *sources, *seed_map}
    linked = link(models, book, {entity.address for entity in entities} - usable)
    found += linked.diagnostics
    found += build_findings(linked.models, seed_map, setup, overrides, files)
    project = Project(
        config=setup.config,
        models=linked.models,
        sources=sources,
        seeds=seed_map,
        texts=files if known else dict(files),
        diagnostics=in_order(found),
        order=linked.order,
    )
    return Loaded(project, {file: tuple(problems) for file, problems in own.items()}, book)


def read_setup(files: Mapping[str, str], unreadable: Mapping[str, str], environment: Mapping[str, str]) -> ConfigFile:
    """``smelt.yml`` of a project's files, or what holds without one."""
    text = files.get(PROJECT_FILE)
    if text is not None:
        return read_config(PROJECT_FILE, text, environment)
    # An unreadable one has its finding already.
    return no_config(PROJECT_FILE, *([] if PROJECT_FILE in unreadable else [project_file_missing.finding()]))


def of_kind(entities: Iterable[Entity], kind: str) -> tuple[Entity, ...]:
    """Those of one kind; of two files with one address the first."""
    first: dict[Address, Entity] = {}
    for entity in entities:
        if entity.kind == kind:
            first.setdefault(entity.address, entity)
    return tuple(first.values())


def read_overrides(
    setup: ConfigFile, book: AddressBook, entities: Iterable[Entity]
) -> tuple[dict[Address, Override], list[Diagnostic]]:
    """What ``models:`` of ``smelt.yml`` says, by address."""
    known = AddressBook.of(entity.address for entity in entities if entity.kind == "model")
    overrides: dict[Address, Override] = {}
    found: list[Diagnostic] = []
    for name, spec in setup.overrides.items():
        address, path = known.find(name), ("models", name)
        where = setup.marks.key(*path)
        if address is None:
            found.append(unknown_reference.in_declaration(where, name, known, kinds="model"))
        elif address in overrides:
            first = setup.marks.key(*overrides[address].path)
            found.append(yaml_duplicate_key.finding(where, first, name))
        else:
            overrides[address] = Override(spec, setup.marks, path)
    return overrides, found


@dataclass(frozen=True, slots=True)
class Loading:
    """What every file is read with."""

    files: Mapping[str, str]
    setup: ConfigFile
    book: AddressBook
    previous: Mapping[Address, Model]
    known: Mapping[str, KnownFile]

    def models(
        self, entities: Iterable[Entity], overrides: Mapping[Address, Override]
    ) -> tuple[dict[Address, Model], dict[str, Sequence[Diagnostic]]]:
        """The models that can be read, without references, and by file what is wrong with each text."""
        models: dict[Address, Model] = {}
        found: dict[str, Sequence[Diagnostic]] = {}
        for entity in entities:
            known = self.known.get(entity.file)
            if known is not None and known.model is not None:
                models[entity.address] = known.model.model(entity.address, entity.file)
            elif entity.file in self.files:
                models[entity.address], found[entity.file] = self.model(entity, overrides.get(entity.address))
        return models, found

    def model(self, entity: Entity, override: Override | None) -> tuple[Model, list[Diagnostic]]:
        """The model of a file whose text is there, without references, and what is wrong with its text."""
        file, text = entity.file, self.files[entity.file]
        parts = split(text)
        start = Span(parts.sql.start, parts.sql.start)
        yaml = (
            read_mapping(file, text, parts.yaml) if parts.yaml is not None else YamlFile({}, Marks(file, whole=start))
        )
        declared = declaration_of(yaml, override, self.setup.default_materialization, self.book)
        earlier = self.previous.get(entity.address)
        unchanged = earlier is not None and earlier.text == text
        parsed = earlier.parsed if earlier is not None and unchanged else parse(text, parts.sql)
        found = [*frontmatter_unclosed.check(file, text, parts), *declared.diagnostics]
        if parts.unclosed is None:
            found += syntax.findings(file, parsed.errors)
        return Model(entity.address, file, text, parts.sql, declared.frontmatter, yaml.marks, parsed), found

    def sources(self, entities: Iterable[Entity]) -> tuple[dict[Address, Source], dict[str, Sequence[Diagnostic]]]:
        """The sources that can be used, and by file what is wrong with each text."""
        sources: dict[Address, Source] = {}
        found: dict[str, Sequence[Diagnostic]] = {}
        for entity in entities:
            file = entity.declaration
            if file is None or file not in self.files or entity.address in sources:
                continue
            known = self.known.get(file)
            if known is not None:
                if known.source is not None:
                    seed_file = entity.file if entity.kind == "seed" else None
                    sources[entity.address] = known.source.source(entity.address, file, seed_file)
            else:
                declared = read_source(entity, file, self.files[file])
                found[file] = declared.diagnostics
                if declared.source is not None:
                    sources[entity.address] = declared.source
        return sources, found


def seeds_of(entities: Iterable[Entity], sources: Mapping[Address, Source]) -> dict[Address, Seed]:
    """Seeds; one whose sidecar cannot be used is left out, for its columns are unknown."""
    seeds: dict[Address, Seed] = {}
    for entity in entities:
        source = sources.get(entity.address)
        if entity.sidecar is None or source is not None:
            relation = source.relation if source is not None else None
            seeds[entity.address] = Seed(entity.address, entity.file, source, relation)
    return seeds


def build_findings(
    models: Mapping[Address, Model],
    seeds: Mapping[Address, Seed],
    setup: ConfigFile,
    overrides: Mapping[Address, Override],
    texts: Mapping[str, str],
) -> Iterator[Diagnostic]:
    """What is wrong with the relations that would be built, and with the places to build them in."""
    relations = built_relations(models, seeds, setup.config)
    yield from reserved_relation_name.check(relations)
    yield from duplicate_relation.check(relations)
    if setup.config is not None:
        for address, model in models.items():
            yield from _target_findings(model, setup.config, overrides.get(address), texts)


def _target_findings(
    model: Model, config: ProjectConfig, override: Override | None, texts: Mapping[str, str]
) -> Iterator[Diagnostic]:
    target = model.frontmatter.target
    if target is not None:
        where = model.marks.at("target")
        if ("target",) not in model.marks.values and override is not None:
            where = override.marks.at(*override.path, "target")
        yield from unknown_target.check(where, target, where.span.of(texts[where.file]), config.targets)
