"""The generated pages are what the code makes of itself today."""

import importlib.util
from types import ModuleType

import pytest

from tests.examples.projects import ROOT


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    specification = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_pages_are_current(generator: ModuleType) -> None:
    stale = [
        name
        for name, text in generator.pages().items()
        if not (ROOT / "docs" / name).is_file() or (ROOT / "docs" / name).read_text(encoding="utf-8") != text
    ]
    assert stale == [], "python docs/generate.py writes them anew"


def test_no_page_tells_of_a_code_that_is_gone(generator: ModuleType) -> None:
    there = {f"diagnostics/{path.name}" for path in (ROOT / "docs" / "diagnostics").glob("*.md")}
    assert there <= set(generator.pages())


def test_every_command_has_a_section(generator: ModuleType) -> None:
    from smelt.cli.catalog import entries

    page = generator.pages()["cli.md"]
    assert [entry.name for entry in entries() if f"### `smelt {entry.name}" not in page] == []
