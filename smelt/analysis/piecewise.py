"""A project judged model by model while its files change.

What :func:`smelt.analysis.analyze.analyze` finds at once is found here at the cost of what changed: a model is judged
again if it was read again, or if something that it reads shows something else to its readers. What is left to do is
done in small pieces, so that whoever types is not kept waiting by the rest of the project.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeVar

from smelt.analysis.allowances import Allowance, allowances
from smelt.analysis.binding import Binder, Columns, declared
from smelt.analysis.incremental import (
    EVERY_ADDRESS,
    Record,
    every_address,
    model_interface,
    model_record,
    names_addresses_in,
    source_record,
)
from smelt.analysis.ledger import Ledger
from smelt.analysis.model import Analysis, Summary
from smelt.analysis.reported import without
from smelt.analysis.staleness import Pending, stale_above
from smelt.analysis.surroundings import Judged, LazyModels, Surroundings, read_by
from smelt.diagnostics.model import Diagnostic, in_order
from smelt.facts.rules import source_expression_not_row_local
from smelt.project.layout import PROJECT_FILE
from smelt.project.model import Address, Source
from smelt.project.piecewise import Change, Files, PiecewiseProject, Reading

_Value = TypeVar("_Value")
_SHARED = "shared"
_MAX_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class View:
    """A project as it stands.

    Attributes:
        analysis: a model that no open file holds may be judged only when it is asked for, and ``analysis.project``
            may know of it only what it reads and is built as.
        findings: what is shown, by file and in order.
        addresses: what each file is the model, source, seed or sidecar of.
        columns: what models give and sources declare, where that is known.
        summaries: models in short, where that is known.
        pending: the files whose findings may be those of an earlier state; empty when nothing is left to do.
    """

    analysis: Analysis
    findings: Mapping[str, tuple[Diagnostic, ...]]
    addresses: Mapping[str, Address]
    columns: Mapping[Address, Columns]
    summaries: Mapping[Address, Summary]
    pending: Set[str]


class PiecewiseAnalysis:
    """A project whose files change, and what is found in it. For one thread at a time."""

    def __init__(self, binder: Binder, digest: Callable[[str], str], records: Mapping[str, Record]) -> None:
        """A project without files.

        Args:
            binder: asked about the models that are judged.
            digest: names a text as the records do.
            records: by file what an earlier check left of exactly the text, the ``smelt.yml`` and the environment that
                the first update brings.
        """
        self._binder = binder
        self._digest = digest
        self._records = {file: one for file, one in records.items() if _is_enough(one)}
        self._taken: dict[Address, Record] = {}
        known = {file: one.facts.model for file, one in self._records.items() if one.facts.model is not None}
        self._project = PiecewiseProject(known)
        self._judged: dict[Address, Judged] = {}
        self._columns: dict[Address, Columns] = {}
        self._summaries: dict[Address, Summary] = {}
        self._replaced: dict[Address, Judged] = {}
        self._unread: dict[Address, None] = {}
        self._due: dict[Address, None] = {}
        self._readers: dict[Address, dict[Address, None]] = {}
        self._reads: dict[Address, tuple[Address, ...]] = {}
        self._told: tuple[Diagnostic, ...] = ()
        self._shared: dict[str, tuple[Diagnostic, ...]] = {}
        self._order: tuple[Address, ...] | None = None
        self._circular: frozenset[Address] = frozenset()
        self._has_begun = False
        self._given: tuple[Mapping[Address, Source], Mapping[Address, Columns]] = ({}, {})
        self._ledger = Ledger()
        self._comments: dict[str, tuple[Allowance, ...]] = {}
        self._expressions: dict[str, tuple[Source | None, tuple[Diagnostic, ...]]] = {}

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to do."""
        return not self._unread and not self._due and self._project.is_settled

    @property
    def share_judged(self) -> float:
        """Of all models the share that was judged, and not taken from a record; 0 without a model."""
        judged = sum(one.analysis is not None for one in self._judged.values())
        return judged / max(1, len(self._judged))

    def update(self, files: Files) -> None:
        """Take up another state of the files. Nothing is judged yet."""
        change = self._project.update(files)
        models = self._project.setting.models
        for address in change.read:
            if address in models:
                self._unread[address] = None
            else:
                self._forget(address)
        beneath = chain.from_iterable(self._readers.get(address, ()) for address in change.sources)
        everyone = models if change.setting else ()
        for address in (*change.read, *change.linked, *beneath, *everyone):
            if address in models:
                self._due[address] = None
        if PROJECT_FILE in change.texts and self._has_begun:
            self._records.clear()
        self._has_begun = True
        self._note_shared()
        self._note_sources()
        self._note_comments(change)

    def attend(self, files: Iterable[str]) -> None:
        """Judge the models in these files, and whatever that takes, before all others."""
        by_file = self._project.setting.files
        wanted = [by_file[file] for file in files if file in by_file]
        for address in wanted:
            self._read(address)
        for _ in range(_MAX_ROUNDS):  # the whole may show something else, and a test name a model that reads its own
            if not self._unread:
                self._look_at_whole()
            stale = stale_above(wanted, self._reads, self._due.keys())
            for address in stale.intersection(wanted):
                self._settle(address, stale)
        for address in wanted:
            if self._judged[address].analysis is None:
                self._keep(address, self._judge(address, self._project.read_whole(address)))

    def step(self) -> None:
        """Do one small piece of what is left."""
        if self._unread:
            self._read(next(iter(self._unread)))
            return
        self._look_at_whole()
        if self._due:
            self._settle(next(iter(self._due)), self._due)

    def view(self) -> View:
        """The project as it stands, as a value."""
        setting = self._project.setting
        around = replace(self._around(), readings=dict(self._project.readings), judged=dict(self._judged))
        found = self._shown()
        diagnostics = tuple(chain.from_iterable(found[file] for file in sorted(found)))
        project = self._project.project()
        if self._given[0] is not self._project.sources:
            self._given = (self._project.sources, declared(project))
        columns = {**self._given[1], **self._columns}
        summaries = dict(self._summaries)
        models = LazyModels(around, frozenset(self._due))
        pending = Pending(setting.files, dict(self._reads), frozenset(self._due))
        analysis = Analysis(project, models, diagnostics)
        return View(analysis, found, self._project.addresses(), columns, summaries, pending)

    def left(self) -> Mapping[str, Record]:
        """What this look leaves for another one, by file; as :func:`smelt.analysis.incremental.check` leaves it.

        Nothing if the project file cannot be used: what was found then stands under an earlier one.
        """
        if not self._project.setting.is_present:
            return {}
        around, texts = self._around(), self._project.files.texts
        every = (EVERY_ADDRESS, every_address(self._project.project()))
        setup = texts.get(PROJECT_FILE, "")
        records: dict[str, Record] = {}
        for address, judged in self._judged.items():
            model, reading = judged.model, self._project.readings[address]
            if not reading.is_whole or judged.analysis is None:
                if address in self._taken:
                    records[model.file] = self._taken[address]
                continue
            inputs = around.inputs(model)
            if names_addresses_in(model, setup):
                inputs = tuple(sorted((*inputs, every)))
            found, digest = (*reading.found, *judged.found), self._digest(model.text)
            records[model.file] = model_record(model, digest, found, inputs, judged.columns, judged.summary)
        declared_in = {one.marks.file: one for one in self._project.sources.values()}
        for file, found in self._project.of_sources.items():
            records[file] = source_record(self._digest(texts[file]), declared_in.get(file), found)
        return records

    def _around(self) -> Surroundings:
        project = self._project
        return Surroundings(
            files=project.files,
            setting=project.setting,
            broken=project.broken,
            sources=project.sources,
            readings=project.readings,
            judged=self._judged,
            shared=self._shared,
            circular=self._circular,
            digest=self._digest,
            binder=self._binder,
        )

    def _read(self, address: Address) -> Reading:
        self._unread.pop(address, None)
        reading = self._project.read(address)
        reads = tuple(read_by(reading.model))
        before = self._reads.get(address, ())
        if reads != before:
            for one in before:
                self._readers[one].pop(address, None)
            for one in reads:
                self._readers.setdefault(one, {})[address] = None
            self._reads[address] = reads
        return reading

    def _look_at_whole(self) -> None:
        """Take up what the rules of the whole project find, now that every model is read."""
        self._project.settle()
        self._note_shared()
        order = self._project.order
        if order is not self._order:
            was_circular, self._order = self._circular, order
            self._circular = frozenset(self._project.setting.models.keys() - frozenset(order))
            models = self._project.setting.models
            self._due.update(dict.fromkeys(at for at in self._circular ^ was_circular if at in models))

    def _note_shared(self) -> None:
        told = self._project.shared()
        if told != self._told:
            self._told = told
            self._ledger.put(_SHARED, told)
            before, self._shared = self._shared, _by_file(told)
            for address, entity in self._project.setting.models.items():
                if before.get(entity.file) != self._shared.get(entity.file):
                    self._due[address] = None

    def _settle(self, address: Address, stale: Container[Address]) -> None:
        """Judge a model after those of the stale ones that it reads; on a circle somebody has to be the first."""
        waiting, opened = [address], set[Address]()
        while waiting:
            at = waiting[-1]
            self._read(at)
            reads = self._reads.get(at, ())  # of a model that was just read for the first time they are news
            first = [one for one in reads if (one in stale or one in self._due) and one not in opened]
            opened.add(at)
            if first:
                waiting += first
                continue
            waiting.pop()
            if at in self._due:
                self._keep(at, self._judged_again(at))

    def _judged_again(self, address: Address) -> Judged:
        reading, around = self._project.readings[address], self._around()
        depends = around.depends(reading)
        for earlier in (self._judged.get(address), self._replaced.get(address)):
            if earlier is not None and earlier.model is reading.model and earlier.depends == depends:
                return earlier
        record = self._records.pop(reading.model.file, None)
        holds = record is not None and record.inputs == around.inputs(reading.model)
        if record is not None and holds and not reading.is_whole and _is_as_left(record, around.earlier(reading)):
            found, columns = record.findings, record.columns
            self._taken[address] = record
            return Judged(reading.model, depends, None, record.summary, columns, found, record.interface)
        return self._judge(address, self._project.read_whole(address))

    def _judge(self, address: Address, reading: Reading) -> Judged:
        self._read(address)  # a model that was read whole says more of what it is tested against
        around = self._around()
        analysis = around.analysis(reading)
        columns = analysis.columns
        interface = model_interface(columns)
        return Judged(
            reading.model, around.depends(reading), analysis, analysis.summary, columns, analysis.own, interface
        )

    def _keep(self, address: Address, judged: Judged) -> None:
        self._due.pop(address, None)
        before = self._judged.get(address)
        if before is judged:
            return
        self._judged[address] = judged
        _put(self._columns, address, judged.columns)
        _put(self._summaries, address, judged.summary)
        if before is not None and before.model is judged.model:
            self._replaced[address] = before
        else:
            self._replaced.pop(address, None)
        reading = self._project.readings[address]
        self._ledger.put(address, (*reading.found, *reading.unlinked, *judged.found))
        if before is None or before.interface != judged.interface:
            self._due.update(dict.fromkeys(one for one in self._readers.get(address, ()) if one in self._judged))

    def _forget(self, address: Address) -> None:
        for kept in (self._judged, self._columns, self._summaries, self._replaced, self._unread, self._due):
            kept.pop(address, None)
        for one in self._reads.pop(address, ()):
            self._readers[one].pop(address, None)
        self._ledger.put(address, ())

    def _note_sources(self) -> None:
        said, declared_in = self._project.of_sources, {one.marks.file: one for one in self._project.sources.values()}
        for file in self._expressions.keys() - said.keys():
            del self._expressions[file]
            self._ledger.put(file, ())
        for file, found in said.items():
            source = declared_in.get(file)
            before = self._expressions.get(file)
            if before is None or before[0] is not source:
                expressions = source_expression_not_row_local.findings(source) if source is not None else ()
                before = self._expressions[file] = (source, tuple(expressions))
            self._ledger.put(file, (*found, *before[1]))

    def _note_comments(self, change: Change) -> None:
        for file in change.texts:
            text = self._project.files.texts.get(file)
            found = allowances(file, text) if text is not None else ()
            if found:
                self._comments[file] = found
            else:
                self._comments.pop(file, None)

    def _shown(self) -> Mapping[str, tuple[Diagnostic, ...]]:
        found = self._ledger.by_file()
        if not self._project.setting.is_present:  # what models found there stands at places of the last good text
            own = self._shared.get(PROJECT_FILE)
            found = {file: here for file, here in found.items() if file != PROJECT_FILE}
            found |= {PROJECT_FILE: in_order(own)} if own is not None else {}
        if not self._comments:
            return found
        every = chain.from_iterable(found[file] for file in sorted(found))
        return _by_file(without(every, chain.from_iterable(self._comments.values())).findings)


def _is_as_left(record: Record, earlier: Iterable[Diagnostic]) -> bool:
    """Whether a model is refused, or is not, as it was when the record was made.

    That can hang on the rest of the project: a circle, or a name that is no address.
    """
    refused = any(one.is_error for one in (*earlier, *record.findings))
    return record.summary is None or (record.summary.kind == "refused") == refused


def _put(kept: dict[Address, _Value], address: Address, value: _Value | None) -> None:
    if value is None:
        kept.pop(address, None)
    else:
        kept[address] = value


def _is_enough(record: Record) -> bool:
    """Whether a record can stand for its model: not if its findings depend on which addresses there are."""
    return record.facts.model is not None and all(name != EVERY_ADDRESS for name, _ in record.inputs)


def _by_file(found: Iterable[Diagnostic]) -> dict[str, tuple[Diagnostic, ...]]:
    grouped: dict[str, list[Diagnostic]] = {}
    for diagnostic in found:
        grouped.setdefault(diagnostic.location.file, []).append(diagnostic)
    return {file: tuple(here) for file, here in grouped.items()}
