"""``smelt repair --state``: the files under ``.smelt/`` as the warehouse tells, and no table touched."""

import json
import shutil

import pytest

from tests.cli.shell import Shell
from tests.cli.test_cli_repair import edit

SAME = "all files say what the warehouse says\n"
COPIES = ("intervals.json", "landed_deltas.json", "schemas/customer_history.json", "schemas/current_customers.json")


def copies(shell: Shell) -> dict[str, object]:
    found = {}
    for name in COPIES:
        document = json.loads((shell.root / ".smelt/targets/dev" / name).read_text())
        document.pop("deployed_at", None)
        found[name] = document
    return found


def test_it_writes_what_was_lost_and_nothing_else(built: Shell) -> None:
    before = copies(built)
    assert built("repair", "--state").err == SAME
    shutil.rmtree(built.root / ".smelt")
    said = built("repair", "--state", "--json")
    assert (said.code, sorted(said.json["written"]), said.json["removed"]) == (0, sorted(COPIES), [])
    assert copies(built) == before
    assert built("repair", "--state").err == SAME
    assert built.manifests() == []
    assert "lacked" not in built("run").err


def test_what_the_warehouse_does_not_have_goes(built: Shell) -> None:
    before = copies(built)
    folder = built.root / ".smelt/targets/dev"
    for name, key in (("intervals.json", "models"), ("landed_deltas.json", "sources")):
        document = json.loads((folder / name).read_text())
        document[key]["gone"] = [{"start": "2025-01-01", "end": "2025-01-02", "rows": 1}]
        (folder / name).write_text(json.dumps(document))
    (folder / "schemas/gone.json").write_text("{}")
    said = built("repair", "--state")
    assert said.code == 0
    assert said.err.splitlines() == [
        "written  .smelt/targets/dev/intervals.json",
        "written  .smelt/targets/dev/landed_deltas.json",
        "removed  .smelt/targets/dev/schemas/gone.json: nothing like it is built",
    ]
    assert copies(built) == before


def test_a_view_whose_table_is_gone_keeps_its_schema(built: Shell) -> None:
    before = copies(built)
    edit(built, "DROP TABLE customer_history")
    assert built("repair", "--state").err == SAME
    assert copies(built) == before


def test_a_model_with_a_fault_keeps_what_is_known_of_it(built: Shell) -> None:
    before = copies(built)
    built.edit("models/customer_history.sql", "SELECT", "SELEC")
    assert built("repair", "--state").err == SAME
    assert copies(built) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--state", "customer_history"), "--state is about the files of all models"),
        (("--state", "--lose-history"), "--state is about the files of all models"),
    ],
)
def test_it_takes_no_names(built: Shell, arguments: tuple[str, ...], message: str) -> None:
    said = built("repair", *arguments)
    assert said.code == 2
    assert message in said.err


def test_nothing_is_built_yet(shell: Shell) -> None:
    said = shell("repair", "--state")
    assert (said.code, "nothing is built in target dev yet" in said.err) == (1, True)


def test_stateless_keeps_no_files(built: Shell) -> None:
    with (built.root / "smelt.yml").open("a") as file:
        file.write("state: {mode: stateless}\n")
    said = built("repair", "--state")
    assert said.code == 2
    assert "stateless" in said.err
