"""A command that a text tells its reader to type is there, in this release."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from smelt.cli.catalog import LATER, entries
from smelt.cli.main import cli
from smelt.diagnostics import registry
from tests.examples.projects import ROOT

COMMANDS = frozenset(entry.name for entry in entries())
_LATER = "|".join(LATER)

# Where a command is typed, not told of: in backticks, after a prompt, on its own line of an indented or fenced block.
_TYPED = re.compile(r"(?:`|\$ |&& )smelt ([a-z]\w*)|^(?:  +|\t)smelt ([a-z]\w*)", re.MULTILINE)
_IN_HELP = re.compile(r"(?:: |\bor )smelt ([a-z]\w*)")
_OF_A_LATER_RELEASE = re.compile(rf"\bsmelt (?:{_LATER})\b|`(?:{_LATER})`")
_FENCED = re.compile(r"^```(?:console|sh|text)?[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FIRST_WORDS = re.compile(r"^smelt ([a-z]\w*)", re.MULTILINE)


def _python_texts(path: Path) -> Iterator[str]:
    """The texts in a module: what it may print, and its docstrings, which may be pages."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _markdown_texts(path: Path) -> Iterator[str]:
    """The paragraphs of a page but those that list what is not available yet."""
    text = path.read_text(encoding="utf-8")
    yield from (part for part in re.split(r"\n\n|\n(?=- )", text) if "not available yet" not in part.lower())
    yield from (re.sub("^", "  ", block, flags=re.MULTILINE) for block in _FENCED.findall(text))


def _files(folder: str, *endings: str) -> Iterator[Path]:
    return (path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in endings)


MODULES = {path.relative_to(ROOT).as_posix(): path for top in ("smelt", "smelt_lsp") for path in _files(top, ".py")}
PAGES = {
    path.relative_to(ROOT).as_posix(): path
    for path in (
        *ROOT.glob("*.md"),
        *_files("docs", ".md"),
        *_files("examples", ".md", ".yml"),
        *_files("smelt/cli/templates", ".md", ".yml"),
    )
}


def _wrong(text: str) -> Iterator[str]:
    for found in _TYPED.finditer(text):
        if (found[1] or found[2]) not in COMMANDS:
            yield found[0]
    yield from (found[0] for found in _OF_A_LATER_RELEASE.finditer(text))


@pytest.mark.parametrize("name", MODULES)
def test_modules_name_no_command_that_is_not_there(name: str) -> None:
    assert [wrong for text in _python_texts(MODULES[name]) for wrong in _wrong(text)] == []


@pytest.mark.parametrize("name", PAGES)
def test_pages_name_no_command_that_is_not_there(name: str) -> None:
    assert [wrong for text in _markdown_texts(PAGES[name]) for wrong in _wrong(text)] == []


@pytest.mark.parametrize("name", sorted(registry.names()))
def test_cures_name_commands_that_are_there(name: str) -> None:
    named = _IN_HELP.findall(registry.entry(name).code.help)
    assert set(named) <= COMMANDS


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_examples_in_the_help_are_of_the_command_itself(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert set(_FIRST_WORDS.findall((command.epilog or "").replace("  smelt", "smelt"))) <= {name}


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_no_text_names_an_option_of_a_later_release(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    options = (one for one in command.params if isinstance(one, click.Option) and one.hidden)
    hidden = {spelling for option in options for spelling in option.opts}
    shown = re.compile(r"`[^`\n]*(" + "|".join(sorted(map(re.escape, hidden), key=len, reverse=True)) + r")[ `]")
    texts = [text for path in PAGES.values() for text in _markdown_texts(path)] if hidden else []
    assert [found[0] for text in texts for found in shown.finditer(text) if f"smelt {name}" in found[0]] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("then `smelt promote x`", ["`smelt promote", "smelt promote"]),
        ("rebuild: smelt promote {model}", ["smelt promote"]),
        ("then `smelt rnu x`", ["`smelt rnu"]),
        ("  smelt rnu", ["  smelt rnu"]),
        ("`promote` writes nothing", ["`promote`"]),
        ("smelt keeps it; `smelt run` folds", []),
    ],
)
def test_what_is_found(text: str, wrong: list[str]) -> None:
    assert list(_wrong(text)) == wrong
