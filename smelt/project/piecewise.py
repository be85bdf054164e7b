"""A project read file by file while its files change.

What :func:`smelt.project.load.load` does at once is done here at the cost of what changed: a file is read again if its
text changed or what it is read with, a model is linked again if it was read or the addresses changed, and the rules of
the whole project are asked again if something that they look at changed.
"""

from collections.abc import Collection, Container, Iterator, Mapping
from dataclasses import dataclass, field, replace

from smelt.diagnostics.model import Diagnostic
from smelt.project.addresses import AddressBook, Entity, entities_of
from smelt.project.config import ConfigFile
from smelt.project.declarations import Override
from smelt.project.graph import order_of, references_of
from smelt.project.known import LINKED_KEYS, KnownModel
from smelt.project.layout import PROJECT_FILE
from smelt.project.load import Loading, build_findings, of_kind, read_overrides, read_setup, seeds_of
from smelt.project.model import Address, Frontmatter, Marks, Model, Project, Seed, Source
from smelt.project.rules import duplicate_address, file_unreadable
from smelt.project.sources import SourceDeclaration, read_source
from smelt.sql.model import Parsed
from smelt.text.spans import Span

_NAMES_ADDRESSES = "relationships"
"""A test of this kind names an address in YAML: what such a file says depends on which addresses there are."""


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a project; see :func:`smelt.project.load.load_project`."""

    texts: Mapping[str, str] = field(default_factory=dict)
    seeds: tuple[str, ...] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setting:
    """What every file is read with.

    Attributes:
        setup: ``smelt.yml``; while it is half written the last one that could be used.
        is_present: whether ``setup`` is what the file says now.
        models: the files that are models and whose text is there, by address.
        files: the addresses of these models, by file.
        findings: about ``smelt.yml``, about files that cannot be read, and about addresses.
    """

    setup: ConfigFile
    is_present: bool
    entities: tuple[Entity, ...]
    models: Mapping[Address, Entity]
    files: Mapping[str, Address]
    book: AddressBook
    overrides: Mapping[Address, Override]
    findings: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One model as read, and as linked.

    Attributes:
        model: with its references.
        found: what its own text is to blame for.
        unlinked: findings about names that are no address.
        is_whole: whether the text was read; else only what an earlier reading left is known.
    """

    model: Model
    found: tuple[Diagnostic, ...]
    unlinked: tuple[Diagnostic, ...]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Change:
    """What an update touched.

    Attributes:
        read: models that are to be read, or were read, in another way than before; those that went are among them.
        linked: models with other references, or other names that are no address.
        sources: sources that are others now, came or went.
        texts: the files with another text, or that came or went.
        setting: whether what files are read with is another.
    """

    read: frozenset[Address] = frozenset()
    linked: frozenset[Address] = frozenset()
    sources: frozenset[Address] = frozenset()
    texts: frozenset[str] = frozenset()
    setting: bool = False


