"""The VS Code extension's manifest says what the Python side has, and its code does what the manifest says."""

import importlib.util
import json
import re
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from smelt.version import VERSION
from tests.cli.shell import Shell
from tests.examples.projects import ROOT

EXTENSION = ROOT / "vscode-extension"
REGISTERED = re.compile(r'^\s*"(smelt\.\w+)": \(?\w*', re.MULTILINE)


@cache
def generator() -> ModuleType:
    specification = importlib.util.spec_from_file_location("docs_extension", ROOT / "docs" / "extension.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def read(name: str) -> str:
    return (EXTENSION / name).read_text(encoding="utf-8")


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(read("package.json"))
    return found


def source() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((EXTENSION / "src").rglob("*.ts")))


def test_generated_files_are_current() -> None:
    wanted = generator().files(read("package.json"), read("package-lock.json"))
    stale = [name for name, text in wanted.items() if not (EXTENSION / name).is_file() or read(name) != text]
    assert stale == [], "python docs/generate.py writes them anew"
    assert manifest()["version"] == VERSION


def test_no_schema_is_left_that_is_not_generated() -> None:
    wanted = generator().files(read("package.json"), read("package-lock.json"))
    assert {f"schemas/{path.name}" for path in (EXTENSION / "schemas").iterdir()} <= set(wanted)


def test_every_command_is_registered_and_every_registered_one_is_declared() -> None:
    registered = set(REGISTERED.findall(read("src/commands.ts")))
    assert registered == {command["command"] for command in manifest()["contributes"]["commands"]}


def test_every_setting_that_the_code_reads_is_declared_and_the_other_way_round() -> None:
    declared = set(manifest()["contributes"]["configuration"]["properties"])
    read_by_code = {
        f"smelt.{name}" for name in re.findall(r'getConfiguration\("smelt".*?\)\s*\.get\("(\w+)"', source())
    }
    assert declared == read_by_code | {"smelt.trace.server"}  # which vscode-languageclient reads


def test_every_menu_and_walkthrough_names_commands_that_there_are() -> None:
    contributed = manifest()["contributes"]
    there = {command["command"] for command in contributed["commands"]}
    shown = {item["command"] for items in contributed["menus"].values() for item in items}
    steps = contributed["walkthroughs"][0]["steps"]
    linked = {name for step in steps for name in re.findall(r"command:([\w.]+)", step["description"])}
    assert shown | linked <= there


@pytest.mark.parametrize("step", manifest()["contributes"]["walkthroughs"][0]["steps"], ids=lambda step: step["id"])
def test_every_step_of_the_walkthrough_has_its_page(step: dict[str, Any]) -> None:
    assert read(step["media"]["markdown"]).startswith("# ")


def test_what_the_walkthrough_has_refused_is_mended_by_a_safe_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shell = Shell(tmp_path)
    assert shell("init").code == 0
    model = tmp_path / "models" / "customer_history.sql"
    right = model.read_text(encoding="utf-8")
    lines = read("walkthrough/refusal.md").partition("```sql\n")[2].partition("```")[0]
    model.write_text(right[: right.index("FROM ")] + lines, encoding="utf-8")
    assert shell("check").code == 1
    assert shell("check", "--fix").code == 0
    assert model.read_text(encoding="utf-8") == right


def test_no_file_is_claimed_and_the_frontmatter_is_injected() -> None:
    contributed = manifest()["contributes"]
    assert [set(language) for language in contributed["languages"]] == [{"id", "aliases"}]  # by name, of no file
    grammar = json.loads(read(contributed["grammars"][0]["path"]))
    assert grammar["scopeName"] == contributed["grammars"][0]["scopeName"]


def test_every_request_of_the_client_is_answered_by_the_server() -> None:
    asked = set(re.findall(r'"(smelt/\w+)"', read("src/protocol.ts")))
    answered = set(re.findall(r'feature\("(smelt/\w+)"\)', (ROOT / "smelt_lsp" / "views.py").read_text()))
    assert asked == answered


def test_the_readme_lists_every_setting() -> None:
    table = re.findall(r"^\| `(smelt\.[\w.]+)` \|", read("README.md"), re.MULTILINE)
    assert table == list(manifest()["contributes"]["configuration"]["properties"])


def test_the_pictures_of_the_readme_are_there_and_stay_out_of_the_package() -> None:
    text = read("README.md")
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert pictures
    assert [path for path in pictures if not (EXTENSION / path).is_file()] == []
    packed = re.sub(r"<!-- repository -->.*?<!-- /repository -->", "", text, flags=re.DOTALL)
    assert "](" not in packed


def test_the_lock_file_names_no_download_address() -> None:
    packages = json.loads(read("package-lock.json"))["packages"]
    assert [name for name, package in packages.items() if "resolved" in package] == []


def test_the_icon_is_small() -> None:
    icon = (EXTENSION / manifest()["icon"]).read_bytes()
    assert icon.startswith(b"\x89PNG")
    assert len(icon) <= 20_000
