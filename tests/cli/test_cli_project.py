"""From an empty folder to a project: init, list, explain, docs, schema, and where a project is looked for."""

import json
from pathlib import Path

import duckdb
import pytest

from smelt.diagnostics import registry
from tests.cli.shell import Shell
from tests.explain.test_explain_model import WORKED_EXAMPLE


def test_the_template_runs_as_it_is(shell: Shell) -> None:
    assert shell("check").code == 0
    ran = shell("run")
    assert (ran.code, ran.out) == (0, "")
    shown = shell("show", "customer_history")
    assert shown.code == 0
    assert shown.out.count("\n") == 2 + 8
    assert shell("test").code == 0


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        ("models/customer_history.sql", "SELECT 1", "models/customer_history.sql exists already"),
        ("smelt.yml", "name: mine\n", "holds a project already: smelt.yml"),
        ("data", "a file", "data is no folder"),
        ("models/sources/customer_changes.yml/x", "", "models/sources/customer_changes.yml exists already"),
    ],
)
def test_init_overwrites_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, text: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    shell = Shell(tmp_path)
    mine = shell.write(f"demo/{path}", text)
    said = shell("init", "demo")
    assert (said.code, said.out) == (2, "")
    assert message in said.err
    assert "nothing was written" in said.err
    assert [found for found in (tmp_path / "demo").rglob("*") if found.is_file()] == [mine]
    assert mine.read_text() == text