class PiecewiseProject:
    """The files of a project, read as they are asked for. Pure but for what it keeps; for one thread at a time."""

    def __init__(self, known: Mapping[str, KnownModel]) -> None:
        """A project without files.

        Args:
            known: by file what an earlier reading left of exactly the text that the first update brings.
        """
        self.files = Files()
        self.sources: dict[Address, Source] = {}
        self.seeds: dict[Address, Seed] = {}
        self.readings: dict[Address, Reading] = {}
        self.order: tuple[Address, ...] = ()
        self.of_sources: dict[str, tuple[Diagnostic, ...]] = {}
        self._setting: Setting | None = None
        self._known = dict(known)
        self._good: tuple[ConfigFile, str] | None = None
        self.broken: frozenset[Address] = frozenset()
        self._declared: dict[Entity, tuple[str, SourceDeclaration]] = {}
        self._before: dict[Address, Reading] = {}
        self._position: dict[Address, int] = {}
        self._models_before: Mapping[Address, Model] | None = None
        self._moved: set[Address] = set()
        self._addresses: tuple[tuple[object, ...], Mapping[str, Address]] | None = None
        self._cycles: tuple[Diagnostic, ...] = ()
        self._builds: tuple[Diagnostic, ...] = ()
        self._order_due = self._builds_due = True

    @property
    def setting(self) -> Setting:
        """What every file is read with.

        Raises:
            ValueError: there was no update yet.
        """
        if self._setting is None:
            raise ValueError("no files were taken up yet")
        return self._setting

    @property
    def is_settled(self) -> bool:
        """Whether the rules of the whole project have nothing new to look at."""
        return not self._order_due and not self._builds_due

    def update(self, files: Files) -> Change:
        """Take up another state of the files. Models that changed are read when they are asked for."""
        before, old = self.files, self._setting
        changed = frozenset(_differing(before.texts, files.texts))
        self.files = files
        setting = self._setting = self._set(before, old, changed)
        read = self._drop_outdated(old, setting, changed)
        sources = self._read_sources(old, setting, changed)
        is_same = setting is old and not sources
        broken = self.broken if is_same else frozenset(self._unusable(setting))
        linked: frozenset[Address] = frozenset()
        if old is None or setting.book is not old.book or broken != self.broken:
            self.broken = broken
            linked = frozenset(self._link_all())
        self._builds_due |= setting is not old or len(sources) > 0
        return Change(read, linked, sources, changed, setting is not old)

    def read(self, address: Address) -> Reading:
        """A model, as far as it is known; read if nothing is."""
        reading = self.readings.get(address)
        if reading is not None:
            return reading
        entity = self.setting.models[address]
        known = self._known.get(entity.file)
        if known is None:
            return self.read_whole(address)
        model = known.model(address, entity.file)
        references, unlinked = references_of(model, self.setting.book, self.broken)
        linked = replace(model, references=references)
        return self._kept(address, Reading(linked, (), tuple(unlinked), is_whole=False))

    def read_whole(self, address: Address) -> Reading:
        """A model with its text and its query."""
        reading = self.readings.get(address)
        if reading is not None and reading.is_whole:
            return reading
        self._known.pop(self.setting.models[address].file, None)
        before = self._before.get(address)
        return self._kept(address, read_model(self.files, self.setting, self.broken, address, before))

    def settle(self) -> None:
        """Ask the rules of the whole project, if they could say something new. Every model must have been read."""
        if self.is_settled:
            return
        models = self._models()
        if self._order_due:
            self.order, cycles = order_of(models)
            self._cycles = tuple(cycles)
            self._position = {address: place for place, address in enumerate(self.order)}
            self._order_due = False
        if self._builds_due:
            setting, texts = self.setting, self.files.texts
            if not setting.is_present and self._good is not None:
                texts = {**texts, PROJECT_FILE: self._good[1]}
            found = build_findings(models, self.seeds, setting.setup, setting.overrides, texts)
            self._builds = tuple(one for one in found if setting.is_present or one.location.file != PROJECT_FILE)
            self._builds_due = False

    def shared(self) -> tuple[Diagnostic, ...]:
        """The findings that no single file is to blame for; :meth:`settle` brings them up to date."""
        return (*self.setting.findings, *self._cycles, *self._builds)

    def project(self) -> Project:
        """The project as a value, without findings. A model that was not read whole has no text and no query."""
        return Project(
            config=self.setting.setup.config,
            models=self._models(),
            sources=self.sources,
            seeds=self.seeds,
            texts=self.files.texts,
            order=self.order,
        )

    def addresses(self) -> Mapping[str, Address]:
        """What each file is the model, source, seed or sidecar of. What is returned does not change any more."""
        seen = (self.setting, self.sources, self.seeds)
        if self._addresses is None or any(a is not b for a, b in zip(self._addresses[0], seen, strict=True)):
            found = {seed.file: address for address, seed in self.seeds.items()}
            found.update({source.marks.file: address for address, source in self.sources.items()})
            self._addresses = seen, {**found, **self.setting.files}
        return self._addresses[1]

    def _models(self) -> Mapping[Address, Model]:
        """Every model as far as it is known. What is returned does not change any more."""
        entities, read = self.setting.models, self.readings
        moved = entities.keys() if self._models_before is None else [at for at in self._moved if at in entities]
        if moved:
            fresh = {at: read[at].model if at in read else _unread(entities[at]) for at in moved}
            self._models_before = {**(self._models_before or {}), **fresh}
        self._moved.clear()
        return self._models_before or {}

    def _set(self, before: Files, old: Setting | None, changed: Collection[str]) -> Setting:
        files = self.files
        if (
            old is not None
            and PROJECT_FILE not in changed
            and files.environment == before.environment
            and files.unreadable == before.unreadable
            and files.seeds == before.seeds
            and files.texts.keys() == before.texts.keys()
        ):
            return old
        present = read_setup(files.texts, files.unreadable, files.environment)
        if present.config is not None:
            self._good = (present, files.texts[PROJECT_FILE])
        setup = present if self._good is None else self._good[0]
        entities = entities_of({*files.texts, *files.seeds, *files.unreadable}, setup.paths)
        book = AddressBook.of(entity.address for entity in entities)
        overrides, of_overrides = read_overrides(setup, book, entities)
        about = (*file_unreadable.findings(files.unreadable), *duplicate_address.check(entities))
        models = {entity.address: entity for entity in of_kind(entities, "model") if entity.file in files.texts}
        return Setting(
            setup=setup,
            is_present=setup is present,
            entities=entities,
            models=models,
            files={entity.file: address for address, entity in models.items()},
            book=old.book if old is not None and old.book == book else book,
            overrides=overrides,
            findings=(*about, *present.diagnostics, *(of_overrides if setup is present else ())),
        )

    def _drop_outdated(self, old: Setting | None, setting: Setting, changed: Collection[str]) -> frozenset[Address]:
        """Forget the readings that do not hold any more."""
        outdated = {setting.files[file] for file in changed if file in setting.files}
        if setting is not old:
            models = setting.models.items()
            outdated.update(address for address, entity in models if self._is_read_otherwise(entity, old, setting))
            self._models_before = None
        gone = old.models.keys() - setting.models.keys() if old is not None else frozenset[Address]()
        for address in (*outdated, *gone):
            reading = self.readings.pop(address, None)
            self._moved.add(address)
            if reading is not None:
                self._before[address] = reading
            if old is not None and address in setting.models:
                self._known.pop(setting.models[address].file, None)
        for address in gone:
            self._before.pop(address, None)
            self._order_due = self._builds_due = True
        return frozenset((*outdated, *gone))

    def _is_read_otherwise(self, entity: Entity, old: Setting | None, setting: Setting) -> bool:
        address = entity.address
        if old is None or old.models.get(address) != entity:
            return True
        override = setting.overrides.get(address)
        if override != old.overrides.get(address):
            return True
        if setting.setup.default_materialization != old.setup.default_materialization:
            return True
        reading = self.readings.get(address)
        return setting.book is not old.book and reading is not None and _names_addresses(reading.model, override)

    def _read_sources(self, old: Setting | None, setting: Setting, changed: Collection[str]) -> frozenset[Address]:
        """Read the sources that changed. Of several declarations of an address the first that can be used counts."""
        if setting is old and not any(entity.declaration in changed for entity in setting.entities):
            return frozenset()
        before, declared = self.sources, self._declared
        self.sources, self._declared, self.of_sources = {}, {}, {}
        for entity in setting.entities:
            file = entity.declaration
            text = self.files.texts.get(file) if file is not None else None
            if file is None or text is None or entity.address in self.sources:
                continue
            earlier = declared.get(entity)
            one = earlier[1] if earlier is not None and earlier[0] == text else read_source(entity, file, text)
            self._declared[entity] = (text, one)
            self.of_sources[file] = tuple(one.diagnostics)
            if one.source is not None:
                self.sources[entity.address] = one.source
        self.seeds = seeds_of(of_kind(setting.entities, "seed"), self.sources)
        every = before.keys() | self.sources.keys()
        return frozenset(address for address in every if before.get(address) != self.sources.get(address))

    def _unusable(self, setting: Setting) -> Iterator[Address]:
        for entity in setting.entities:
            address = entity.address
            if address not in setting.models and address not in self.sources and address not in self.seeds:
                yield address

    def _link_all(self) -> Iterator[Address]:
        for address, reading in tuple(self.readings.items()):
            references, unlinked = references_of(reading.model, self.setting.book, self.broken)
            if references != reading.model.references:
                model = replace(reading.model, references=references)
                self.readings[address] = replace(reading, model=model, unlinked=tuple(unlinked))
                self._moved.add(address)
                self._order_due = True
                yield address
            elif tuple(unlinked) != reading.unlinked:
                self.readings[address] = replace(reading, unlinked=tuple(unlinked))
                yield address

    def _kept(self, address: Address, reading: Reading) -> Reading:
        before = self._before.pop(address, None) or self.readings.get(address)
        self.readings[address] = reading
        self._moved.add(address)
        self._order_due |= before is None or self._moves_order(before.model, reading.model)
        self._builds_due |= before is None or _built_as(before.model) != _built_as(reading.model)
        return reading

    def _moves_order(self, before: Model, model: Model) -> bool:
        """Whether the order of all models, or a finding about circles in it, may be another one."""
        if self._cycles:
            return True
        here = self._position.get(model.address)
        reads = {one.address for one in model.references if one.address in self.setting.models}
        known = {one.address for one in before.references}
        return here is None or any(self._position.get(one, here) >= here for one in reads - known)


