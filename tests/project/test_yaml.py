"""YAML: values as 1.2 reads them, a place for everything, a finding for what cannot be read."""

import json
import math

import pytest
import yaml as pyyaml
from hypothesis import given
from hypothesis import strategies as st

import smelt.project.yaml
from smelt.project.yaml import MAX_NODES, YamlFile, read_mapping
from smelt.text.spans import Span


def read(text: str) -> YamlFile:
    return read_mapping("a.yml", text, Span(0, len(text)))


def problems(text: str) -> list[tuple[str, str]]:
    """The text under each finding, and what it says."""
    found = read(text).diagnostics
    return [(one.location.span.of(text), one.message.removeprefix("this YAML cannot be read: ")) for one in found]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("Yes", "Yes"),
        ("y", "y"),
        ("010", 10),
        ("+12", 12),
        ("-0", 0),
        ("0o17", 15),
        ("0xFF", 255),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("2024-01-01", "2024-01-01"),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1.", 1.0),
        (".inf", math.inf),
        ("-.INF", -math.inf),
        ("true", True),
        ("False", False),
        ("tRue", "tRue"),
        ("null", None),
        ("~", None),
        ("", None),
        ("'12'", "12"),
        ('"true"', "true"),
        ("''", ""),
        ("!!str 12", "12"),
        ("! 12", 12),
        ("|\n  true\n", "true\n"),
        (">-\n  1\n  2\n", "1 2"),
        ("{a: [1, {b: no}]}", {"a": [1, {"b": "no"}]}),
    ],
)
def test_scalars_are_those_of_the_core_schema(written: str, value: object) -> None:
    found = read(f"k: {written}")
    assert found.diagnostics == ()
    assert found.values == {"k": value}
    assert type(found.values["k"]) is type(value)


def test_not_a_number_is_one() -> None:
    value = read("k: .nan").values["k"]
    assert isinstance(value, float)
    assert math.isnan(value)


def test_long_digits_stay_bounded() -> None:
    assert read(f"k: {'9' * 100_000}").values["k"] == math.inf


@pytest.mark.parametrize("loader", [pyyaml.SafeLoader, getattr(pyyaml, "CSafeLoader", pyyaml.SafeLoader)])
@pytest.mark.parametrize("start", ["", "\ufeff", "# 😀\n", "---\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_places_are_code_points_of_the_document(
    loader: type, start: str, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = type("_Loader", (smelt.project.yaml._Nodes, loader), {})
    monkeypatch.setattr(smelt.project.yaml, "_Loader", built)
    body = f"{start}a: '😀'{end}b:{end}  - é{end}  - x: 1 # one{end}    y:{end}# two{end}c: 3"
    before = "SELECT 😀 "
    text = before + body + " after"
    found = read_mapping("m.sql", text, Span(len(before), len(before) + len(body)))
    assert found.values == {"a": "😀", "b": ["é", {"x": 1, "y": None}], "c": 3}
    places = {path: span.of(text) for path, span in found.marks.values.items()}
    assert places == {
        ("a",): "'😀'",
        ("b",): f"- é{end}  - x: 1 # one{end}    y:",
        ("b", 0): "é",
        ("b", 1): f"x: 1 # one{end}    y:",
        ("b", 1, "x"): "1",
        ("b", 1, "y"): "",
        ("c",): "3",
    }
    keys = {path: span.of(text) for path, span in found.marks.keys.items()}
    assert {path: written for path, written in keys.items() if isinstance(path[-1], str)} == {
        path: path[-1] for path in keys if isinstance(path[-1], str)
    }


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: 1\n\tb: 2", "\t", "a tab stands"),
        ("a: [1, 2\nb: 3", "[1, 2", "has no end"),
        ("tags: [core\n", "[core", "has no end"),
        ("a: *nobody", "*nobody", "no anchor `&nobody`"),
        ("a: 1\n---\nb: 2", "---", "second document"),
        ("a: \x07", "\x07", "U+0007"),
        ("é😀: \x00", "\x00", "U+0000"),
        ("- 1\n- 2", "- 1\n- 2", "not a mapping"),
        ("just words", "just words", "not a mapping"),
        ("a: !env HOME", "!env HOME", "tag `!env`"),
        ("a: &x {b: *x}", "&x {b: *x}", "inside the value"),
        ("base: &b {x: 1}\na: {<<: *b}", "<<", "merge keys"),
        ("? [1, 2]\n: 3", "[1, 2]", "plain text"),
        ("a: 'open", "'open", "has no end"),
    ],
)
def test_what_cannot_be_read_is_one_finding_at_its_place(text: str, place: str, words: str) -> None:
    ((found, message),) = problems(text)
    assert words in message
    assert found == place


