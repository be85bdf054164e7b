"""Small projects and a warehouse in memory, made by hand: the runner is tested without SQL."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from graphlib import TopologicalSorter

from smelt.analysis.definition import Definition
from smelt.analysis.model import Analysis, Kind, ModelAnalysis
from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.engines.model import (
    Built,
    Failure,
    FoldRequest,
    LandedPartition,
    Remembered,
    SingleConnection,
    WarehouseError,
)
from smelt.grains.succession.shape import SuccessionShape
from smelt.project.model import (
    Address,
    ColumnTest,
    Frontmatter,
    Granularity,
    Marks,
    Model,
    ModelColumn,
    Project,
    ProjectConfig,
    Reference,
    Seed,
    Target,
)
from smelt.run.model import Begun, Ended, Retry
from smelt.sql.model import Parsed
from smelt.text.intervals import Interval
from smelt.text.spans import Span

REFUSED = Code("ModelRefusedForTest", Severity.ERROR, "refused for {why}", "write something else")


def address(name: str) -> Address:
    return Address(tuple(name.split(".")))


def day(number: int) -> datetime:
    return datetime(2025, 1, 1) + timedelta(days=number - 1)


def days(start: int, end: int) -> Interval:
    return Interval(day(start), day(end))


@dataclass(frozen=True)
class ModelSpec:
    reads: tuple[str, ...] = ()
    kind: Kind = "table"
    tests: tuple[ColumnTest, ...] = ()


def shape(source: str, granularity: Granularity = Granularity.DAY) -> SuccessionShape:
    return SuccessionShape(
        source=address(source),
        key=("k",),
        clock="t",
        clock_type="TIMESTAMP",
        flag=None,
        pre_filter=None,
        pre_filter_text=None,
        outputs=(),
        key_outputs=("k",),
        clock_output="t",
        reads=("k", "t", "d"),
        run_axis="d",
        partitioning="arrival",
        granularity=granularity,
    )


def _model(name: str, spec: ModelSpec) -> Model:
    file = f"models/{name.replace('.', '/')}.sql"
    columns = tuple(ModelColumn(test.column, tests=(test,)) for test in spec.tests)
    return Model(
        address=address(name),
        file=file,
        text="SELECT 1 AS one",
        sql_span=Span(0, 15),
        frontmatter=Frontmatter(columns=columns),
        marks=Marks(file),
        parsed=Parsed(None),
        references=tuple(Reference(address(read), Span(0, 1)) for read in spec.reads),
    )


def _analysis(model: Model, spec: ModelSpec) -> ModelAnalysis:
    findings: tuple[Diagnostic, ...] = ()
    if spec.kind == "refused":
        findings = (report(REFUSED, Location(model.file, Span(0, 6)), why="a test"),)
    return ModelAnalysis(
        model=model,
        kind=spec.kind,
        shape=shape("sources.changes") if spec.kind == "succession" else None,
        definition=None if spec.kind == "refused" else Definition(lambda: str(model.address)),
        diagnostics=findings,
    )


def make(
    specs: Mapping[str, ModelSpec], seeds: tuple[str, ...] = (), config: ProjectConfig | None = None
) -> tuple[Project, Analysis]:
    models = {address(name): _model(name, spec) for name, spec in specs.items()}
    order = TopologicalSorter({name: [read for read in spec.reads if read in specs] for name, spec in specs.items()})
    project = Project(
        config=config or ProjectConfig("shop", {"dev": Target("dev")}, "dev", Marks("smelt.yml")),
        models=models,
        sources={},
        seeds={address(name): Seed(address(name), f"models/{name}.csv") for name in seeds},
        texts={},
        order=tuple(address(name) for name in order.static_order()),
    )
    analyses = {one.address: _analysis(one, specs[str(one.address)]) for one in models.values()}
    findings = tuple(finding for one in analyses.values() for finding in one.diagnostics)
    return project, Analysis(project, analyses, findings)


def failing(
    code: str = "Boom", *, approval: bool = False, busy: bool = False, committed: Built | None = None
) -> Callable[[], Built]:
    def build() -> Built:
        raise WarehouseError(Failure(code, f"{code} happened", approval=approval, busy=busy), committed)

    return build


def building(built: Built) -> Callable[[], Built]:
    return lambda: built


TABLE = Built(strategy="table", row_count=3)


@dataclass
class FakeWarehouse:
    """Does what a test scripts for a name; counts what it was asked."""

    script: Mapping[str, Callable[[], Built]] = field(default_factory=dict)
    rows: Callable[[str], tuple[int, tuple[tuple[object, ...], ...]]] = lambda sql: (0, ())
    calls: list[str] = field(default_factory=list)
    folds: list[FoldRequest] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    interrupts: int = 0
    sequence: int = 0
    memory: tuple[Remembered, ...] = ()
    partitions: tuple[LandedPartition, ...] = ()
    closed: int = 0
    single: bool = False

    def beside(self, count: int, models: Sequence[ModelAnalysis]) -> "tuple[FakeWarehouse, ...]":
        if self.single:
            raise SingleConnection("the test says so")
        return (self,) * count

    def _do(self, name: str, sequence: int) -> Built:
        self.calls.append(name)
        built = self.script.get(name, building(TABLE))()
        self.sequence = max(self.sequence, sequence)
        return built

    def load_seed(self, seed: Seed, run_id: str, sequence: int) -> Built:
        return self._do(str(seed.address), sequence)

    def build_view(self, model: ModelAnalysis, run_id: str, sequence: int) -> Built:
        return self._do(str(model.model.address), sequence)

    def build_table(self, model: ModelAnalysis, run_id: str, sequence: int) -> Built:
        return self._do(str(model.model.address), sequence)

    def last_sequence(self) -> int:
        return self.sequence

    def remembered(self, models: Sequence[ModelAnalysis]) -> tuple[Remembered, ...]:
        known = {one.model: one for one in self.memory}
        return tuple(known[name] for name in map(str, (one.model.address for one in models)) if name in known)

    def landed(self, models: Sequence[ModelAnalysis]) -> tuple[tuple[str, tuple[LandedPartition, ...]], ...]:
        return tuple(("sources.changes", self.partitions) for _ in models)

    def fold(self, model: ModelAnalysis, request: FoldRequest, announce: Callable[[str], None]) -> Built:
        self.folds.append(request)
        return self._do(str(model.model.address), request.sequence)

    def failing_rows(self, sql: str, limit: int) -> tuple[int, tuple[tuple[object, ...], ...]]:
        self.queries.append(sql)
        return self.rows(sql)

    def interrupt(self) -> None:
        self.interrupts += 1

    def close(self) -> None:
        self.closed += 1


@dataclass
class Listening:
    """Keeps what it hears."""

    heard: list[str] = field(default_factory=list)
    ended: list[Ended] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def started(self, begun: Begun) -> None:
        self.heard.append("started " + " ".join(begun.manifest.selection))

    def model_started(self, name: str) -> None:
        self.heard.append(f"begin {name}")

    def model_ended(self, ended: Ended) -> None:
        self.heard.append(f"end {ended.name}")
        self.ended.append(ended)

    def retrying(self, retry: Retry) -> None:
        self.heard.append(f"again {retry.name} {retry.number}/{retry.of} in {retry.pause}")

    def notice(self, text: str, about: str | None) -> None:
        self.notices.append(text)
