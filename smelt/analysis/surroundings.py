"""All that judging one model looks at, as a value: who holds it can judge at any time, about the same state."""

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass

from smelt.analysis.analyze import judge
from smelt.analysis.binding import Binder, Columns
from smelt.analysis.declared_columns import tested_against
from smelt.analysis.incremental import interface, model_interface, source_interface
from smelt.analysis.model import ModelAnalysis, Summary
from smelt.diagnostics.model import Diagnostic
from smelt.grains.succession.proven import NOTHING_PROVEN
from smelt.project.model import Address, Model, Project, Source
from smelt.project.piecewise import Files, Reading, Setting, read_model


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one model.

    Attributes:
        model: what was judged.
        depends: all else that it depended on.
        analysis: None if only what an earlier check left is known.
        summary: the model in short; None if an earlier check did not leave one.
        found: the findings of judging, in whichever file they stand.
        interface: names what readers see of it.
    """

    model: Model
    depends: tuple[object, ...]
    analysis: ModelAnalysis | None
    summary: Summary | None
    columns: Columns | None
    found: tuple[Diagnostic, ...]
    interface: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """All that judging one model looks at."""

    files: Files
    setting: Setting
    broken: Container[Address]
    sources: Mapping[Address, Source]
    readings: Mapping[Address, Reading]
    judged: Mapping[Address, Judged]
    shared: Mapping[str, tuple[Diagnostic, ...]]
    circular: Container[Address]
    digest: Callable[[str], str]
    binder: Binder

    def depends(self, reading: Reading) -> tuple[object, ...]:
        """What a judgement holds with, beside the model itself."""
        model = reading.model
        config = self.setting.setup.config
        targets = [(one.extensions, one.init_sql) for one in config.targets.values()] if config is not None else []
        return self.inputs(model), self.earlier(reading), model.address in self.circular, targets

    def inputs(self, model: Model) -> tuple[tuple[str, str], ...]:
        """Printed address and interface of everything a model reads, or is tested against."""
        return tuple(sorted({str(address): self._interface(address) for address in read_by(model)}.items()))

    def earlier(self, reading: Reading) -> tuple[Diagnostic, ...]:
        """The findings in a model's file that are there before it is judged."""
        file = reading.model.file
        own = (one for one in reading.found if one.location.file == file)
        return (*self.shared.get(file, ()), *own, *reading.unlinked)

    def analysis(self, reading: Reading) -> ModelAnalysis:
        """Judge a model that was read whole."""
        model = reading.model
        beside = [address for address in read_by(model) if address != model.address]
        project = Project(
            config=self.setting.setup.config,
            models={
                **{address: self.readings[address].model for address in beside if address in self.readings},
                model.address: model,
            },
            sources={address: self.sources[address] for address in beside if address in self.sources},
            seeds={},
            texts=self.files.texts,
            order=() if model.address in self.circular else (model.address,),
        )
        given = {address: columns for address in beside if (columns := self._columns(address)) is not None}
        before = self.judged.get(model.address)
        proven = before.analysis.row_local if before is not None and before.analysis is not None else NOTHING_PROVEN
        return judge(model, project, self.earlier(reading), given, self.binder, proven)

    def read(self, address: Address) -> Reading:
        """A model read whole."""
        reading = self.readings.get(address)
        if reading is not None and reading.is_whole:
            return reading
        return read_model(self.files, self.setting, self.broken, address, reading)

    def _columns(self, address: Address) -> Columns | None:
        judged = self.judged.get(address)
        return judged.columns if judged is not None else None

    def _interface(self, address: Address) -> str:
        source = self.sources.get(address)
        declared = source_interface(self.digest(self.files.texts[source.marks.file])) if source is not None else None
        if address not in self.setting.models:
            return interface(None, declared)
        judged = self.judged.get(address)
        return interface(judged.interface if judged is not None else model_interface(None), declared)


class LazyModels(Mapping[Address, ModelAnalysis]):
    """The models of a state, each judged when it is first asked for, if it was not before."""

    def __init__(self, around: Surroundings, due: frozenset[Address]) -> None:
        self._around = around
        self._due = due
        self._made: dict[Address, ModelAnalysis] = {}

    def __getitem__(self, address: Address) -> ModelAnalysis:
        judged = self._around.judged.get(address)
        if judged is not None and judged.analysis is not None and address not in self._due:
            return judged.analysis
        if address not in self._made:
            if address not in self._around.setting.models:
                raise KeyError(address)
            self._made[address] = self._around.analysis(self._around.read(address))
        return self._made[address]

    def __contains__(self, address: object) -> bool:
        return address in self._around.setting.models

    def __iter__(self) -> Iterator[Address]:
        return iter(self._around.setting.models)

    def __len__(self) -> int:
        return len(self._around.setting.models)


def read_by(model: Model) -> Iterator[Address]:
    """What a model reads or is tested against; an address may come more than once."""
    yield from (reference.address for reference in model.references)
    yield from tested_against(model)