def test_a_duplicate_key_names_both_and_the_first_counts() -> None:
    text = "a: 1\nb: {x: 1, x: 2}\na: 3\n"
    found = read(text)
    assert found.values == {"a": 1, "b": {"x": 1}}
    assert [one.code.name for one in found.diagnostics] == ["YamlDuplicateKey"] * 2
    assert [one.location.span.start for one in found.diagnostics] == [text.index("x: 2"), text.rindex("a")]
    assert [one.related[0].location.span.start for one in found.diagnostics] == [text.index("x: 1"), 0]


def test_an_alias_is_the_value_it_names() -> None:
    text = "a: &x [1, 2]\nb: *x\n"
    found = read(text)
    assert found.values == {"a": [1, 2], "b": [1, 2]}
    assert found.marks.values[("b", 1)].of(text) == "2"


def test_aliases_that_double_are_cut_off_at_once() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    found = read("\n".join(lines))  # unfolded it has 10^12 values: without the cut this never ends
    assert len(found.marks.values) <= MAX_NODES
    assert found.values == {}
    assert found.broken
    (one,) = found.diagnostics
    assert "more than 100000 values, counting what aliases repeat" in one.message


@pytest.mark.parametrize("text", ["a:\n" + "- x\n" * 300_000, "".join(f"k{n}: 1\n" for n in range(120_000))])
def test_of_endless_values_no_more_are_made_than_a_person_could_write(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    built = smelt.project.yaml._Loader.get_single_node

    def counted(self: smelt.project.yaml._Nodes) -> object:
        try:
            return built(self)  # type: ignore[arg-type]
        finally:
            made.append(self.count)

    monkeypatch.setattr(smelt.project.yaml._Loader, "get_single_node", counted)
    found = read(text)
    assert made == [2 * MAX_NODES + 1]
    assert found.broken
    assert ["more than 100000 values" in one.message for one in found.diagnostics] == [True]


@pytest.mark.parametrize("text", ["[" * 100_000, "- " * 100_000, "a: " + "{a: " * 500 + "1" + "}" * 500])
def test_deep_nesting_is_a_finding(text: str) -> None:
    assert [one.code.name for one in read(text).diagnostics] == ["YamlSyntax"]


@given(st.text(alphabet=st.sampled_from("ab:-[]{}#&*!|>'\"\n\r\t ,?%@\ufeff😀\x00\x85"), max_size=40))
def test_any_text_is_read_or_refused_inside_itself(text: str) -> None:
    before = "x" * 7
    found = read_mapping("a.yml", before + text, Span(7, 7 + len(text)))
    spans = [one.location.span for one in found.diagnostics]
    spans += [*found.marks.keys.values(), *found.marks.values.values()]
    assert all(7 <= span.start <= span.end <= 7 + len(text) for span in spans)
    if found.broken:
        assert found.diagnostics
        assert found.values == {}


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(10**9), 10**9)
        | st.text(st.characters(max_codepoint=0xD7FF), max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3),
        max_leaves=12,
    )
)
def test_what_json_writes_reads_back(value: object) -> None:
    found = read(f"k: {json.dumps(value)}")
    assert found.diagnostics == ()
    assert found.values == {"k": value}
