"""A succession model's life as a state machine: rows come late, windows repeat, processes are killed, models edited.

After every step the table is the model's SQL over the rows that were folded, as they were when they were folded.
"""

import multiprocessing
import os
import signal
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from smelt.engines.duckdb.verifying import verify
from smelt.failpoints import VARIABLE
from smelt.text.intervals import Interval
from tests.engines.labs import Lab, days
from tests.engines.test_histories import CLOCKS, DERIVED, EVENT, PAYLOADS, SETTINGS, Event, Setting, ties

CONFIG = "name: lab\ntargets:\n  dev: {type: duckdb, database: lab.duckdb, settings: {threads: 1}}\n"
COLUMNS = "a INTEGER, b VARCHAR, t {}, v DOUBLE, deleted BOOLEAN, kept BOOLEAN, arrived DATE"
DAYS = 6
WINDOW = st.tuples(st.integers(1, DAYS), st.integers(1, 3)).map(lambda pair: days(pair[0], sum(pair)))
STEPS = ("Stage", "StageWindow", "Collapse", "CheckTies", "Locate", "Derive", "Write", "Build", "CheckBatchTies")
POINTS = ("after-stage", *(f"after-{step}" for step in STEPS), "before-record", "before-commit", "after-commit")

_FORKING = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload(["tests.engines.machine"])


def fold_and_die(root: str, files: dict[str, str], point: str, window: Interval | None, full_refresh: bool) -> None:
    """In a process of its own: fold, and be killed at a point if the fold comes by it."""
    os.environ[VARIABLE] = point
    lab = Lab(Path(root), files)
    lab.fold(window=window, full_refresh=full_refresh)
    os._exit(0)


class Life(RuleBasedStateMachine):
    """One model over one source, in a file, so that a killed process leaves what it leaves."""

    @initialize(setting=SETTINGS)
    def begin(self, setting: Setting) -> None:
        """An empty source and no table."""
        self.folder = tempfile.TemporaryDirectory()
        self.setting = setting
        self.events: list[Event] = []
        self.folded: list[Event] = []
        self.built_as: Setting | None = None
        self.lab = Lab(Path(self.folder.name), self.files())
        for table in ("events", "folded"):
            self.lab.run(f"CREATE TABLE main.{table} ({COLUMNS.format(setting.clock)})")

    def files(self) -> dict[str, str]:
        return {**self.setting.files(), "smelt.yml": CONFIG}

    def teardown(self) -> None:
        if hasattr(self, "lab"):
            self.lab.close()
            self.folder.cleanup()

    @rule(events=st.lists(EVENT, min_size=1, max_size=5), later=st.integers(0, DAYS - 4))
    def rows_arrive(self, events: list[Event], later: int) -> None:
        """New rows: on new days or on days that were folded, before and between rows that are there, deletes too."""
        self._append([replace(one, arrived=one.arrived + later) for one in events])

    @precondition(lambda self: self.events)
    @rule(pick=st.randoms(use_true_random=False), day=st.integers(1, DAYS))
    def rows_are_delivered_again(self, pick: object, day: int) -> None:
        """A row that is there, once more, on any day."""
        self._append([replace(pick.choice(self.events), arrived=day)])  # type: ignore[attr-defined]

    @rule(window=WINDOW)
    def a_window_runs(self, window: Interval) -> None:
        """One window, folded before or not."""
        self._fold(window, full_refresh=False)

    @rule()
    def what_is_new_runs(self) -> None:
        """A run without a window."""
        self._fold(None, full_refresh=False)

    @rule()
    def it_is_rebuilt(self) -> None:
        """A full refresh, which takes the model as it is now."""
        self._fold(None, full_refresh=True)

    @rule(derived=st.sampled_from(sorted(DERIVED)), composite=st.booleans())
    def the_model_is_edited(self, derived: str, composite: bool) -> None:
        """Another definition: nothing is folded until it is rebuilt, or edited back."""
        self.setting = replace(self.setting, derived=derived, composite=composite)
        self.lab.load(self.files())

    @rule(point=st.sampled_from(POINTS), window=st.none() | WINDOW, full_refresh=st.booleans())
    def a_process_is_killed(self, point: str, window: Interval | None, full_refresh: bool) -> None:
        """A real process, by SIGKILL, where it may be in the middle of a transaction."""
        window = None if full_refresh else window
        expected = self._expected(window, full_refresh=full_refresh)
        self.lab.close()
        arguments = (self.folder.name, self.files(), point, window, full_refresh)
        child = _FORKING.Process(target=fold_and_die, args=arguments)
        child.start()
        child.join()
        self.lab = Lab(Path(self.folder.name), self.files())
        if expected is not None:
            assert child.exitcode != 0  # refused, or killed before it came to that
            return
        assert child.exitcode in (0, -signal.SIGKILL)
        if child.exitcode == 0 or point == "after-commit":
            self._took(window, full_refresh=full_refresh)

    @invariant()
    def the_table_is_its_sql_over_what_was_folded(self) -> None:
        """Both ways, with the types, and the tombstones beside it."""
        if not hasattr(self, "lab") or self.built_as is None:
            return
        setting = self.built_as
        wanted = setting.by_windows([days(1, 28)]).replace("main.events", "main.folded")
        assert self.lab.differ("SELECT * FROM main.history", wanted) == []
        assert self.lab.run("DESCRIBE main.history") == self.lab.run(f"DESCRIBE {wanted}")
        if setting.has_flag:
            kept = " AND kept" if setting.has_filter else ""
            deletes = f"SELECT DISTINCT {setting.key}, t FROM main.folded WHERE deleted{kept}"
            assert self.lab.differ("SELECT * FROM main.history__tombstones", deletes) == []
        if setting == self.setting:
            found = verify(self.lab.warehouse.session, self.lab.root, self.lab.project, self.lab.model("history"), 3)
            assert found is not None
            assert not found.differs

    def _append(self, events: list[Event]) -> None:
        self.events += events
        self.lab.run(f"INSERT INTO main.events VALUES {', '.join(self._row(one) for one in events)}")

    def _row(self, one: Event) -> str:
        clock = CLOCKS[self.setting.clock].format(one.clock)
        flags = f"{one.deleted}, {one.kept}"
        return f"({one.a}, 'b{one.b}', {clock}, {PAYLOADS[one.payload]}, {flags}, '2025-01-{one.arrived:02}')"

    def _fold(self, window: Interval | None, *, full_refresh: bool) -> None:
        code = self._expected(window, full_refresh=full_refresh)
        if code is not None:
            assert self.lab.failure(window=window, full_refresh=full_refresh).code == code
            return
        self.lab.fold(window=window, full_refresh=full_refresh)
        self._took(window, full_refresh=full_refresh)

    def _expected(self, window: Interval | None, *, full_refresh: bool) -> str | None:
        """The code of the refusal that must come; None if the fold must go through."""
        if not full_refresh and self.built_as is not None and self.built_as != self.setting:
            return "DefinitionDeltaPending"
        before = [] if full_refresh else self.folded
        return "SuccessionClockTie" if ties(self.setting, [*before, *self._inside(window)]) else None

    def _inside(self, window: Interval | None) -> list[Event]:
        return [one for one in self.events if window is None or window.start.day <= one.arrived < window.end.day]

    def _took(self, window: Interval | None, *, full_refresh: bool) -> None:
        taken = self._inside(window)
        if full_refresh:
            self.folded = []
            self.lab.run("DELETE FROM main.folded")
        self.folded += taken
        self.built_as = self.setting
        if taken:
            self.lab.run(f"INSERT INTO main.folded VALUES {', '.join(self._row(one) for one in taken)}")