def read_model(
    files: Files, setting: Setting, broken: Container[Address], address: Address, before: Reading | None
) -> Reading:
    """Read and link one model.

    Args:
        files: the files.
        setting: what they are read with.
        broken: the addresses with nothing usable behind them.
        address: the model's, one of ``setting.models``.
        before: an earlier reading, whose query is not parsed again if the text is the same.
    """
    previous = {address: before.model} if before is not None and before.is_whole else {}
    loading = Loading(files.texts, setting.setup, setting.book, previous, {})
    model, found = loading.model(setting.models[address], setting.overrides.get(address))
    references, unlinked = references_of(model, setting.book, broken)
    return Reading(replace(model, references=references), tuple(found), tuple(unlinked), is_whole=True)


def _differing(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """The names with another text, or with one on one side alone."""
    for name in before.keys() - after.keys():
        yield name
    for name, text in after.items():
        earlier = before.get(name)
        if earlier is not text and earlier != text:
            yield name


def _unread(entity: Entity) -> Model:
    nowhere = Span(0, 0)
    return Model(entity.address, entity.file, "", nowhere, Frontmatter(), Marks(entity.file), Parsed(None, ()))


def _names_addresses(model: Model, override: Override | None) -> bool:
    return override is not None or _NAMES_ADDRESSES in model.text[: model.sql_span.start]


def _built_as(model: Model) -> tuple[object, ...]:
    """All of a model that the rules about what is built look at."""
    front, values = model.frontmatter, model.marks.values
    return (front.name, front.target, *(values.get((key,)) for key in LINKED_KEYS))
