"""Names as they are written in YAML."""

import pytest

from smelt.project.quoting import in_yaml
from smelt.project.yaml import read_mapping
from smelt.text.spans import Span

NAMES = ["dev:", "dev #1", "- a", "on", "Null", "~", "110", "1e5", ".inf", "a, b", "{a}", "[a", "it's", 'a "b"', "a\\n"]
NAMES += [
    "a\nb",
    "a\x07",
    "a\u2028b",
    "\ufeffa",
    "größe 🎉",
    "a: b",
    "*a",
    "&a",
    "!a",
    "%a",
    "@a",
    "`a",
    "a\tb",
    " a",
    "",
]
PLAIN = ["id", "größe", "dev-2", "s.m.a", "two words", "_1"]


@pytest.mark.parametrize("name", [*NAMES, *PLAIN])
@pytest.mark.parametrize("around", ["key: {}\n", "key: {{a: {}, b: 1}}\n", "key: [{}]\n"])
def test_a_name_is_read_as_it_was(name: str, around: str) -> None:
    text = around.format(in_yaml(name))
    found = read_mapping("smelt.yml", text, Span(0, len(text))).values["key"]
    assert found in (name, {"a": name, "b": 1}, [name])


@pytest.mark.parametrize("name", PLAIN)
def test_what_needs_no_quotes_has_none(name: str) -> None:
    assert in_yaml(name) == name
