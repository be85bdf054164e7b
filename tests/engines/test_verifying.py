"""``verify``: what it finds, what it leaves out, and that it changes nothing."""

from pathlib import Path

import pytest

from smelt.engines.duckdb.verifying import Verified, verify
from smelt.engines.model import WarehouseError
from tests.engines.labs import Lab, days
from tests.engines.test_folding import add, lab_of
from tests.engines.test_sources import MODEL


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 1), (2, "x", 1, 1), (1, "b", 2, 2), (1, "c", 3, 3), (3, "z", 3, 3))
    add(lab, (2, "x", 2, 2), gone=True)
    lab.fold()
    return lab


def verified(lab: Lab) -> Verified:
    before = lab.state()
    found = verify(lab.warehouse.session, lab.root, lab.project, lab.model("history"), 2)
    assert lab.state() == before
    assert lab.run("SELECT count(*) FROM duckdb_tables() WHERE temporary") == [(0,)]
    assert found is not None
    return found


def test_a_sound_table_is_the_same(lab: Lab) -> None:
    found = verified(lab)
    assert not found.differs
    assert (found.rows, found.tombstones, found.behind, found.changed, found.left_out) == (5, 1, 0, 0, 0)


@pytest.mark.parametrize(
    ("edit", "unexpected", "missing"),
    [
        ("UPDATE main.history SET v = 'other' WHERE v = 'b'", 1, 1),
        ("UPDATE main.history SET valid_to = NULL WHERE k = 1", 2, 2),
        ("DELETE FROM main.history WHERE v = 'b'", 0, 1),
        ("INSERT INTO main.history FROM main.history WHERE v = 'b'", 1, 0),
    ],
)
def test_an_edited_table_differs(lab: Lab, edit: str, unexpected: int, missing: int) -> None:
    lab.run(edit)
    found = verified(lab)
    assert found.differs
    assert (found.table.unexpected.count, found.table.missing.count) == (unexpected, missing)
    assert len(found.table.missing.sample) == min(missing, 2)
    assert found.ledger is not None
    assert not found.ledger.differs


@pytest.mark.parametrize(
    ("edit", "unexpected", "missing"),
    [
        ("DELETE FROM main.history__tombstones", 0, 1),
        ("INSERT INTO main.history__tombstones VALUES (1, '2025-01-02 11:00')", 1, 0),
    ],
)
def test_an_edited_ledger_differs(lab: Lab, edit: str, unexpected: int, missing: int) -> None:
    lab.run(edit)
    found = verified(lab)
    assert found.ledger is not None
    assert (found.ledger.unexpected.count, found.ledger.missing.count) == (unexpected, missing)
    assert not found.table.differs


def test_what_was_never_folded_is_behind_and_ignored(lab: Lab) -> None:
    add(lab, (1, "d", 5, 5), (9, "n", 5, 5), (1, "e", 6, 6))
    found = verified(lab)
    assert not found.differs
    assert (found.behind, found.behind_rows) == (2, 3)


def test_keys_of_a_partition_that_changed_are_left_out(lab: Lab) -> None:
    lab.run("DELETE FROM main.events WHERE v = 'b'")  # the only row of its key in a partition with another row
    lab.run("UPDATE main.history SET v = 'other' WHERE k = 3")
    found = verified(lab)
    assert (found.changed, found.left_out) == (1, 2)
    assert [row[:2] for row in found.table.unexpected.sample] == [("3", "other")]


def test_keys_of_a_partition_that_is_gone_are_left_out(lab: Lab) -> None:
    lab.run("DELETE FROM main.events WHERE d = '2025-01-03'")
    found = verified(lab)
    assert not found.differs
    assert (found.changed, found.left_out) == (1, 2)


def test_a_model_that_was_never_built_has_nothing_to_compare(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    assert verify(lab.warehouse.session, lab.root, lab.project, lab.model("history"), 2) is None


def test_another_definition_is_not_compared(lab: Lab) -> None:
    lab.load({**lab.files, "models/history.sql": MODEL.replace("v,", "upper(v) AS v,")})
    with pytest.raises(WarehouseError) as refused:
        verify(lab.warehouse.session, lab.root, lab.project, lab.model("history"), 2)
    assert (refused.value.failure.code, refused.value.failure.approval) == ("DefinitionDeltaPending", True)


def test_a_dropped_ledger_is_told(lab: Lab) -> None:
    lab.run("DROP TABLE main.history__tombstones")
    with pytest.raises(WarehouseError, match="is gone"):
        verify(lab.warehouse.session, lab.root, lab.project, lab.model("history"), 2)


def test_windows_folded_alone_are_compared_alone(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 1), (1, "b", 2, 2), (1, "c", 3, 3))
    lab.fold(window=days(1, 2))
    lab.fold(window=days(3, 4))
    found = verified(lab)
    assert not found.differs
    assert (found.rows, found.behind) == (2, 1)
