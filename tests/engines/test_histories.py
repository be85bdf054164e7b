"""Random histories folded in random windows, order and number, against two oracles.

One oracle is the model's window SQL over the folded events, the other uses no window function at all.
"""

import tempfile
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smelt.engines.duckdb.verifying import verify
from smelt.engines.model import WarehouseError
from smelt.text.intervals import Interval
from tests.engines.labs import Lab, days

CLOCKS = {
    "TIMESTAMP": "TIMESTAMP '2025-01-01' + to_microseconds({})",
    "DATE": "DATE '2024-02-27' + {}::INTEGER",
    "BIGINT": "9007199254740990 + {}",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMPTZ '2025-11-02 05:00:00+00' + to_minutes(15 * {})",
    "TIMESTAMP_NS": "make_timestamp_ns(1735689600000000000 + {})",
    "UTINYINT": "{}",
}
LEAD = "LEAD(t) OVER w"
LAG = "LAG(t) OVER w"
DERIVED = {
    "lead": (f"{LEAD} AS valid_to", "next AS valid_to"),
    "lag": (f"{LAG} AS previous", "prev AS previous"),
    "both": (f"{LEAD} AS valid_to, {LAG} AS previous", "next AS valid_to, prev AS previous"),
    "current": (f"{LEAD} IS NULL AS is_current", "next IS NULL AS is_current"),
    "case": (
        f"CASE WHEN {LEAD} IS NULL THEN v END AS open_value, {LAG} IS NULL AS is_first",
        "CASE WHEN next IS NULL THEN v END AS open_value, prev IS NULL AS is_first",
    ),
}
PAYLOADS = ("NULL", "1.5", "'nan'", "0.1", "0.0", "-0.0")


@dataclass(frozen=True)
class Event:
    """A source row; ``payload`` indexes :data:`PAYLOADS`."""

    a: int
    b: int
    clock: int
    payload: int
    deleted: bool
    kept: bool
    arrived: int


@dataclass(frozen=True)
class Axis:
    """The run axis: where the days of January on which events arrive really lie.

    ``bounds`` are edges of partitions, ``values`` what is stored between two of them.
    """

    type: str
    granularity: str
    bounds: tuple[datetime, ...]
    values: tuple[str, ...]

    def window(self, january: Interval) -> Interval:
        """The window that a window of January stands for."""
        return Interval(self.bounds[january.start.day - 1], self.bounds[january.end.day - 1])

    def inside(self, january: Interval) -> str:
        window = self.window(january)
        ends = (self.literal(window.start), self.literal(window.end))
        return f"arrived >= {ends[0]} AND arrived < {ends[1]}"

    def literal(self, at: datetime) -> str:
        text = "10000-01-01 00:00:00" if at == datetime.max else at.isoformat(sep=" ")
        return f"TIMESTAMPTZ '{text}+00'" if self.type == "TIMESTAMPTZ" else f"TIMESTAMP '{text}'"


LAST_MOMENT = "59:59.999999"
JANUARY = Axis(
    "DATE",
    "day",
    tuple(datetime(2025, 1, 1) + timedelta(days=at) for at in range(32)),
    tuple(f"2025-01-{at:02}" for at in range(1, 32)),
)
AXES = (
    JANUARY,
    Axis(
        "DATE",
        "day",
        (*(datetime(9999, 12, at) for at in range(28, 32)), datetime.max),
        tuple(f"9999-12-{at}" for at in range(28, 32)),
    ),
    Axis(
        "DATE",
        "hour",
        (datetime(1, 1, 1), *(datetime(1, 1, at, 1) for at in range(1, 5))),
        tuple(f"0001-01-0{at}" for at in range(1, 5)),
    ),
    Axis(
        "TIMESTAMP",
        "hour",
        (*(datetime(9999, 12, 31, at) for at in range(20, 24)), datetime.max),
        tuple(f"9999-12-31 {at}:{LAST_MOMENT}" for at in range(20, 24)),
    ),
    Axis(
        "TIMESTAMPTZ",
        "month",
        tuple(datetime(1, at, 1) for at in range(1, 6)),
        tuple(f"0001-0{at}-01 00:00:00+00" for at in range(1, 5)),
    ),
    Axis(
        "TIMESTAMPTZ",
        "year",
        (*(datetime(at, 1, 1) for at in range(9996, 10000)), datetime.max),
        tuple(f"{at}-12-31 23:{LAST_MOMENT}+00" for at in range(9996, 10000)),
    ),
)


