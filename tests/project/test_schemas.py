"""The published JSON Schemas take what smelt takes, and refuse what it refuses."""

from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from smelt.project.frontmatter import split
from smelt.project.grammar import GrammarKind
from smelt.project.schemas import json_schema
from smelt.project.yaml import read_mapping
from smelt.text.spans import Span
from tests.project.loading import SETUP, load

EXAMPLES = Path(__file__).parents[2] / "examples"
KINDS: tuple[GrammarKind, ...] = get_args(GrammarKind)


def accepts(kind: GrammarKind, text: str) -> bool:
    values = read_mapping("x", text, Span(0, len(text))).values
    return bool(jsonschema.Draft202012Validator(json_schema(kind)).is_valid(values))


def findings(kind: GrammarKind, text: str) -> tuple[Any, ...]:
    files = {
        "project": {"smelt.yml": text},
        "model": {"models/m.sql": f"---\n{text}\n---\nSELECT 1 AS one"},
        "source": {"models/s.yml": text},
    }
    return load(files[kind]).diagnostics


@pytest.mark.parametrize("kind", KINDS)
def test_each_is_a_schema(kind: GrammarKind) -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema(kind))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("project", SETUP),
        (
            "project",
            SETUP + "paths: [a, b]\nmodels: {smelt.m: {tags: core}}\nerrors: {samples: 0}\n".replace("m:", "m:"),
        ),
        ("project", "name: a\ntargets: {dev: {schema: s, settings: {threads: 4, a: true, b: x}, extensions: httpfs}}"),
        ("model", "unique_key: id\ntags: [a, b]\nstart: 2024-01-01"),
        ("model", "columns: [{name: a, tests: [unique, {accepted_values: [1, a]}]}]"),
        ("model", "timeseries: {event_time_column: a, partition_column: a, granularity: day}"),
        ("source", "mutation_profile: append_only"),
        ("source", "mutation_profile: {kind: append_only, retention: 90 days}"),
        ("source", "columns: [{name: a, type: INTEGER, nullable: false, expression: b}]"),
    ],
)
def test_what_is_right_is_taken(kind: GrammarKind, text: str) -> None:
    assert accepts(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("project", "name: a"),
        ("project", "name: a\ntargets: {}"),
        ("project", SETUP + "verion: 1"),
        ("project", SETUP + "version: 2"),
        ("project", SETUP + "errors: {samples: -1}"),
        ("project", 'name: a\ntargets: {dev: {database: "a\\0b"}}'),
        ("project", 'name: a\ntargets: {dev: {schema: "a\\tb"}}'),
        ("project", SETUP + 'paths: ["a\\u2028b"]'),
        ("model", 'name: "a\\nb"'),
        ("source", 'files: "data/\\e.csv"'),
        ("source", 'name: "a\\x85b"'),
        ("model", "refresh: sometimes"),
        ("model", "refesh: full"),
        ("model", "tags: 5"),
        ("model", "columns: [{name: a, tests: [uniqe]}]"),
        ("model", "columns: [{name: a, tests: [{accepted_value: [1]}]}]"),
        ("source", "mutation_profile: apend_only"),
        ("source", "mutation_profile: {kind: append_only, retention: soon}"),
        ("source", "columns: [{name: a}]"),
        ("source", "timeseries: {event_time_column: a, partition_column: a, granularity: dya}"),
    ],
)
def test_what_is_wrong_is_refused_by_both(kind: GrammarKind, text: str) -> None:
    assert not accepts(kind, text)
    assert findings(kind, text)


def test_every_file_of_the_examples_fits() -> None:
    seen = 0
    for path in sorted(EXAMPLES.glob("*/smelt.yml")) + sorted(EXAMPLES.glob("*/models/**/*.yml")):
        kind: GrammarKind = "project" if path.name == "smelt.yml" else "source"
        assert accepts(kind, path.read_text(encoding="utf-8")), path
        seen += 1
    for path in sorted(EXAMPLES.glob("*/models/**/*.sql")):
        text = path.read_text(encoding="utf-8")
        parts = split(text)
        assert accepts("model", parts.yaml.of(text) if parts.yaml is not None else ""), path
        seen += 1
    assert seen > 6