def test_init_keeps_what_a_repository_has_already(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shell = Shell(tmp_path)
    mine = {"README.md": "# Mine\n", "LICENSE": "mine\n", ".git/HEAD": "ref\n", ".gitignore": "*.pyc\n/target\n"}
    for path, text in mine.items():
        shell.write(path, text)
    said = shell("init")
    assert (said.code, said.out) == (0, "")
    lines = said.err.splitlines()
    assert [line for line in lines if line.startswith("kept")] == ["kept .gitignore", "kept README.md"]
    assert "wrote smelt.yml" in lines
    assert ".gitignore does not name all of: target/, .smelt/" in lines
    assert {path: (tmp_path / path).read_text() for path in mine} == mine
    assert shell("check").code == 0


def test_init_says_nothing_of_a_gitignore_that_has_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shell = Shell(tmp_path)
    shell.write(".gitignore", "/target/\n.smelt\n")
    assert "does not name" not in shell("init").err


def test_init_goes_on_where_it_was_cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shell = Shell(tmp_path)
    assert shell("init", "demo").code == 0
    (tmp_path / "demo" / "smelt.yml").unlink()
    said = shell("init", "demo")
    assert said.code == 0
    assert "wrote demo/smelt.yml" in said.err
    assert "kept demo/models/customer_history.sql" in said.err


def test_the_next_command_can_be_pasted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = Shell(tmp_path)("init", "My Shop-2")
    assert said.err.splitlines()[-1] == "Next: cd 'My Shop-2' && smelt run && smelt show customer_history"


def test_init_in_the_folder_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "2 odd: name"
    folder.mkdir()
    monkeypatch.chdir(folder)
    shell = Shell(folder)
    assert shell("init").code == 0
    assert (folder / ".gitignore").read_text() == "target/\n.smelt/\n"
    assert "name: project_2_odd__name\n" in (folder / "smelt.yml").read_text()
    assert shell("check").code == 0


def test_an_unknown_template(tmp_path: Path) -> None:
    said = Shell(tmp_path)("init", str(tmp_path / "x"), "--template", "scd1")
    assert (said.code, said.err) == (2, "error: no such template: scd1\n = help: did you mean `scd2`?\n")


@pytest.mark.parametrize(
    "command", [["run"], ["build"], ["seed"], ["show", "x"], ["test"], ["check"], ["explain"], ["list"]]
)
def test_without_a_project(command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = Shell(tmp_path)(*command)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error[ProjectFileMissing]: no smelt.yml here or in any folder above\n")
    assert "`smelt init DIR`" in said.err
    assert list(tmp_path.iterdir()) == []


def test_the_project_is_found_from_below_and_from_outside(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = shell("list").out
    monkeypatch.chdir(shell.root / "models" / "sources")
    assert shell("list").out == listed
    monkeypatch.chdir(shell.root.parent)
    assert shell("list", "--project-dir", "demo").out == listed
    assert shell("--project-dir", "demo", "list").out == listed
    assert shell("list", "--project-dir", "nowhere").err == "error: no such folder: nowhere\n"


def test_list(shell: Shell) -> None:
    shell.write("models/countries.csv", "code\nde\n")
    shell.write("models/silver/orders.sql", "SELECT 1 AS one\n")
    assert shell("list", "--json").json == [
        {"address": "countries", "kind": "seed", "relation": "countries", "file": "models/countries.csv"},
        {
            "address": "current_customers",
            "kind": "model",
            "relation": "current_customers",
            "file": "models/current_customers.sql",
        },
        {
            "address": "customer_history",
            "kind": "model",
            "relation": "customer_history",
            "file": "models/customer_history.sql",
        },
        {"address": "silver.orders", "kind": "model", "relation": "silver_orders", "file": "models/silver/orders.sql"},
        {
            "address": "sources.customer_changes",
            "kind": "source",
            "relation": None,
            "file": "models/sources/customer_changes.yml",
        },
    ]
    lines = shell("list").out.splitlines()
    assert lines[0].split() == ["address", "kind", "relation", "file"]
    assert lines[2].split() == ["countries", "seed", "countries", "models/countries.csv"]


def test_explain_says_what_the_founding_document_says(shell: Shell) -> None:
    said = shell("explain", "customer_history")
    assert (said.code, said.err) == (0, "")
    assert said.out == WORKED_EXAMPLE
    assert shell("explain", "smelt.customer_history").out == WORKED_EXAMPLE
    assert not (shell.root / "target").exists()
    assert not (shell.root / ".smelt").exists()


def test_explain_as_json(shell: Shell) -> None:
    said = shell("explain", "customer_history", "--json").json
    assert said["identity"] == ["customer_id", "effective_ts"]
    assert said["delta_signature"]["axis"] == "valid_from"


def test_explain_of_a_refused_model(shell: Shell) -> None:
    shell.edit("models/customer_history.sql", "SELECT\n", "SELECT DISTINCT\n")
    said = shell("explain", "customer_history")
    assert (said.code, said.err) == (1, "")
    assert said.out.startswith("error[SuccessionPatternUnrecognized]: ")
    assert "--> models/customer_history.sql:7:8" in said.out
    described = shell("explain", "customer_history", "--json")
    assert described.code == 1
    assert [one["code"] for one in described.json["refusals"]] == ["SuccessionPatternUnrecognized"]


def test_explain_of_the_whole_graph(shell: Shell) -> None:
    said = shell("explain")
    assert said.code == 0
    assert [line.split()[:2] for line in said.out.splitlines()] == [
        ["sources.customer_changes", "source"],
        ["customer_history", "succession-patch"],
        ["current_customers", "view"],
    ]
    assert len(shell("explain", "--json").json["models"]) == 2


def test_explain_of_nothing_names_the_nearest(shell: Shell) -> None:
    said = shell("explain", "customer_histry")
    assert said.err == "error: no such model: customer_histry\n = help: did you mean `customer_history`?\n"


def test_explain_sql_prints_what_a_run_executes(shell: Shell) -> None:
    said = shell("explain", "customer_history", "--sql")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("-- model customer_history; $start and $end are the bounds of the window;")
    assert 'FROM "smelt"."sources"."customer_changes"' in said.out
    assert 'DELETE FROM "main"."customer_history"' in said.out
    assert "(if rows_patched > 0)" in said.out
    assert not (shell.root / "target").exists()
    parsed = duckdb.extract_statements(said.out)
    described = shell("explain", "customer_history", "--sql", "--json").json
    assert len(parsed) == len(described["build"]) + len(described["fold"])


def test_explain_sql_with_bounds(shell: Shell) -> None:
    said = shell("explain", "customer_history", "--sql", "--window", "2025-01-01..2025-01-03")
    assert "$" not in said.out
    assert "TIMESTAMP '2025-01-01 00:00:00'" in said.out
    assert "TIMESTAMP '2025-01-03 00:00:00'" in said.out


def test_explain_sql_of_a_view_is_what_a_run_executes(shell: Shell) -> None:
    said = shell("explain", "current_customers", "--sql")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("-- model current_customers; one transaction.\n")
    described = shell("explain", "current_customers", "--sql", "--json").json
    assert [one["label"] for one in described["build"]] == ["create the view"]
    assert shell("run").code == 0
    with duckdb.connect(next(shell.root.glob("target/*.duckdb"))) as connection:
        built = connection.sql("FROM main.current_customers").fetchall()
        connection.execute("DROP VIEW main.current_customers")
        connection.execute(said.out)
        assert connection.sql("FROM main.current_customers").fetchall() == built
    assert built


def test_explain_sql_of_a_table_names_what_is_read_as_found(shell: Shell) -> None:
    shell.write(
        "models/counts.sql",
        "---\nmaterialization: table\n---\nSELECT count(*) AS n FROM smelt.sources.customer_changes\n",
    )
    said = shell("explain", "counts", "--sql")
    assert said.out == (
        "-- model counts; one transaction.\n"
        '-- "smelt"."sources"."customer_changes" stands for the source as a run finds it: '
        "its declared columns in their types.\n\n"
        "-- create the table\n"
        'CREATE TABLE "main"."counts" AS\n'
        'SELECT count(*) AS n FROM "smelt"."sources"."customer_changes" AS "customer_changes";\n'
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sql"], "--sql needs a model"),
        (["customer_history", "--window", "2025-01-01..2025-01-02"], "--window does nothing alone"),
        (["customer_history", "--sql", "--window", "2025-01-01"], "--window: no two bounds: 2025-01-01"),
        (
            ["customer_history", "--sql", "--window", "2025-01-01..2025-01-01T05"],
            "the nearest bounds are 2025-01-01 and",
        ),
        (["current_customers", "--sql", "--window", "2025-01-01..2025-01-02"], "--window: a view is built whole"),
    ],
)
def test_explain_sql_of_what_has_none(shell: Shell, arguments: list[str], message: str) -> None:
    said = shell("explain", *arguments)
    assert (said.code, said.out) == (2, "")
    assert message in said.err


def test_an_unusable_project_file_is_shown(shell: Shell) -> None:
    shell.write("smelt.yml", "name: [unclosed\n")
    for command in (["list"], ["explain"], ["run"], ["show", "customer_history"]):
        said = shell(*command)
        assert (said.code, said.out) == (2, "")
        assert "--> smelt.yml:" in said.err


@pytest.mark.parametrize(
    "command", [["run"], ["build"], ["seed"], ["test"], ["list"], ["explain"], ["show", "customer_history"]]
)
def test_an_unusable_project_file_is_an_object_for_who_reads_json(shell: Shell, command: list[str]) -> None:
    shell.edit("smelt.yml", "default_target: dev", "default_target: dve")
    shell.edit("smelt.yml", "targets:", "tragets:")
    said = shell(*command, "--json")
    assert said.code == 2
    told = said.json
    assert (told["exit_code"], told["error"]) == (2, None)
    (found,) = [one for one in told["diagnostics"] if one["code"] == "UnknownKey"]
    assert (found["file"], found["range"]["start"]) == ("smelt.yml", {"line": 3, "column": 1})
    assert "--> smelt.yml:3:1" in said.err


def test_an_unknown_target_is_an_object_for_who_reads_json(shell: Shell) -> None:
    said = shell("run", "--json", "--target", "prod")
    assert (said.code, said.json) == (
        2,
        {
            "exit_code": 2,
            "error": {"code": None, "message": "no such target: prod", "help": "smelt.yml has dev"},
            "diagnostics": [],
        },
    )


def test_docs(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    listed = shell("docs").out.split()
    assert listed == sorted(registry.names())
    page = shell("docs", "successionclocktie")
    assert page.code == 0
    assert page.out == registry.entry("SuccessionClockTie").page
    wrong = shell("docs", "SuccessionClokTie")
    assert wrong.code == 2
    assert wrong.err == "error: no such code: SuccessionClokTie\n = help: did you mean SuccessionClockTie?\n"


@pytest.mark.parametrize("kind", ["project", "model", "source", "state"])
def test_schema(kind: str, tmp_path: Path) -> None:
    said = Shell(tmp_path)("schema", kind)
    assert said.code == 0
    assert json.loads(said.out)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_schemas_that_are_none(tmp_path: Path) -> None:
    assert Shell(tmp_path)("schema", "modle").err == "error: no such kind: modle\n = help: did you mean `model`?\n"
