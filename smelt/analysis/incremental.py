"""Checking a project again, at the cost of what changed.

A file that is as it was, and reads what it read, is not read again: its findings are those of before. What a model
gives to those that read it is its *interface*; when a change leaves it as it was, the readers are left alone.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from smelt.analysis.analyze import analyze
from smelt.analysis.binding import Binder, Columns
from smelt.analysis.declared_columns import tested_against
from smelt.analysis.model import Analysis, Summary
from smelt.diagnostics.model import Diagnostic, in_order
from smelt.facts.rules import source_expression_not_row_local
from smelt.project.known import KnownFile, KnownModel, KnownSource
from smelt.project.layout import PROJECT_FILE
from smelt.project.load import Loaded, load
from smelt.project.model import Address, Model, Project, Source
from smelt.text.identifiers import fold

EVERY_ADDRESS = "*"
"""Stands in a record's inputs for all addresses that there are."""
_NAMES_ADDRESSES = "relationships"
"""A test of this kind names an address in YAML, so its model depends on which addresses there are."""

_MAX_ROUNDS = 8
SEED_INTERFACE = "seed"


@dataclass(frozen=True, slots=True)
class Texts:
    """The files of a project.

    Attributes:
        files: path (relative to the root, with ``/``) to text; may read a text when it is first asked for.
        digests: path to a digest of the text.
        seeds: paths of CSV files.
        unreadable: path to the reason why a file's text is missing.
        environment: for ``${NAME}`` in ``smelt.yml``.
    """

    files: Mapping[str, str]
    digests: Mapping[str, str]
    seeds: Collection[str]
    unreadable: Mapping[str, str]
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Record:
    """What a check leaves of one file.

    Attributes:
        digest: of the text.
        facts: what the rules of the whole project need of it.
        findings: those that it answers for.
        inputs: printed address and interface of everything it reads.
        interface: digest of what those that read it can see.
        columns: what a model gives; None if DuckDB could not tell.
        summary: of a model.
        reads: the folded names, without ``smelt.``, of what a model and its tests read.
    """

    digest: str
    facts: KnownFile
    findings: tuple[Diagnostic, ...]
    inputs: tuple[tuple[str, str], ...] = ()
    interface: str = ""
    columns: Columns | None = None
    summary: Summary | None = None
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings of a project, in order.

    Attributes:
        files: those that were looked at.
        records: what to know next time, by file.
        read: the files that were read anew.
        hidden: values of the environment that must not be printed.
    """

    diagnostics: tuple[Diagnostic, ...]
    files: frozenset[str]
    records: Mapping[str, Record]
    read: frozenset[str]
    hidden: frozenset[str]

    @property
    def reads(self) -> dict[str, tuple[str, ...]]:
        """For each model's file the folded names, without ``smelt.``, of what it and its tests read."""
        return {file: record.reads for file, record in self.records.items() if record.reads}


def check(texts: Texts, earlier: Mapping[str, Record], binder: Binder) -> Checked:
    """Judge a project, taking from ``earlier`` what still holds.

    Args:
        texts: the files as they are.
        earlier: the records of an earlier check under the same ``smelt.yml`` and environment, by the same build.
        binder: asked about the models that are judged.
    """
    stale = frozenset(
        file
        for file in texts.files
        if file != PROJECT_FILE and (file not in earlier or earlier[file].digest != texts.digests[file])
    )
    previous: Project | None = None
    for _ in range(_MAX_ROUNDS):
        look = _look(texts, earlier, stale, binder, previous)
        if not look.further:
            return look.checked()
        stale |= look.further
        previous = look.read_alone()
    return _look(texts, {}, frozenset(texts.files), binder, previous).checked()


def _look(
    texts: Texts, earlier: Mapping[str, Record], stale: frozenset[str], binder: Binder, previous: Project | None
) -> "_Look":
    kept = {file: record for file, record in earlier.items() if file in texts.files and file not in stale}
    if len(kept) * 2 < len(texts.files):
        kept = {}  # so little is left that looking for more to read costs more than reading it
    loaded = load(
        texts.files,
        seeds=texts.seeds,
        unreadable=texts.unreadable,
        environment=texts.environment,
        previous=previous,
        known={file: record.facts for file, record in kept.items()},
    )
    unread = frozenset(_sources_read(loaded.project, kept))
    if unread:
        return _Look(texts, kept, loaded, None, unread)
    project = loaded.project
    judged = {address: kept[model.file].columns for address, model in project.models.items() if model.file in kept}
    look = _Look(texts, kept, loaded, analyze(project, binder, judged), frozenset())
    return replace(look, further=frozenset(look.outdated()))


def _sources_read(project: Project, kept: Mapping[str, Record]) -> Iterator[str]:
    """Files of sources that a model to be judged reads or is tested against, and that were not read themselves."""
    for model in project.models.values():
        if model.file not in kept:
            for address in (*(reference.address for reference in model.references), *tested_against(model)):
                source = project.sources.get(address)
                if source is not None and source.marks.file in kept:
                    yield source.marks.file


