"""Texts that no person wrote: refused before they cost anything, or read in work that grows as they do."""

import pytest

from smelt.sql.limits import MAX_BRACKETS
from smelt.sql.model import Parsed
from smelt.sql.parse import MAX_ERRORS, parse
from smelt.sql.tokens import MAX_CHARACTERS, MAX_TOKENS, Tokens
from smelt.text.spans import Span


def whole(text: str) -> Parsed:
    return parse(text, Span(0, len(text)))


def said(text: str) -> list[tuple[str, str]]:
    """The text under each error, and its message."""
    return [(error.span.of(text), error.message) for error in whole(text).errors]


@pytest.mark.parametrize("text", ["SELECT '" + "x" * MAX_CHARACTERS + "'", "SELECT " + "x" * MAX_CHARACTERS])
def test_a_text_of_very_many_characters_is_refused_before_it_is_split(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smelt.sql.tokens.DuckDB", None)
    text = "\n  \n" + text + "\n"
    assert said(text) == [(text.strip(), "the query has more than 1000000 characters")]


def test_a_text_of_very_many_tokens_is_refused_at_its_first_line() -> None:
    text = "-- why\nSELECT 1\n" + ",1" * (MAX_TOKENS // 2)
    assert said(text) == [("-- why", "the query has more than 200000 tokens")]


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("(", ")"),
        ("[", "]"),
        ("{'a': ", "}"),
        ("(SELECT ", ")"),
        ("abs(", ")"),
        ("CAST(", " AS INTEGER)"),
        ("CASE WHEN TRUE THEN ", " END"),
        ("NOT ", ""),
        ("- ", ""),
        ("", "::INTEGER"),
        ("", "[1]"),
        ("", ".a"),
        ("", " + 1"),
        ("", " AND TRUE"),
        ("", " || 'a'"),
        ("", " IS NULL"),
        ("x -> ", ""),
        ("INTERVAL ", ""),
        ("1 IN (", ")"),
        ("EXISTS (FROM ", ")"),
    ],
)
@pytest.mark.parametrize("times", [100, MAX_BRACKETS, 480, 5000])
def test_nesting_of_any_kind_and_depth_ends_in_a_query_or_an_error(opening: str, closing: str, times: int) -> None:
    text = f"SELECT {opening * times}1{closing * times} AS a"
    parsed = whole(text)
    assert parsed.query is not None or parsed.errors
    assert all(0 <= error.span.start < error.span.end <= len(text) for error in parsed.errors)
    if times == 5000:
        assert parsed.query is None


@pytest.mark.parametrize("nested", ["WITH a AS ({}) SELECT * FROM a", "SELECT * FROM ({})", "({}) UNION ({})"])
def test_queries_in_queries_end_in_a_query_or_an_error(nested: str) -> None:
    text = "SELECT 1 AS x"
    for _ in range(12):
        text = nested.replace("{}", text) if nested.count("{}") == 1 else nested.replace("{}", text, 1)
    before, after = nested.split("{}", 1)
    deep = before * 5000 + "SELECT 1 AS x" + after * 5000
    assert whole(text).query is not None or whole(text).errors
    assert whole(deep).query is None
    assert whole(deep).errors


@pytest.mark.parametrize(
    ("opening", "closing", "times"),
    [
        ("(", ")", 149),
        ("coalesce(1, abs(", "))", 74),
        ("(SELECT ", ")", 149),
        ("CASE WHEN TRUE THEN ", " END", 450),
        ("NOT ", "", 450),
        ("", " + 1", 450),
    ],
)
def test_what_the_limits_allow_is_read_however_deep_its_caller_stands(opening: str, closing: str, times: int) -> None:
    def deep(frames: int) -> Parsed:
        return deep(frames - 1) if frames else whole(f"SELECT {opening * times}1{closing * times} AS a")

    assert deep(400).query is not None


@pytest.mark.parametrize("half", ["\udfff", "'\ud83d'", "a\ud83d", "-- \ud83d"])
def test_half_a_character_is_an_error_where_it_stands(half: str) -> None:
    text = f"SELECT 1 AS a, {half}"
    (error,) = whole(text).errors
    assert error.message == "half a character stands here, which no file can hold"
    assert error.span.of(text) in half
    assert len(error.span) == 1


@pytest.mark.parametrize("text", ["FROM " * 1000, "SELECT " + "a AS, " * 1000 + "1 AS b"])
def test_of_very_many_errors_the_first_are_told(text: str) -> None:
    errors = whole(text).errors
    assert len(errors) == MAX_ERRORS
    assert max(error.span.end for error in errors) < len(text) / 2


@pytest.mark.parametrize(
    "part",
    [
        "lead(a) OVER (PARTITION BY b ORDER BY c) AS x",
        "(SELECT max(a) FROM u) AS x",
        "CASE WHEN a THEN b END AS x",
        "a.b.c",
        "[1, 2]",
    ],
)
def test_the_work_of_reading_a_list_grows_as_the_list_does(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    kind = Tokens.kind

    def counted(self: Tokens, index: int) -> object:
        nonlocal asked
        asked += 1
        return kind(self, index)

    monkeypatch.setattr(Tokens, "kind", counted)
    work: list[int] = []
    for times in (100, 400):
        asked = 0
        assert whole(f"SELECT {', '.join([part] * times)} FROM t").query is not None
        work.append(asked)
    assert work[1] < 5 * work[0]


@pytest.mark.parametrize("chain", ["JOIN a " * 30, "POSITIONAL JOIN `JOIN " * 100, "LEFT JOIN a JOIN b " * 20])
def test_joins_without_conditions_are_refused_before_the_parser_tries_every_reading(chain: str) -> None:
    text = f"SELECT * FROM t {chain}"
    assert parse(text, Span(0, len(text))).query is None


def test_long_chains_of_joins_that_are_whole_are_read() -> None:
    for join in ("CROSS JOIN a{}", "JOIN a{} ON true", "NATURAL LEFT JOIN a{}", "LEFT JOIN a{} USING (id)"):
        text = "SELECT * FROM t " + " ".join(join.format(at) for at in range(40))
        found = parse(text, Span(0, len(text)))
        assert found.errors == ()
        assert found.query is not None
