"""Analyses made by hand, as the classifier would make them."""

from smelt.analysis.definition import Definition
from smelt.analysis.model import Analysis, ModelAnalysis
from smelt.diagnostics.model import Diagnostic
from smelt.grains.succession.shape import OutputColumn, SuccessionShape
from smelt.project.model import (
    Address,
    Frontmatter,
    Granularity,
    Marks,
    Model,
    MutationProfile,
    Project,
    Reference,
    Refresh,
    Source,
    SourceColumn,
    Timeseries,
)
from smelt.sql.model import Parsed
from smelt.text.spans import Span

CHANGES = Address(("sources", "customer_changes"))
HISTORY = Address(("customer_history",))
SQL = "SELECT customer_id FROM smelt.sources.customer_changes\n"


def model(address: Address, *, reads: tuple[Address, ...] = (), name: str | None = None) -> Model:
    file = f"models/{'/'.join(address.segments)}.sql"
    references = tuple(Reference(read, Span(0, 6)) for read in reads)
    frontmatter = Frontmatter(refresh=Refresh.INCREMENTAL, materialization="table", name=name)
    return Model(address, file, SQL, Span(0, len(SQL)), frontmatter, Marks(file), Parsed(None), references)


def shape(
    *,
    key: tuple[str, ...] = ("customer_id",),
    flag: str | None = "is_deleted",
    pre_filter_text: str | None = None,
    partitioning: str = "arrival",
) -> SuccessionShape:
    lead = OutputColumn("valid_to", "derived", '"__smelt_lead"', lead=True, plain=True)
    current = OutputColumn("is_current", "derived", '"__smelt_lead" IS NULL', lead=True)
    return SuccessionShape(
        source=CHANGES,
        key=key,
        clock="effective_ts",
        clock_type="TIMESTAMP",
        flag=flag,
        pre_filter=pre_filter_text,
        pre_filter_text=pre_filter_text,
        outputs=(
            *(OutputColumn(name, "row_local", f'"{name}"', source_column=name) for name in key),
            OutputColumn("valid_from", "row_local", '"effective_ts"', source_column="effective_ts"),
            lead,
            current,
        ),
        key_outputs=key,
        clock_output="valid_from",
        reads=(*key, "effective_ts"),
        run_axis="ingested_date" if partitioning == "arrival" else "effective_ts",
        partitioning="arrival" if partitioning == "arrival" else "event_time",
        granularity=Granularity.DAY,
    )


def succession(found: SuccessionShape, *, name: str | None = None) -> ModelAnalysis:
    return ModelAnalysis(model(HISTORY, reads=(CHANGES,), name=name), "succession", found, Definition(lambda: "{}"), ())


def refused(*diagnostics: Diagnostic) -> ModelAnalysis:
    return ModelAnalysis(model(HISTORY, reads=(CHANGES,)), "refused", None, None, diagnostics)


def source() -> Source:
    return Source(
        CHANGES,
        Marks("models/sources/customer_changes.yml"),
        columns=(SourceColumn("customer_id", "INTEGER", nullable=False),),
        mutation_profile=MutationProfile("append_only"),
        timeseries=Timeseries("effective_ts", "ingested_date", Granularity.DAY),
    )


def analysis(*models: ModelAnalysis) -> Analysis:
    project = Project(
        config=None,
        models={found.model.address: found.model for found in models},
        sources={CHANGES: source()},
        seeds={},
        texts={found.model.file: found.model.text for found in models},
        order=tuple(found.model.address for found in models),
    )
    return Analysis(project, {found.model.address: found for found in models}, ())
