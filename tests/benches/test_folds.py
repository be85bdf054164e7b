"""The lab of folds: each arm does what its figures are said to be of, on a history small enough for a test."""

from pathlib import Path

import duckdb

from benches.folds.lab import DAYS, MODEL, History, Lab, day
from benches.folds.measure import arm
from benches.streams import Stream
from benches.succession import Compared, growth

_EVENTS, _WINDOW = 3_000, 200


def _differences(lab: Lab) -> tuple[int, ...]:
    """Rows of the table that the model's SQL over the whole source does not give, and the other way round."""
    with duckdb.connect(str(lab.database)) as connection:
        connection.execute(f"ATTACH '{lab.source}' AS feed (READ_ONLY)")
        wanted = MODEL.format(source="feed.main.customer_changes")
        pairs = (("FROM customer_history", wanted), (wanted, "FROM customer_history"))
        found = [
            connection.execute(f"SELECT count(*) FROM (({one}) EXCEPT ALL ({other}))").fetchone()
            for one, other in pairs
        ]
    return tuple(row[0] for row in found if row is not None)


def test_every_arm_ends_where_it_is_said_to(tmp_path: Path) -> None:
    history = History(tmp_path / "history", Stream(keys=_EVENTS // 10), _EVENTS)
    history.make()
    lab = Lab(history, "window")
    lab.make(_WINDOW)
    at = day(DAYS)

    lab.reset()
    missing = _differences(lab)
    assert missing[1] > _WINDOW / 2

    floor = arm("floor", lab.folder, at)
    assert _differences(lab) == missing

    fold = arm("fold", lab.folder, "warm", at)
    inserted, patched, tombstones = fold.changed
    assert inserted + tombstones == _WINDOW
    assert patched > 0
    assert _differences(lab) == (0, 0)

    lab.reset()
    recompute = arm("recompute", lab.folder, at)
    assert _differences(lab) == (0, 0)
    for measured in (floor, fold, recompute):
        assert measured.cpu > 0
        assert measured.memory > 2**20

    compared = [
        Compared(_EVENTS, size, {"fold": [fold], "recompute": [recompute], "floor": [floor]}) for size in (1000, 10_000)
    ]
    assert compared[0].row()[:2] == ("3,000", "1,000")
    ((what, found, bar, verdict),) = growth(compared)
    assert (found, bar, verdict) == ("exponent 0.00", "≤ 0.45", "met")
    assert "1,000 to 10,000" in what


def test_several_windows_are_measured_each(tmp_path: Path) -> None:
    history = History(tmp_path / "history", Stream(keys=_EVENTS // 10), _EVENTS)
    history.make()
    lab = Lab(history, "windows")
    lab.make(50, windows=2)
    lab.reset()
    assert len(arm("fold", lab.folder, day(DAYS), day(DAYS + 1)).each) == 2
    assert _differences(lab) == (0, 0)
