"""Spans and structure of parsed queries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smelt.sql.model import Parsed, Query
from smelt.sql.parse import parse, parse_expression
from smelt.sql.scopes import columns_in, conjuncts, functions_in, resolve, star_of, subqueries_in
from smelt.text.spans import Span

WORKED = """SELECT
    customer_id,
    tier AS "the tier",
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) IS NULL AS is_current
FROM smelt.sources.customer_changes
WHERE ingested_at < effective_ts + INTERVAL '7 days'
QUALIFY NOT is_deleted
"""


def whole(text: str) -> Parsed:
    return parse(text, Span(0, len(text)))


def query(text: str) -> Query:
    parsed = whole(text)
    assert parsed.query is not None, parsed.errors
    assert not parsed.errors
    return parsed.query


@pytest.mark.parametrize("prefix", ["", "---\nrefresh: incremental\n---\n", "\ufeff", "/* it's 😀 */ ", "-- don't\r\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\t"])
def test_spans_are_exact_whatever_surrounds_them(prefix: str, end: str) -> None:
    if prefix.startswith("--") and end == "\r":
        prefix = ""  # DuckDB's comments end at \n only
    start = prefix.index("---\n", 3) + 4 if prefix.startswith("---") else 0
    text = prefix + WORKED.replace("\n", end)
    parsed = parse(text, Span(start, len(text)))
    assert not parsed.errors
    q = parsed.query
    assert q is not None
    lead = "LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts)"
    assert [q.text_of(item.expr) for item in q.items] == [
        "customer_id",
        "tier",
        "effective_ts",
        lead,
        lead + " IS NULL",
    ]
    assert [item.name for item in q.items] == ["customer_id", "the tier", "valid_from", "valid_to", "is_current"]
    assert q.where is not None
    assert q.text_of(q.where.body) == "ingested_at < effective_ts + INTERVAL '7 days'"
    assert q.qualify is not None
    assert q.text_of(q.qualify.span) == "QUALIFY NOT is_deleted"
    assert [call.item for call in q.calls] == [3, 4]
    call = q.calls[0]
    assert q.text_of(call.call_span) == "LEAD(effective_ts)"
    assert call.window is not None
    assert call.window.partition_span is not None
    assert q.text_of(call.window.partition_span) == "PARTITION BY customer_id"
    assert [q.text_of(item.span) for item in call.window.order_by] == ["effective_ts"]
    assert q.relations[0].parts == ("smelt", "sources", "customer_changes")


def test_window_calls_of_a_cte_or_a_subquery_are_not_those_of_the_query() -> None:
    inner = "SELECT max(a) OVER () AS m, LAG(a) OVER (ORDER BY a) AS l FROM smelt.s"
    q = query(f"WITH c AS ({inner}) SELECT max(m) OVER (), (SELECT max(m) OVER () FROM c) FROM ({inner})")
    assert [q.text_of(call.span) for call in q.calls] == ["max(m) OVER ()"]


def test_named_windows_are_resolved_with_inheritance() -> None:
    q = query(
        "SELECT LEAD(t) OVER w, LAG(t) OVER (v ORDER BY t DESC NULLS LAST) FROM smelt.s "
        "WINDOW v AS (PARTITION BY k), w AS (v ORDER BY t ROWS 1 PRECEDING)"
    )
    first, second = (call.window for call in q.calls)
    assert first is not None
    assert second is not None
    assert q.text_of(first.partition_by[0]) == "k"
    assert first.frame_span is not None
    assert q.text_of(first.frame_span) == "ROWS 1 PRECEDING"
    assert q.text_of(second.partition_by[0]) == "k"
    item = second.order_by[0]
    assert item.descending is not None
    assert item.nulls is not None
    assert (q.text_of(item.expr), q.text_of(item.descending), q.text_of(item.nulls)) == ("t", "DESC", "NULLS LAST")


@pytest.mark.parametrize(
    ("sql", "parts"),
    [
        ("SELECT * FROM smelt.a.b.c.d.e", [("smelt", "a", "b", "c", "d", "e")]),
        ('SELECT * FROM smelt."a b"."select" AS x(p, q)', [("smelt", "a b", "select")]),
        ("WITH c AS (SELECT 1 FROM smelt.x) SELECT * FROM c, smelt.y", [("smelt", "x"), ("smelt", "y")]),
        ("SELECT extract(year FROM d) FROM smelt.x WHERE a IS DISTINCT FROM b", [("smelt", "x")]),
        ("SELECT (SELECT max(a) FROM smelt.z) FROM smelt.x JOIN smelt.y USING (k)", [("smelt",)]),
        ("SELECT 1 FROM smelt.x WHERE (half", [("smelt", "x")]),
        ("SELECT FROM smelt.x WHERE", [("smelt", "x")]),
    ],
)
def test_relations_are_found_even_in_broken_text(sql: str, parts: list[tuple[str, ...]]) -> None:
    found = [relation.parts for relation in whole(sql).relations]
    if parts == [("smelt",)]:
        assert sorted(found) == [("smelt", "x"), ("smelt", "y"), ("smelt", "z")]
    else:
        assert found == parts


@pytest.mark.parametrize(
    ("sql", "underlined"),
    [
        ("", ""),
        ("SELECT 1; SELECT 2", "SELECT 2"),
        ("SELECT FROM t", "SELECT"),
        ("SELECT a FROM t QUALIFY a WINDOW w AS (ORDER BY b)", "WINDOW"),
        ("SELECT a FROM t WHERE", "WHERE"),
        ("SELECT LEAD(t) OVER (ORDER BY", "("),
        ("SELECT a) FROM t", ")"),
        ("SELECT 'a FROM t", "'a FROM t"),
        ("SELECT a /* b", "/* b"),
        ("SELECT LEAD(t) OVER w FROM t", "w"),
        ("SELECT LEAD(t) IGNORE NULLS OVER (ORDER BY t) FROM t", "IGNORE NULLS"),
        ("SELECT LEAD(t) FILTER (WHERE a) OVER (ORDER BY t) FROM t", "FILTER (WHERE a)"),
        ("SELECT SUM(LEAD(t) OVER (ORDER BY t)) OVER () FROM t", "LEAD(t) OVER (ORDER BY t)"),
        ("SELECT a FROM t JOIN u ON WHERE b", "ON"),
        ("INSERT INTO t VALUES (1)", "INSERT"),
        ("SELECT " + "(" * 400 + "1" + ")" * 400, "("),
    ],
)
def test_errors_stand_where_reading_stopped(sql: str, underlined: str) -> None:
    errors = whole(sql).errors
    assert errors
    assert errors[0].span.of(sql) == underlined
    assert "sqlglot" not in errors[0].message
    assert "<class" not in errors[0].message


def test_columns_functions_and_subqueries_of_an_expression() -> None:
    q = query(
        'SELECT c.tier || Upper("Region") || list_transform(xs, lambda y: y + z), (SELECT max(q) FROM smelt.o), now() '
        "FROM smelt.s c"
    )
    refs = columns_in(q, q.items[0].expr.node)
    assert [ref.parts for ref in refs] == [("c", "tier"), ("Region",), ("xs",), ("z",)]
    assert [q.text_of(ref.span) for ref in refs] == ["c.tier", '"Region"', "xs", "z"]
    assert [f.name for f in functions_in(q, q.items[0].span)] == ["Upper", "list_transform"]
    assert columns_in(q, q.items[1].expr.node) == ()
    assert [q.text_of(span) for span in subqueries_in(q, q.items[1].span)] == ["(SELECT max(q) FROM smelt.o)"]
    found = resolve(refs[0], "c", {"tier": "Tier", "c": "c"})
    assert found is not None
    assert found.column == "Tier"
    assert [f.name for f in functions_in(q, q.items[2].span)] == ["now"]


def test_conjuncts_keep_between_case_and_parentheses() -> None:
    q = query(
        "SELECT 1 FROM smelt.s WHERE a BETWEEN 1 AND 2 AND (NOT f AND (b = 'x' OR c)) "
        "AND CASE WHEN a AND b THEN TRUE END AND d"
    )
    assert q.where is not None
    assert [q.text_of(part) for part in conjuncts(q, q.where.body)] == [
        "a BETWEEN 1 AND 2",
        "NOT f",
        "(b = 'x' OR c)",
        "CASE WHEN a AND b THEN TRUE END",
        "d",
    ]


def test_stars_with_options() -> None:
    q = query(
        "SELECT s.* EXCLUDE (a, \"B\") REPLACE (b + 1 AS b) RENAME (c AS d), * EXCLUDE a, * LIKE 'x%' FROM smelt.s"
    )
    star, simple, like = (star_of(q, item.expr) for item in q.items)
    assert star is not None
    assert simple is not None
    assert like is None or like.unsupported is not None
    assert star.qualifier is not None
    assert [(o.kind, o.name.text) for o in star.options] == [
        ("exclude", "a"),
        ("exclude", "B"),
        ("replace", "b"),
        ("rename", "c"),
    ]
    assert star.options[2].expr is not None
    assert q.text_of(star.options[2].expr) == "b + 1"
    assert [o.name.text for o in simple.options] == ["a"]


def test_a_lone_expression_keeps_document_offsets() -> None:
    text = "expression: op = 'd'"
    parsed = parse_expression(text, Span(12, len(text)))
    assert parsed.query is not None
    broken = parse_expression(text, Span(12, 16))
    assert broken.query is None
    assert Span(12, 16).covers(broken.errors[0].span)


WORDS = st.sampled_from(
    "SELECT FROM WHERE QUALIFY WINDOW OVER ( ) , . * AS NOT AND a b smelt.x LEAD LAG PARTITION BY ORDER w '"
    ' " ; -- /* */ BETWEEN CASE END 1 :: [ ] { } JOIN ON UNION WITH EXCLUDE NULLS IGNORE 😀 \r \n \t $$ INTERVAL'.split(
        " "
    )
)


@given(st.lists(WORDS, max_size=25))
def test_token_soup_never_raises_and_errors_lie_inside(words: list[str]) -> None:
    text = " ".join(words)
    parsed = whole(text)
    assert parsed.query is not None or parsed.errors
    for error in parsed.errors:
        assert 0 <= error.span.start <= error.span.end <= len(text)


@given(st.integers(0, len(WORKED)), st.integers(0, 12), WORDS)
def test_damaged_queries_never_raise(at: int, length: int, word: str) -> None:
    text = WORKED[:at] + word + WORKED[at + length :]
    parsed = whole(text)
    q = parsed.query
    if q is None:
        assert parsed.errors
        return
    last = 0
    for item in q.items:
        assert last <= item.span.start < item.span.end
        assert item.span.covers(item.expr.span)
        last = item.span.end
    for call in q.calls:
        assert call.span.covers(call.call_span)
