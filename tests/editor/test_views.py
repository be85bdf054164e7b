"""What the views of an editor show, of projects in memory."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from smelt.editor.session import Workspace
from smelt.editor.snapshot import Snapshot
from smelt.editor.timeline import Timeline, timeline
from smelt.editor.views import Graph, checked, compiled_sql, explained, graph
from smelt.engines.binder import DuckDBBinder
from smelt.project.model import Address
from smelt.workspace.checking import findings_of
from tests.editor.projects import MODEL, SOURCE, look, make

HISTORY = (Path(__file__).parents[1] / "pages" / "default" / MODEL).read_text()
VIEW = "SELECT customer_id FROM smelt.customer_history\n"
TABLE = "---\nmaterialization: table\n---\nSELECT customer_id FROM smelt.customer_history\n"


@pytest.fixture
def workspace():
    workspace = Workspace()
    yield workspace
    workspace.close()


def seen(workspace: Workspace, folder: Path, files: dict[str, str] | None = None) -> Snapshot:
    return look(workspace, make(folder, files))


def drawn(workspace: Workspace, folder: Path, text: str) -> Timeline:
    found = timeline(seen(workspace, folder, {MODEL: text}), MODEL)
    assert found is not None
    return found


def test_a_model_is_explained_as_on_the_command_line(workspace: Workspace, tmp_path: Path) -> None:
    found = explained(seen(workspace, tmp_path), MODEL)
    assert found is not None
    assert (found.model, found.refused) == ("customer_history", False)
    assert "  technique: succession-patch\n" in found.text


def test_a_file_without_a_model_has_no_view_of_one(workspace: Workspace, tmp_path: Path) -> None:
    snapshot = seen(workspace, tmp_path)
    assert explained(snapshot, SOURCE) is None
    assert compiled_sql(snapshot, SOURCE) is None
    assert timeline(snapshot, SOURCE) is None
    assert timeline(snapshot, "models/absent.sql") is None


def test_a_history_is_compiled_to_the_statements_of_its_first_run_and_of_each_window(
    workspace: Workspace, tmp_path: Path
) -> None:
    found = compiled_sql(seen(workspace, tmp_path), MODEL)
    assert found is not None
    assert not found.refused
    assert "-- the first run, or a rebuild" in found.text
    assert "-- every window after it" in found.text
    assert "customer_history__tombstones" in found.text


@pytest.mark.parametrize(("text", "made"), [(VIEW, "VIEW"), (TABLE, "TABLE")])
def test_what_is_built_whole_is_compiled_to_one_statement(
    workspace: Workspace, tmp_path: Path, text: str, made: str
) -> None:
    found = compiled_sql(seen(workspace, tmp_path, {"models/one.sql": text}), "models/one.sql")
    assert found is not None
    assert f'CREATE {made} "main"."one"' in found.text


def test_a_refused_model_is_shown_by_its_refusals_and_its_sql_is_a_comment(
    workspace: Workspace, tmp_path: Path
) -> None:
    snapshot = seen(workspace, tmp_path, {MODEL: HISTORY.replace("QUALIFY NOT is_deleted", "LIMIT 3")})
    told, sql = explained(snapshot, MODEL), compiled_sql(snapshot, MODEL)
    assert told is not None
    assert sql is not None
    assert told.refused
    assert sql.refused
    assert "error[" in told.text
    assert all(line.startswith("--") for line in sql.text.splitlines())


def test_the_picture_of_a_history_with_lead_patches_the_predecessor_alone(workspace: Workspace, tmp_path: Path) -> None:
    found = drawn(workspace, tmp_path, HISTORY)
    changes = {node.role: (node.slot, node.change, node.columns) for node in found.nodes}
    assert changes == {
        "predecessor": (0, "patched", ("valid_to",)),
        "event": (1, "inserted", ()),
        "successor": (2, "kept", ()),
        "tombstone": (1, "stored", ()),
    }
    assert [(edge.to, edge.label) for edge in found.edges] == [("predecessor", "LEAD"), ("tombstone", "if is_deleted")]
    assert (found.key, found.clock) == (("customer_id",), "valid_from")
    assert "predecessor is patched in valid_to." in found.text
    assert "successor is not touched" in found.text


def test_a_history_with_lag_patches_the_successor(workspace: Workspace, tmp_path: Path) -> None:
    found = drawn(workspace, tmp_path, HISTORY.replace("LEAD(", "LAG("))
    assert [(edge.to, edge.label) for edge in found.edges if edge.label == "LAG"] == [("successor", "LAG")]
    assert {node.role: node.change for node in found.nodes}["predecessor"] == "kept"


def test_without_a_delete_flag_there_is_no_tombstone(workspace: Workspace, tmp_path: Path) -> None:
    found = drawn(workspace, tmp_path, HISTORY.replace("QUALIFY NOT is_deleted", ""))
    assert [node.role for node in found.nodes] == ["predecessor", "event", "successor"]
    assert "tombstone" not in found.text


@pytest.mark.parametrize(
    ("text", "why"),
    [(VIEW, "is a view"), (TABLE, "each run rebuilds"), (HISTORY.replace("QUALIFY NOT", "LIMIT"), "is refused")],
)
def test_what_has_no_picture_says_why(workspace: Workspace, tmp_path: Path, text: str, why: str) -> None:
    found = timeline(seen(workspace, tmp_path, {"models/one.sql": text}), "models/one.sql")
    assert found is not None
    assert found.nodes == ()
    assert found.edges == ()
    assert why in found.text


def test_the_graph_has_every_relation_above_those_it_reads(workspace: Workspace, tmp_path: Path) -> None:
    files = {
        "models/current.sql": VIEW,
        "models/both.sql": "SELECT a.customer_id FROM smelt.current a, smelt.customer_history b\n",
        "models/bad.sql": "SELECT nothing FROM smelt.current\n",
    }
    found = graph(seen(workspace, tmp_path, files))
    nodes = {node.name: node for node in found.nodes}
    assert {edge for edge in found.edges if edge.to == "both"} == {
        edge for edge in found.edges if edge.to == "both" and edge.source in ("current", "customer_history")
    }
    for edge in found.edges:
        assert nodes[edge.source].layer < nodes[edge.to].layer
    assert (nodes["customer_history"].kind, nodes["current"].kind, nodes["bad"].kind) == (
        "succession",
        "view",
        "refused",
    )
    assert nodes["customer_history"].detail == "identity customer_id, effective_ts"
    assert "UnknownColumn" in nodes["bad"].detail
    assert nodes["sources.customer_changes"].file == SOURCE
    assert nodes["sources.customer_changes"].layer == 0


def test_the_graph_is_the_same_from_what_a_check_left_and_judges_nothing(tmp_path: Path) -> None:
    bad = HISTORY.replace("QUALIFY NOT is_deleted", "LIMIT 3")
    root = make(tmp_path, {"models/one.sql": VIEW, "models/two.sql": TABLE, "models/bad.sql": bad}).resolve()
    drawn = []
    for _ in range(2):
        workspace = Workspace()
        snapshot = look(workspace, root)
        drawn.append(graph(snapshot))
        workspace.close()
        findings_of(root, dict(os.environ), lambda: closing(DuckDBBinder()))
    assert drawn[0] == drawn[1]
    assert {node.kind for node in drawn[1].nodes} == {"source", "succession", "view", "table", "refused"}
    assert snapshot.analysis is not None
    unread = snapshot.analysis.project.models[Address(("customer_history",))]
    assert unread.text == ""


def test_no_two_nodes_of_the_graph_stand_at_one_place(workspace: Workspace, tmp_path: Path) -> None:
    found = graph(seen(workspace, tmp_path, {f"models/m{n}.sql": VIEW for n in range(5)}))
    assert len({(node.layer, node.place) for node in found.nodes}) == len(found.nodes)


def test_models_that_read_each_other_are_drawn_all_the_same(workspace: Workspace, tmp_path: Path) -> None:
    files = {"models/a.sql": "SELECT x FROM smelt.b\n", "models/b.sql": "SELECT x FROM smelt.a\n"}
    found = graph(seen(workspace, tmp_path, files))
    assert {"a", "b"} <= {node.name for node in found.nodes}
    assert {(edge.source, edge.to) for edge in found.edges} >= {("a", "b"), ("b", "a")}


def test_a_graph_without_a_look_is_empty_and_named_after_its_folder() -> None:
    found = graph(Snapshot(Path("/shop"), 1, None, {}, {}))
    assert found == Graph("shop", (), ())


def test_a_check_counts_what_it_found(workspace: Workspace, tmp_path: Path) -> None:
    clean = checked(seen(workspace, tmp_path / "clean"))
    assert (clean.errors, clean.warnings, clean.files) == (0, 0, 0)
    broken = checked(
        seen(workspace, tmp_path / "broken", {MODEL: HISTORY.replace("QUALIFY NOT is_deleted", "LIMIT 3")})
    )
    assert broken.errors > 0
    assert broken.files == 1
    assert broken.models == clean.models
