import pytest
from hypothesis import given
from hypothesis import strategies as st

from smelt.state.documents import MalformedDocument, decode, encode

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), values, max_size=4))
def test_an_object_reads_as_it_was_written(document: dict[str, object]) -> None:
    assert decode(encode(document)) == document


def test_the_format_diffs_well() -> None:
    assert encode({"b": [1, {"ü": None}], "a": True}) == (
        '{\n  "a": true,\n  "b": [\n    1,\n    {\n      "ü": null\n    }\n  ]\n}\n'.encode()
    )


def test_a_lone_surrogate_survives_a_rewrite() -> None:
    data = rb'{"a": "\ud800"}'
    assert decode(encode(decode(data))) == decode(data)


@pytest.mark.parametrize(
    ("data", "position", "problem"),
    [
        (b"", "line 1, column 1", "the file is empty"),
        (b'{\n  "version": 1,\n  "mod', "line 3, column 3", "unterminated string"),
        (b'{\n  "version": 1,\n', "line 3, column 1", "the text ends too early"),
        (b"\0\0\0\0", "line 1, column 1", "a NUL byte"),
        (b'{"a": 1}\0\0', "line 1, column 9", "a NUL byte"),
        (b'{"a": \xff}', "byte 7", "not UTF-8"),
        (b"[1, 2]", "line 1, column 1", "expected an object, found a list"),
        (b'"text"', "line 1, column 1", "found a string"),
        (b"null", "line 1, column 1", "found null"),
        (b'{"a": NaN}', "line 1, column 1", "NaN is not JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "line 1, column 1", "4300 digits"),
        (b"[" * 200_000, "line 1, column 1", "nested too deeply"),
        (b"{} {}", "line 1, column 4", "extra data"),
    ],
)
def test_every_damage_is_named_with_its_place(data: bytes, position: str, problem: str) -> None:
    with pytest.raises(MalformedDocument) as found:
        decode(data)
    assert found.value.position == position
    assert problem in found.value.problem
