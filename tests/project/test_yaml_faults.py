"""YAML that cannot be read: what a person did, where, what to write, and an edit that does it."""

import pytest
import yaml as pyyaml

import smelt.project.yaml
from smelt.diagnostics.model import Diagnostic
from smelt.project.yaml import read_mapping
from smelt.text.edits import apply_edits
from smelt.text.spans import Span

BEFORE = "-- a line above\n"

# The text, what is underlined, the message, the help, and what the fix makes of the text; `+` before a safe one.
FAULTS = [
    (
        "description: States: every one\nowner: x",
        "States: every one",
        "the text `States: every one` holds `: ` without quotes",
        "a text with `: ` needs quotes: 'States: every one'",
        "+description: 'States: every one'\nowner: x",
    ),
    (
        f"owner: {'ab ' * 40}: c",
        f"{'ab ' * 40}: c",
        f"the text `{('ab ' * 40)[:59]}…` holds `: ` without quotes",
        f"a text with `: ` needs quotes: '{('ab ' * 40)[:59]}…'",
        f"+owner: '{'ab ' * 40}: c'",
    ),
    (
        "columns:\n  - type: a: b # why",
        "a: b",
        "the text `a: b` holds `: ` without quotes",
        "a text with `: ` needs quotes: 'a: b'",
        "columns:\n  - type: 'a: b' # why",
    ),
    (
        "description: one: two\n  three",
        "one: two",
        "the text `one: two` holds `: ` without quotes",
        "a text with `: ` needs quotes: 'one: two'",
        "description: 'one: two'\n  three",
    ),
    (
        "targets:\n\tdev:\n\t\ttype: duckdb",
        "\t",
        "a tab stands where a line is indented",
        "a tab cannot indent YAML: use spaces",
        "+targets:\n  dev:\n    type: duckdb",
    ),
    (
        "targets:\n  dev:\n  \ttype: duckdb",
        "\t",
        "a tab stands where a line is indented",
        "a tab cannot indent YAML: use spaces",
        "targets:\n  dev:\n    type: duckdb",
    ),
    (
        "tags:\n-\ta",
        "\t",
        "a tab stands where a line is indented",
        "a tab cannot indent YAML: use spaces",
        "+tags:\n-  a",
    ),
    (
        'name: "p\nowner: x',
        '"p',
        'the quote `"` that begins here has no end',
        'close it with `"`',
        'name: "p"\nowner: x',
    ),
    (
        'name: "p\nowner: \'x\'\nfiles: "y"',
        '"p',
        'the quote `"` that begins here has no end',
        'close it with `"`',
        'name: "p"\nowner: \'x\'\nfiles: "y"',
    ),
    (
        "description: 'it's here'\nowner: x",
        "s here'",
        "behind the closing quote the text goes on: `s here'`",
        'put the whole text in quotes: "it\'s here"',
        'description: "it\'s here"\nowner: x',
    ),
    (
        "expression: 'd' = op",
        "= op",
        "behind the closing quote the text goes on: `= op`",
        "put the whole text in quotes: \"'d' = op\"",
        "expression: \"'d' = op\"",
    ),
    (
        "description: [draft] text",
        "text",
        "behind the closing bracket the text goes on: `text`",
        "put the whole text in quotes: '[draft] text'",
        "description: '[draft] text'",
    ),
    (
        'files: "C:\\data\\x"',
        "\\d",
        "`\\d` means nothing inside double quotes",
        "write `\\\\` for a backslash, or put the text in single quotes",
        "files: 'C:\\data\\x'",
    ),
    (
        "tags: [a, b # two\nowner: x",
        "[a, b",
        "the bracket `[` that begins here has no end",
        "close it with `]`",
        "tags: [a, b] # two\nowner: x",
    ),
    (
        "tags: [core\n",
        "[core",
        "the bracket `[` that begins here has no end",
        "close it with `]`",
        "tags: [core]\n",
    ),
    (
        "columns:\n  - {name: a, type: b\n  - {name: c, type: d}",
        "{name: a, type: b",
        "the bracket `{` that begins here has no end",
        "close it with `}`",
        "columns:\n  - {name: a, type: b}\n  - {name: c, type: d}",
    ),
    ("tags: [a, b}", "}", "`}` cannot close what `[` opened", "close `[` with `]`", "tags: [a, b]"),
    (
        "columns:\n  - {name: op, description: is it: yes}",
        "is it: yes",
        "the text `is it: yes` holds `: `",
        "inside `{}` such a text needs quotes: 'is it: yes'",
        "+columns:\n  - {name: op, description: 'is it: yes'}",
    ),
    (
        "columns: [{name: op, type: INTEGER[], nullable: true}]",
        "INTEGER[]",
        "the text `INTEGER[]` holds a bracket",
        "inside `{}` such a text needs quotes: 'INTEGER[]'",
        "columns: [{name: op, type: 'INTEGER[]', nullable: true}]",
    ),
    (
        "columns: [{name: op, expression: 'd' = op}]",
        "'d' = op",
        "the text `'d' = op` goes on behind its closing quote",
        "inside `{}` such a text needs quotes: \"'d' = op\"",
        "columns: [{name: op, expression: \"'d' = op\"}]",
    ),
    (
        "columns: [{name: op, description: [draft] text, type: VARCHAR}]",
        "[draft] text",
        "the text `[draft] text` goes on behind its closing bracket",
        "inside `{}` such a text needs quotes: '[draft] text'",
        "+columns: [{name: op, description: '[draft] text', type: VARCHAR}]",
    ),
    (
        "columns: [\n  {name: a, type: b}\n  {name: c, type: d}\n]",
        "{",
        "before this item stands no comma",
        "put a comma between items",
        "columns: [\n  {name: a, type: b},\n  {name: c, type: d}\n]",
    ),
    (
        "columns:\n  - {name: a, type: 'INTEGER}\n  - {name: b, type: 'INTEGER'}",
        "'INTEGER}",
        "the quote `'` that begins here has no end",
        "close it with `'`",
        "columns:\n  - {name: a, type: 'INTEGER'}\n  - {name: b, type: 'INTEGER'}",
    ),
    (
        "columns:\n  - {name: a, type: b}}",
        "}",
        "`}` closes nothing",
        "leave it out, or put the text that it belongs to in quotes",
        "columns:\n  - {name: a, type: b}",
    ),
    (
        "mutation_profile: append_only\n\ttimeseries: {a: b}",
        "\t",
        "a tab stands where a line is indented",
        "a tab cannot indent YAML: use spaces",
        "mutation_profile: append_only\n  timeseries: {a: b}",
    ),
    (
        "columns: [{name: op type: VARCHAR}]",
        "type",
        "before the key `type` stands no comma",
        "put a comma between keys",
        "columns: [{name: op, type: VARCHAR}]",
    ),
    (
        "owner: @team # us",
        "@team",
        "a text without quotes cannot begin with `@`",
        "put the text in quotes: '@team'",
        "+owner: '@team' # us",
    ),
    (
        "columns: [{name: `p`, type: b}]",
        "`p`",
        "a text without quotes cannot begin with a backtick",
        "put the text in quotes: '`p`'",
        "+columns: [{name: '`p`', type: b}]",
    ),
    (
        "columns: [{@name: p, type: b}]",
        "@name: p",
        "a text without quotes cannot begin with `@`",
        "put the text in quotes: '@name: p'",
        "columns: [{'@name: p', type: b}]",
    ),
    (
        "columns:\n  - {name: a, description: two: lines\n    of it, type: b}",
        "two: lines\n    of it",
        "the text `two: lines of it` holds `: `",
        "inside `{}` such a text needs quotes: 'two: lines of it'",
        "columns:\n  - {name: a, description: 'two: lines\n    of it', type: b}",
    ),
    (
        "files: *.parquet",
        "*.parquet",
        "a text without quotes cannot begin with `*`",
        "put the text in quotes: '*.parquet'",
        "files: '*.parquet'",
    ),
    (
        "description: **bold** text",
        "**bold** text",
        "a text without quotes cannot begin with `*`",
        "put the text in quotes: '**bold** text'",
        "description: '**bold** text'",
    ),
    (
        "description: > 3 rows",
        "> 3 rows",
        "a text without quotes cannot begin with `>`",
        "put the text in quotes: '> 3 rows'",
        "description: '> 3 rows'",
    ),
    (
        "description: - what",
        "- what",
        "a text without quotes cannot begin with `-`",
        "put the text in quotes: '- what'",
        "description: '- what'",
    ),
    ("%x: 1", "%", "a key cannot begin with `%`", "leave it out, or quote the key", ""),
    (
        "owner: *x",
        "*x",
        "`*x` repeats a value that has no anchor `&x`",
        "write `&x` before the value to repeat, or quotes around a text",
        "owner: '*x'",
    ),
    (
        "owner: &a x\nname: &a y",
        "&a",
        "the anchor `&a` stands twice",
        "give each anchor a name of its own",
        "",
    ),
    (
        "name:p\nowner: x",
        "name:p",
        "behind the colon of `name` stands no space",
        "a colon needs a space behind it: `name: p`",
        "name: p\nowner: x",
    ),
    (
        "name:p",
        "name:p",
        "behind the colon of `name` stands no space",
        "a colon needs a space behind it: `name: p`",
        "name: p",
    ),
    (
        "name:\u00a0p\nowner: x",
        "name:\u00a0p",
        "behind the colon of `name` stands no space",
        "a colon needs a space behind it: `name: p`",
        "name: p\nowner: x",
    ),
    (
        "tags:\n  - a\n  -b\n",
        "-",
        "behind this dash stands no space",
        "an item is written `- item`",
        "tags:\n  - a\n  - b\n",
    ),
    (
        "tags:\n  -a\n  -b",
        "-",
        "behind this dash stands no space",
        "an item is written `- item`",
        "tags:\n  - a\n  - b",
    ),
    (
        "columns:\n  -name: a\n  -name: b\nowner: x",
        "-",
        "behind this dash stands no space",
        "an item is written `- item`",
        "columns:\n  - name: a\n  - name: b\nowner: x",
    ),
    (
        "name: p\n  owner: x",
        "owner",
        "`owner` is indented neither like what stands above nor as a part of it",
        "keys of one mapping begin at one column, and so do the items of a list",
        "name: p\nowner: x",
    ),
    (
        "columns:\n  - name: a\n   type: b",
        "type",
        "`type` is indented neither like what stands above nor as a part of it",
        "keys of one mapping begin at one column, and so do the items of a list",
        "columns:\n  - name: a\n    type: b",
    ),
    (
        "timeseries:\n  a: b\n  - c",
        "-",
        "`-` is indented neither like what stands above nor as a part of it",
        "keys of one mapping begin at one column, and so do the items of a list",
        "",
    ),
    (
        "name = p\nowner: x",
        "name = p",
        "`name = p` is no key with a value",
        "write it as `name: p`",
        "name: p\nowner: x",
    ),
    (
        "name: p\nowner\ntags: [a]",
        "owner",
        "`owner` is no key with a value",
        "write it as `key: value`",
        "",
    ),
    (
        "name: p\n---\nname: q",
        "---",
        "`---` begins a second document",
        "write one mapping: leave this line out",
        "",
    ),
]