@dataclass(frozen=True)
class Setting:
    clock: str
    derived: str
    composite: bool
    has_flag: bool
    has_filter: bool
    axis: Axis = JANUARY

    def files(self) -> dict[str, str]:
        key = "a, b" if self.composite else "a"
        sql = f"SELECT {key}, v, t AS since, {DERIVED[self.derived][0]}\nFROM smelt.sources.events\n"
        if self.has_filter:
            sql += "WHERE kept AND 1 / (CASE WHEN kept THEN 1 ELSE 0 END) > 0\n"
        sql += f"WINDOW w AS (PARTITION BY {key} ORDER BY t)\n"
        if self.has_flag:
            sql += "QUALIFY NOT deleted\n"
        return {
            "models/history.sql": f"---\nrefresh: incremental\n---\n{sql}",
            "models/sources/events.yml": (
                "name: main.events\nmutation_profile: append_only\n"
                "timeseries: {event_time_column: t, partition_column: arrived, "
                f"granularity: {self.axis.granularity}}}\ncolumns:\n"
                "  - {name: a, type: INTEGER, nullable: false}\n  - {name: b, type: VARCHAR, nullable: false}\n"
                f"  - {{name: t, type: {self.clock}, nullable: false}}\n  - {{name: v, type: DOUBLE}}\n"
                "  - {name: deleted, type: BOOLEAN, nullable: false}\n  - {name: kept, type: BOOLEAN}\n"
                f"  - {{name: arrived, type: {self.axis.type}, nullable: false}}\n"
            ),
        }

    @property
    def key(self) -> str:
        return "a, b" if self.composite else "a"

    def events(self, folded: list[Interval]) -> str:
        """The folded events, re-deliveries collapsed, deletes without payload."""
        inside = " OR ".join(map(self.axis.inside, folded)) or "FALSE"
        deleted = "deleted" if self.has_flag else "FALSE"
        kept = " AND kept" if self.has_filter else ""
        return (
            f"SELECT DISTINCT {self.key}, t, CASE WHEN NOT {deleted} THEN v END AS v, {deleted} AS deleted "
            f"FROM main.events WHERE ({inside}){kept}"
        )

    def by_windows(self, folded: list[Interval]) -> str:
        return (
            f"SELECT {self.key}, v, t AS since, {DERIVED[self.derived][0]} FROM ({self.events(folded)}) "
            f"WINDOW w AS (PARTITION BY {self.key} ORDER BY t) QUALIFY NOT deleted"
        )

    def by_minimum(self, folded: list[Interval]) -> str:
        same = " AND ".join(f"o.{name} = e.{name}" for name in self.key.split(", "))
        inner = (
            f"SELECT *, (SELECT min(o.t) FROM events AS o WHERE {same} AND o.t > e.t) AS next, "
            f"(SELECT max(o.t) FROM events AS o WHERE {same} AND o.t < e.t) AS prev FROM events AS e"
        )
        return (
            f"WITH events AS MATERIALIZED ({self.events(folded)}) "
            f"SELECT {self.key}, v, t AS since, {DERIVED[self.derived][1]} FROM ({inner}) WHERE NOT deleted"
        )


EVENT = st.builds(
    Event,
    a=st.sampled_from([1, 1, 2]),
    b=st.sampled_from([1, 1, 2]),
    clock=st.integers(0, 12),
    payload=st.integers(0, len(PAYLOADS) - 1),
    deleted=st.sampled_from([False, False, False, True]),
    kept=st.sampled_from([True, True, True, False]),
    arrived=st.integers(1, 4),
)


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """Mostly one event at a clock, as a sound feed has it, with re-deliveries, and now and then a tie."""
    by = draw(st.sampled_from([lambda e: e.clock, lambda e: (e.a, e.clock), lambda e: (e.a, e.b, e.clock)]))
    events = draw(st.lists(EVENT, min_size=3, max_size=16, unique_by=by))
    again = draw(st.lists(st.tuples(st.sampled_from(events), st.integers(1, 4)), max_size=5))
    events += [replace(one, arrived=arrived) for one, arrived in again]
    quiet = draw(st.sampled_from([(), (), (1,), (2,), (1, 3), (2, 4)]))  # days of which the filter keeps nothing
    events = [replace(one, kept=one.kept and one.arrived not in quiet) for one in events]
    if draw(st.integers(0, 5)) == 0:
        events.append(replace(draw(st.sampled_from(events)), payload=1, deleted=False))
    return events