@dataclass(frozen=True, slots=True)
class _Look:
    """One round: what was read, and which files must be read besides.

    Attributes:
        kept: the records of the files that were not read.
        analysis: of the models that were; None if files must be read first.
        further: the files to read in the next round.
    """

    texts: Texts
    kept: Mapping[str, Record]
    loaded: Loaded
    analysis: Analysis | None
    further: frozenset[str]

    @property
    def project(self) -> Project:
        return self.loaded.project

    def read_alone(self) -> Project:
        """The project without the models that have no query."""
        models = {address: model for address, model in self.project.models.items() if model.file not in self.kept}
        return replace(self.project, models=models)

    def outdated(self) -> Iterator[str]:
        """Files not read although something they read is not what it was."""
        every = self._every_address()
        for model in self.project.models.values():
            record = self.kept.get(model.file)
            if record is not None and record.inputs != self._inputs(model, every, dict(record.inputs)):
                yield model.file

    def checked(self) -> Checked:
        """The findings, those of the files that were not read included."""
        if self.analysis is None:
            raise ValueError("there are files to read first")
        remembered = chain.from_iterable(record.findings for record in self.kept.values())
        found = in_order((*self.analysis.diagnostics, *remembered))
        records = {**self.kept, **dict(self._records(self.analysis))}
        project = self.project
        files = {
            PROJECT_FILE,
            *(model.file for model in project.models.values()),
            *(source.marks.file for source in project.sources.values()),
            *(finding.location.file for finding in found),
        }
        hidden = project.config.redacted if project.config is not None else frozenset[str]()
        return Checked(found, frozenset(files), records, frozenset(self.texts.files) - frozenset(self.kept), hidden)

    def _records(self, analysis: Analysis) -> Iterator[tuple[str, Record]]:
        every = self._every_address()
        own = self.loaded.own
        for judged in analysis.models.values():
            model = judged.model
            names_addresses = names_addresses_in(model, self.texts.files.get(PROJECT_FILE, ""))
            inputs = self._inputs(model, every, {EVERY_ADDRESS: ""} if names_addresses else {})
            found, digest = (*own.get(model.file, ()), *judged.own), self.texts.digests[model.file]
            yield model.file, model_record(model, digest, found, inputs, judged.columns, judged.summary)
        declared = {source.marks.file: source for source in self.project.sources.values()}
        for file, found in own.items():
            source = declared.get(file)
            if file not in self.kept and not file.lower().endswith(".sql"):
                yield file, source_record(self.texts.digests[file], source, found)

    def _inputs(self, model: Model, every: str, before: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        # A model that was not read has no declarations: what its tests point to stands in its record.
        pointed = (Address(tuple(name.split("."))) for name in before if name != EVERY_ADDRESS)
        addresses = (*(one.address for one in model.references), *tested_against(model), *pointed)
        read = {str(address): self._interface(address) for address in addresses}
        if EVERY_ADDRESS in before:
            read[EVERY_ADDRESS] = every
        return tuple(sorted(read.items()))

    def _every_address(self) -> str:
        return every_address(self.project)

    def _interface(self, address: Address) -> str:
        model, source = self.project.models.get(address), self.project.sources.get(address)
        declared = source_interface(self.texts.digests[source.marks.file]) if source is not None else None
        if model is None:
            return interface(None, declared)
        record = self.kept.get(model.file)
        return interface(record.interface if record is not None else model_interface(self._given(address)), declared)

    def _given(self, address: Address) -> Columns | None:
        judged = self.analysis.models.get(address) if self.analysis is not None else None
        return judged.columns if judged is not None else None


def interface(of_model: str | None, of_source: str | None) -> str:
    """Names all that a reader of an address sees of it.

    Two files may give one address. That is a finding of its own, and the reader is judged by what both tell.

    Args:
        of_model: the interface of the model that has the address, if one has.
        of_source: the interface of the source that has it, if one has.
    """
    return " and ".join(one for one in (of_model, of_source) if one is not None) or SEED_INTERFACE


def model_interface(columns: Columns | None) -> str:
    """Names all that a reader of a model sees of it."""
    return _digest(["model", None if columns is None else [[column.name, column.type] for column in columns]])


def source_interface(digest: str) -> str:
    """Names all that a reader of a source sees of it, by the digest of its file's text."""
    return f"source {digest}"


def names_addresses_in(model: Model, setup: str) -> bool:
    """Whether what is declared of a model, in its file or in ``smelt.yml``, can name an address."""
    return any(_NAMES_ADDRESSES in text for text in (model.text[: model.sql_span.start], setup))


def every_address(project: Project) -> str:
    """Names the addresses that there are."""
    return _digest([str(address) for address in project.addresses()])


def model_record(
    model: Model,
    digest: str,
    found: tuple[Diagnostic, ...],
    inputs: tuple[tuple[str, str], ...],
    columns: Columns | None,
    summary: Summary | None,
) -> Record:
    """What is left of a model that was read and judged.

    Args:
        model: the model.
        digest: of its file's text.
        found: what its text is to blame for, and what judging it found.
        inputs: printed address and interface of everything it reads.
        columns: what it gives.
        summary: the model in short.
    """
    return Record(
        digest=digest,
        facts=KnownFile(model=KnownModel.of(model)),
        findings=found,
        inputs=inputs,
        interface=model_interface(columns),
        columns=columns,
        summary=summary,
        reads=tuple(sorted(set(_names_read(model)))),
    )


def _names_read(model: Model) -> Iterator[str]:
    for relation in model.parsed.relations:
        if relation.is_address:
            yield fold(".".join(relation.parts[1:]))
    for column in model.frontmatter.columns:
        for test in column.tests:
            if test.to is not None:
                yield fold(test.to).removeprefix("smelt.")


def source_record(digest: str, source: Source | None, found: Iterable[Diagnostic]) -> Record:
    """What is left of the file of a source; None if the source could not be used."""
    if source is None:
        return Record(digest, KnownFile(), tuple(found))
    findings = (*found, *source_expression_not_row_local.findings(source))
    return Record(digest, KnownFile(source=KnownSource.of(source)), findings)


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()