def found(text: str) -> Diagnostic:
    """The one finding, in a text that other lines stand before."""
    (one,) = read_mapping("m.sql", BEFORE + text, Span(len(BEFORE), len(BEFORE) + len(text))).diagnostics
    return one


@pytest.mark.parametrize("loader", [pyyaml.SafeLoader, getattr(pyyaml, "CSafeLoader", pyyaml.SafeLoader)])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("text", "place", "problem", "advice", "mended"), FAULTS)
def test_what_a_person_did_is_said_in_plain_words_with_an_edit(
    text: str,
    place: str,
    problem: str,
    advice: str,
    mended: str,
    end: str,
    loader: type,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(smelt.project.yaml, "_Loader", type("_Loader", (smelt.project.yaml._Nodes, loader), {}))
    one = found(text.replace("\n", end))
    assert one.location.span.of(BEFORE + text.replace("\n", end)) == place.replace("\n", end)
    assert (one.message, one.help) == (f"this YAML cannot be read: {problem}", advice)
    assert [fix.safe for fix in one.fixes] == ([mended.startswith("+")] if mended else [])
    after = [apply_edits(BEFORE + text.replace("\n", end), [edit.edit for edit in fix.edits]) for fix in one.fixes]
    assert after == ([BEFORE + mended.removeprefix("+").replace("\n", end)] if mended else [])


@pytest.mark.parametrize(
    "text", ["a: ? [[" + "{" * 50, "a: 1\n\x85 b: 2: 3", "a: !!binary [: x", "'a': 'b' 'c': d\n\te"]
)
def test_of_the_rest_the_parsers_own_words_or_a_cause_are_told(text: str) -> None:
    assert found(text).code.name == "YamlSyntax"


def test_a_repair_that_does_not_help_is_not_offered() -> None:
    assert found("a: 'x' y\n\tb: *c").fixes == ()


@pytest.mark.parametrize(
    "text", ["a: -x", "a: [-x, -y]", "a:\n  - -x", "a:\n  -1", "a:\n  '-x'", "a: -x\n  -y", "a: |\n  -x"]
)
def test_a_text_that_begins_with_a_dash_is_one_where_it_can_be_no_item(text: str) -> None:
    assert read_mapping("a.yml", text, Span(0, len(text))).diagnostics == ()
