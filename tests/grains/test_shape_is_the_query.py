"""The shape of every admitted case, put together again, gives what its SQL gives: rows, names and types."""

import random
from collections.abc import Iterator

import duckdb
import pytest

from smelt.grains.succession.shape import LAG_SLOT, LEAD_SLOT, SuccessionShape
from smelt.project.model import Address, Model, Source
from smelt.sql.rewrite import rewrite
from smelt.sql.types import normal
from smelt.text.identifiers import quote
from tests.databases import blank
from tests.grains.literate import Case, cases, judged

ROWS = 60
KEYS = 5


def admitted() -> Iterator[tuple[Case, Model, Source, SuccessionShape]]:
    for case in cases():
        analysis = judged(case.files)
        one = analysis.models[Address(("customer_history",))]
        if one.shape is not None:
            yield case, one.model, analysis.project.sources[one.shape.source], one.shape


ADMITTED = tuple(admitted())


def value(type_text: str, row: int, source: random.Random) -> str:
    """A SQL literal; those of clocks never meet twice."""
    kind = normal(type_text) or type_text
    if kind == "VARCHAR":
        return f"'{source.choice(['gold', 'emea', 'Gold', '', 'x'])}'"
    if kind == "BOOLEAN":
        return source.choice(["TRUE", "FALSE"])
    if kind == "DATE":
        return f"DATE '2025-01-01' + {row}"
    if kind.endswith("[]"):
        return f"[{row}, NULL, {row + 1}]"
    if kind.startswith("STRUCT"):
        return f"{{'id': {row}, 'flag': {row % 2 == 0}}}"
    if kind == "TIME WITH TIME ZONE":
        return f"'{row % 24:02}:00:00+02'"
    if kind.startswith("TIMESTAMP"):
        return f"CAST('2025-01-01 00:00:00'::TIMESTAMP + INTERVAL ({row}) hour AS {kind})"
    return f"CAST({row} AS {kind})"


def fill(connection: duckdb.DuckDBPyConnection, source: Source, shape: SuccessionShape) -> None:
    """A table of random rows that keep what the source declares and what the filter is trusted to drop."""
    chance = random.Random(7)
    columns = ", ".join(f"{quote(column.name)} {column.type}" for column in source.columns)
    connection.execute(f"CREATE TABLE events ({columns})")
    clocks = list(range(ROWS))
    chance.shuffle(clocks)
    rows = []
    for row in range(ROWS):
        values = []
        for column in source.columns:
            if column.nullable and chance.random() < 0.2:
                values.append("NULL")
            elif column.name == shape.clock:
                values.append(value(column.type, clocks[row], chance))
            else:
                values.append(value(column.type, chance.randrange(KEYS), chance))
        rows.append(f"({', '.join(values)})")
    connection.execute(f"INSERT INTO events VALUES {', '.join(rows)}")


def rebuilt(shape: SuccessionShape) -> str:
    """The query that the shape describes: the parts that a fold runs, over the whole stream at once."""
    key, clock = ", ".join(map(quote, shape.key)), quote(shape.clock)
    stored = [f"{column.sql} AS {quote(column.name)}" for column in shape.row_local]
    slots = [f"{side}({clock}) OVER w AS {quote(slot)}" for side, slot in (("LEAD", LEAD_SLOT), ("LAG", LAG_SLOT))]
    flag = f"{quote(shape.flag)} AS __smelt_flag" if shape.flag is not None else "FALSE AS __smelt_flag"
    where = f" WHERE {shape.pre_filter}" if shape.pre_filter is not None else ""
    window = f" WINDOW w AS (PARTITION BY {key} ORDER BY {clock})"
    shown = [
        f"{quote(column.name) if column.kind == 'row_local' else column.sql} AS {quote(column.name)}"
        for column in shape.outputs
    ]
    inner = f"SELECT {', '.join((*stored, *slots, flag))} FROM events{where}{window}"
    return f"SELECT {', '.join(shown)} FROM ({inner}) WHERE NOT __smelt_flag"


def written(model: Model) -> str:
    """The model's own SQL over the table, under the name that qualifies its columns."""
    query = model.parsed.query
    assert query is not None
    name = "events" if query.relations[0].alias else f"events AS {quote(query.relations[0].parts[-1])}"
    return rewrite(model.text, query.span, [(reference.span, name) for reference in model.references])


@pytest.mark.parametrize(("case", "model", "source", "shape"), ADMITTED, ids=[case.name for case, _, _, _ in ADMITTED])
def test_shape(case: Case, model: Model, source: Source, shape: SuccessionShape) -> None:
    with blank() as connection:
        fill(connection, source, shape)
        asked, told = written(model), rebuilt(shape)
        expected = connection.execute(f"DESCRIBE {asked}").fetchall()
        assert [row[:2] for row in connection.execute(f"DESCRIBE {told}").fetchall()] == [row[:2] for row in expected]
        for one, other in ((asked, told), (told, asked)):
            assert connection.execute(f"({one}\n) EXCEPT ALL ({other}\n)").fetchall() == []
        assert [column.name for column in shape.outputs] == [row[0] for row in expected]
        assert connection.execute(f"SELECT count(*) FROM ({asked}\n)").fetchone() != (0,)


def test_there_is_something_to_try() -> None:
    assert len(ADMITTED) > 40
    assert any(shape.flag is None for _, _, _, shape in ADMITTED)
    assert any(shape.reads_lag for _, _, _, shape in ADMITTED)
    assert any(shape.pre_filter for _, _, _, shape in ADMITTED)
