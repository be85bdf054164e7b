"""Positions in the three encodings of the protocol."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smelt.text.lines import LineIndex
from smelt_lsp.positions import PositionEncoding, from_client, to_client, units

UTF8, UTF16, UTF32 = PositionEncoding.UTF8, PositionEncoding.UTF16, PositionEncoding.UTF32


@pytest.mark.parametrize(
    ("text", "needle", "encoding", "expected"),
    [
        ("a😀b", "b", UTF8, (0, 5)),
        ("a😀b", "b", UTF16, (0, 3)),
        ("a😀b", "b", UTF32, (0, 2)),
        ("é\tx", "x", UTF8, (0, 3)),
        ("é\tx", "x", UTF16, (0, 2)),
        ("one\r\ntwo\r\nx", "x", UTF16, (2, 0)),
        ("one\rtwo\rx", "x", UTF16, (2, 0)),
        ("one\n\r\nx", "x", UTF16, (2, 0)),
        ("'a\x0cb\u2028c\x85d\x0be'\nx", "x", UTF16, (1, 0)),
        ("\ufeffx", "x", UTF16, (0, 1)),
        ("\ufeffx", "x", UTF8, (0, 3)),
        ("a\u0301x", "x", UTF16, (0, 2)),
        ("👩‍👩‍👧x", "x", UTF16, (0, 8)),
    ],
)
def test_where_a_character_stands(
    text: str, needle: str, encoding: PositionEncoding, expected: tuple[int, int]
) -> None:
    index = LineIndex(text)
    offset = text.rindex(needle)
    assert to_client(index, offset, encoding) == expected
    assert from_client(index, *expected, encoding) == offset


@pytest.mark.parametrize("encoding", list(PositionEncoding))
def test_the_end_of_a_text_without_a_last_line_end(encoding: PositionEncoding) -> None:
    assert to_client(LineIndex("a\nbc"), 4, encoding) == (1, 2)
    assert to_client(LineIndex("a\nbc\n"), 5, encoding) == (2, 0)
    assert to_client(LineIndex(""), 0, encoding) == (0, 0)


@pytest.mark.parametrize("encoding", list(PositionEncoding))
def test_positions_outside_the_text_are_clamped(encoding: PositionEncoding) -> None:
    index = LineIndex("ab\r\ncd")
    assert from_client(index, 0, 99, encoding) == 2
    assert from_client(index, 9, 0, encoding) == 6
    assert from_client(index, -1, 0, encoding) == 0
    assert from_client(index, 0, -5, encoding) == 0
    assert to_client(index, -3, encoding) == (0, 0)
    assert to_client(index, 99, encoding) == (1, 2)


def test_inside_a_line_end_is_the_end_of_the_line() -> None:
    assert to_client(LineIndex("ab\r\ncd"), 3, UTF16) == (0, 2)


def test_inside_a_character_is_its_start() -> None:
    index = LineIndex("a😀b")
    assert from_client(index, 0, 2, UTF16) == 1
    assert from_client(index, 0, 3, UTF8) == 1


_TEXTS = st.text(st.sampled_from("ab\t\n\ré\u0301😀\ufeff\u2028\x0c漢"), max_size=30)


@given(_TEXTS, st.data(), st.sampled_from(list(PositionEncoding)))
def test_there_and_back(text: str, data: st.DataObject, encoding: PositionEncoding) -> None:
    index = LineIndex(text)
    offset = data.draw(st.integers(0, len(text)))
    inside_line_end = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
    back = from_client(index, *to_client(index, offset, encoding), encoding)
    assert back == (offset - 1 if inside_line_end else offset)


@given(_TEXTS)
def test_units_are_those_of_the_encodings(text: str) -> None:
    assert units(text, UTF8) == len(text.encode())
    assert units(text, UTF16) == len(text.encode("utf-16-le")) // 2
    assert units(text, UTF32) == len(text)
