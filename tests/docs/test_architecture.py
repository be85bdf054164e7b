"""``ARCHITECTURE.md`` and ``CONTRIBUTING.md`` are true of the tree."""

import re
import tomllib

import pytest

from tests.examples.projects import ROOT

_PATH = re.compile(r"`((?:smelt|smelt_lsp|tests|docs|examples|\.ci)/[\w./-]+)`")


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_path_is_there(page: str) -> None:
    named = _PATH.findall((ROOT / page).read_text(encoding="utf-8"))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_layers_are_those_that_are_enforced() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (enforced,) = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`smelt\..*?`) \|[^|\\]", text, re.MULTILINE)
    assert [row.replace("`", "").replace("\\|", "|") for row in rows] == enforced


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.split(r"[<>=\[]", dependency)[0] for dependency in project["dependencies"]]
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Dependencies")[2]
    assert [name for name in names if name not in section] == []


@pytest.mark.parametrize(
    ("library", "homes"),
    [
        ("sqlglot", ("sql", "facts", "grains")),
        ("duckdb", ("engines",)),
        ("pydantic", ("project",)),
        ("yaml", ("project",)),
        ("click", ("cli",)),
    ],
)
def test_libraries_stay_where_the_page_says(library: str, homes: tuple[str, ...]) -> None:
    imports = re.compile(rf"^\s*(?:import|from) {library}\b", re.MULTILINE)
    users = {
        path.relative_to(ROOT / "smelt").parts[0]
        for path in (ROOT / "smelt").rglob("*.py")
        if imports.search(path.read_text(encoding="utf-8"))
    }
    assert users <= set(homes)
