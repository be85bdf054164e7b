"""The page about editors shows the configurations that the tests of real editors use, and pictures that are there."""

import tomllib
from pathlib import Path

import pytest

from tests.docs.commands import blocks

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
CONFIGURATIONS = sorted((ROOT / "tests" / "real_editors" / "configurations").iterdir())
IMAGES = ROOT / "docs" / "images"
MOST_BYTES = 120_000

HELIX_SERVER = {"command", "args", "config", "timeout", "environment", "required-root-patterns"}
HELIX_LANGUAGE = {"name", "roots", "file-types", "language-servers", "auto-format", "diagnostic-severity", "indent"}
"""Keys of Helix's documentation, as far as they are of use here."""


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=lambda path: path.name)
def test_the_page_shows_a_configuration_as_its_test_uses_it(configuration: Path) -> None:
    shown = ["\n".join(block.lines) + "\n" for block in blocks(PAGE)]
    assert configuration.read_text(encoding="utf-8") in shown


def test_the_configuration_of_helix_has_the_documented_form() -> None:
    (path,) = [path for path in CONFIGURATIONS if path.name == "helix.toml"]
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    assert set(read) == {"language-server", "language"}
    assert all(set(server) <= HELIX_SERVER for server in read["language-server"].values())
    assert all(set(language) <= HELIX_LANGUAGE for language in read["language"])
    known = {*read["language-server"], "yaml-language-server"}
    assert all(set(language["language-servers"]) <= known for language in read["language"])


def test_each_picture_has_both_themes_and_a_reasonable_size() -> None:
    pictures = {path.name for path in IMAGES.glob("vscode-*.png")}
    light = {name for name in pictures if name.endswith("-light.png")}
    assert pictures == light | {name.replace("-light", "-dark") for name in light}
    assert all((IMAGES / name).stat().st_size <= MOST_BYTES for name in pictures)
