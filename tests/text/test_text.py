from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smelt.text.edits import Edit, apply_edits
from smelt.text.identifiers import did_you_mean, fold, is_slip, nearest, quote
from smelt.text.intervals import Interval, merge, subtract
from smelt.text.lines import LineIndex, Position
from smelt.text.spans import Span

TEXT = st.text(st.sampled_from(["a", "b", "\n", "\r", "\t", "😀", "\x0c", "\u2028", "\ufeff"]), max_size=40)
EPOCH = datetime(2025, 1, 1)


@given(TEXT, st.integers(0, 60))
def test_offset_and_position_are_inverse(text: str, offset: int) -> None:
    index = LineIndex(text)
    offset = min(offset, len(text))
    position = index.position(offset)
    back = index.offset(position)
    # Inside a \r\n the position lies after the line's text, which is as far as a line goes.
    assert back == offset or (text[back:offset] == "\r" and text[offset : offset + 1] == "\n")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", 1),
        ("a", 1),
        ("a\n", 2),
        ("a\r\nb\rc\nd", 4),
        ("a\x0cb\u2028c\x85d\x1ce", 1),
    ],
)
def test_only_protocol_line_ends_split(text: str, lines: int) -> None:
    assert LineIndex(text).count == lines


def test_columns_count_code_points_and_clamp() -> None:
    index = LineIndex("😀x\r\n\ty")
    assert index.position(1) == Position(1, 2)
    assert index.position(5) == Position(2, 2)
    assert index.offset(Position(1, 99)) == 2
    assert index.offset(Position(9, 1)) == 6
    assert index.offset(Position(0, 1)) == 0
    assert index.line(2) == "\ty"


@given(
    st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.text(max_size=3)), max_size=4)
)
def test_edits_keep_what_lies_outside(text: str, raw: list[tuple[int, int, str]]) -> None:
    edits: list[Edit] = []
    at = 0
    for start, length, new in sorted(raw):
        span = Span(max(start, at), max(start, at) + length)
        if span.end <= len(text):
            edits.append(Edit(span, new))
            at = span.end + 1
    kept = "".join(
        text[a:b]
        for a, b in zip([0, *(e.span.end for e in edits)], [*(e.span.start for e in edits), len(text)], strict=True)
    )
    result = apply_edits(text, edits)
    assert len(result) == len(kept) + sum(len(e.text) for e in edits)


def test_overlapping_edits_are_refused() -> None:
    with pytest.raises(ValueError, match="overlaps"):
        apply_edits("abcdef", [Edit(Span(0, 3), "x"), Edit(Span(2, 4), "y")])
    with pytest.raises(ValueError, match="outside"):
        apply_edits("abc", [Edit(Span(2, 9), "")])


def test_the_same_edit_twice_is_made_once() -> None:
    assert apply_edits("abc", [Edit(Span(1, 1), "x"), Edit(Span(1, 1), "x")]) == "axbc"


def test_names_fold_as_duckdb_folds_them() -> None:
    assert fold("ÄbC") == "Äbc"
    assert quote('a"b') == '"a""b"'


@pytest.mark.parametrize(
    ("written", "name", "is_one"),
    [
        ("teir", "tier", True),
        ("chnges", "changes", True),
        ("tierr", "tier", True),
        ("tien", "tier", True),
        ("aab", "ab", False),
        ("aabb", "abb", True),
        ("TIER", "tier", True),
        ("a", "A", True),
        ("a", "b", False),
        ("valid_from", "valid_to", False),
        ("updated_by", "updated_at", False),
        ("amount_1", "amount_2", False),
        ("amount1", "amount", False),
        ("teri1", "tier1", False),
        ("amuont_1", "amount_1", True),
    ],
)
def test_a_slip_of_the_pen_is_one_letter(written: str, name: str, is_one: bool) -> None:
    assert is_slip(written, name) == is_one
    assert is_slip(name, written) == is_one


def test_nearest_names() -> None:
    names = ["sources.customer_changes", "silver.orders", "Tier"]
    assert nearest("sources.customer_change", names) == ("sources.customer_changes",)
    assert nearest("orders", names)[0] == "silver.orders"
    assert nearest("TIER", names) == ("Tier",)
    assert did_you_mean("zzz", names) == ""
    assert did_you_mean("tiers", names) == "did you mean `Tier`?"


INTERVALS = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 10)).map(
        lambda p: Interval(EPOCH + timedelta(days=p[0]), EPOCH + timedelta(days=p[0] + p[1]))
    ),
    max_size=8,
)


def days(intervals: tuple[Interval, ...] | list[Interval]) -> set[datetime]:
    return {i.start + timedelta(days=n) for i in intervals for n in range((i.end - i.start).days)}


@given(INTERVALS)
def test_merge_keeps_the_set_and_is_disjoint(intervals: list[Interval]) -> None:
    merged = merge(intervals)
    assert days(merged) == days(intervals)
    assert all(a.end < b.start for a, b in pairwise(merged))


@given(INTERVALS)
def test_subtract_gives_the_gaps(intervals: list[Interval]) -> None:
    whole = Interval(EPOCH, EPOCH + timedelta(days=30))
    assert days(subtract(whole, intervals)) == days([whole]) - days(intervals)
