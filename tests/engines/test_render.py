"""Statements are fixed texts: the same for every window, never an UPDATE, every identifier quoted."""

import re

import pytest

from smelt.engines.duckdb.render import build_statements, fold_statements
from smelt.grains.succession.shape import OutputColumn, SuccessionShape
from smelt.plan.succession import KnownNeighbours, Locate, Relations, StagedInput, plan
from smelt.project.model import Address, Granularity

LEAD = OutputColumn("valid_to", "derived", '"__smelt_lead"', lead=True, plain=True)
LAG = OutputColumn("previous", "derived", '"__smelt_lag"', lag=True, plain=True)
IS_CURRENT = OutputColumn("is_current", "derived", '"__smelt_lead" IS NULL', lead=True)
IS_FIRST = OutputColumn("is_first", "derived", '"__smelt_lag" IS NULL', lag=True)


def shape(*derived: OutputColumn, flag: str | None = "gone") -> SuccessionShape:
    return SuccessionShape(
        source=Address(("sources", "events")),
        key=("select",),
        clock="t",
        clock_type="TIMESTAMP",
        flag=flag,
        pre_filter=None,
        pre_filter_text=None,
        outputs=(
            OutputColumn("select", "row_local", '"select"', source_column="select"),
            OutputColumn("since", "row_local", '"t"', source_column="t"),
            *derived,
        ),
        key_outputs=("select",),
        clock_output="since",
        reads=("select", "t", "gone", "d"),
        run_axis="d",
        partitioning="arrival",
        granularity=Granularity.DAY,
    )


TYPES = (("select", "INTEGER"), ("t", "TIMESTAMP"), ("gone", "BOOLEAN"), ("d", "DATE"))
SOURCE = StagedInput('"events"', ("select", "t"), TYPES, "DATE")


@pytest.mark.parametrize("flag", ["gone", None])
def test_only_the_bounds_of_the_window_are_left_open(flag: str | None) -> None:
    steps = plan(shape(LEAD, IS_CURRENT, flag=flag), SOURCE, "main", "history")
    statements = (*build_statements(steps), *fold_statements(steps))
    opened = {name for one in statements for name in re.findall(r"\$(\w+)", one.sql)}
    assert opened == {"start", "end"}
    assert [one.label for one in statements if one.bounded] == ["copy the window", "copy the window"]
    assert not any(re.search(r"\bUPDATE\b|\bINDEX\b|PRIMARY KEY", one.sql) for one in statements)
    assert not any(re.search(r'(?<!")\bselect\b(?!")', one.sql) for one in statements)
    assert any("__tombstones" in one.sql for one in statements) is (flag is not None)
    assert fold_statements(steps) == fold_statements(
        plan(shape(LEAD, IS_CURRENT, flag=flag), SOURCE, "main", "history")
    )


def test_every_write_into_a_table_has_a_printed_guard() -> None:
    writes = [one for one in fold_statements(plan(shape(LEAD), SOURCE, "main", "history")) if '"main".' in one.sql]
    guards = [one.guard for one in writes if one.sql.startswith(("INSERT", "DELETE"))]
    assert guards == ["rows_patched > 0", "rows_inserted + rows_patched > 0", "tombstones > 0"]


@pytest.mark.parametrize(
    ("derived", "known"),
    [
        ((LEAD,), KnownNeighbours("valid_to", None)),
        ((LAG,), KnownNeighbours(None, "previous")),
        ((LEAD, LAG, IS_FIRST), KnownNeighbours("valid_to", "previous")),
        ((IS_CURRENT,), None),
        ((LEAD, IS_FIRST), None),
        ((LAG, IS_CURRENT), None),
    ],
)
def test_rows_are_left_out_only_if_stored_columns_tell_every_neighbour(
    derived: tuple[OutputColumn, ...], known: KnownNeighbours | None
) -> None:
    assert Locate(shape(*derived), Relations("main", "history", None)).known == known