SETTINGS = st.builds(
    Setting,
    clock=st.sampled_from(sorted(CLOCKS)),
    derived=st.sampled_from(["both", "both", *sorted(DERIVED)]),
    composite=st.booleans(),
    has_flag=st.booleans(),
    has_filter=st.booleans(),
)
ANY_WINDOWS = st.lists(
    st.tuples(st.integers(1, 4), st.integers(1, 3)).map(lambda pair: days(pair[0], min(pair[0] + pair[1], 5))),
    min_size=1,
    max_size=5,
)
EACH_DAY = st.permutations([days(at, at + 1) for at in range(1, 5)]).map(list)
WINDOWS = st.one_of(EACH_DAY, EACH_DAY, ANY_WINDOWS)


def ties(setting: Setting, events: list[Event]) -> bool:
    """Whether different events stand at one key and clock."""
    at: dict[tuple[int, ...], set[str]] = {}
    for event in events:
        if setting.has_filter and not event.kept:
            continue
        key = (event.a, event.b, event.clock) if setting.composite else (event.a, event.clock)
        payload = PAYLOADS[event.payload].replace("-0.0", "0.0")
        at.setdefault(key, set()).add("deleted" if setting.has_flag and event.deleted else payload)
    return any(len(found) > 1 for found in at.values())


def inside(events: list[Event], windows: list[Interval]) -> list[Event]:
    """The events that arrived in one of the windows."""
    return [one for one in events if any(window.start.day <= one.arrived < window.end.day for window in windows)]


@given(SETTINGS, st.sampled_from([JANUARY, *AXES]), histories(), WINDOWS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_the_table_is_its_sql_over_what_was_folded(
    setting: Setting, axis: Axis, events: list[Event], windows: list[Interval]
) -> None:
    fold_and_compare(replace(setting, axis=axis), events, windows)


def fold_and_compare(setting: Setting, events: list[Event], windows: list[Interval]) -> None:
    """Fold the windows one by one; after each the table is its SQL over what was folded."""
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(Path(folder), setting.files())
        lab.run(
            f"CREATE TABLE main.events (a INTEGER, b VARCHAR, t {setting.clock}, v DOUBLE, deleted BOOLEAN, "
            f"kept BOOLEAN, arrived {setting.axis.type})"
        )
        rows = (
            f"({one.a}, 'b{one.b}', {CLOCKS[setting.clock].format(one.clock)}, {PAYLOADS[one.payload]}, "
            f"{one.deleted}, {one.kept}, '{setting.axis.values[one.arrived - 1]}')"
            for one in events
        )
        lab.run(f"INSERT INTO main.events VALUES {', '.join(rows)}")
        folded: list[Interval] = []
        for window in windows:
            if ties(setting, inside(events, [*folded, window])):
                assert lab.failure(window=setting.axis.window(window)).code == "SuccessionClockTie"
                continue
            _fold(lab, setting.axis.window(window))
            folded.append(window)
            assert lab.differ("SELECT * FROM main.history", setting.by_windows(folded)) == []
        if folded:
            _is_right(setting, lab, folded)
            before = lab.texts("SELECT * FROM main.history")
            again = lab.fold(window=setting.axis.window(folded[0]))
            assert (again.rows_inserted, again.rows_patched, again.tombstones) == (0, 0, 0)
            assert lab.texts("SELECT * FROM main.history") == before
        lab.close()


def _fold(lab: Lab, window: Interval) -> None:
    try:
        lab.fold(window=window)
    except WarehouseError as error:
        raise AssertionError(error.failure) from error


def _is_right(setting: Setting, lab: Lab, folded: list[Interval]) -> None:
    assert lab.differ("SELECT * FROM main.history", setting.by_windows(folded)) == []
    assert lab.differ("SELECT * FROM main.history", setting.by_minimum(folded)) == []
    assert lab.run("DESCRIBE main.history") == lab.run(f"DESCRIBE {setting.by_windows(folded)}")
    verified = verify(lab.warehouse.session, lab.root, lab.project, lab.model("history"), 3)
    assert verified is not None
    assert not verified.differs, verified
