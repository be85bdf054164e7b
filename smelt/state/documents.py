"""JSON objects to bytes and back, in the one format of ``.smelt/``: a diff of it reads well. Pure."""

import json
from collections.abc import Mapping
from typing import NoReturn

JsonObject = dict[str, object]


class MalformedDocument(Exception):
    """The bytes are no document of ours. ``position`` says where, ``problem`` what."""

    def __init__(self, position: str, problem: str) -> None:
        super().__init__(f"{position}: {problem}")
        self.position = position
        self.problem = problem


def encode(document: Mapping[str, object]) -> bytes:
    """UTF-8, sorted keys, two spaces of indent, a newline at the end.

    A lone surrogate, which UTF-8 cannot hold, becomes the JSON escape that it came from.
    """
    return (text_of(document) + "\n").encode("utf-8", errors="backslashreplace")


def text_of(value: object) -> str:
    """A JSON value as it stands in a document, with no newline at the end."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2, allow_nan=False)


def decode(data: bytes) -> JsonObject:
    """The object that the bytes hold.

    Raises:
        MalformedDocument: they are empty, no UTF-8, no JSON, or another JSON value than an object.
    """
    if not data:
        raise MalformedDocument("line 1, column 1", "the file is empty")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedDocument(f"byte {error.start + 1}", "not UTF-8 text") from error
    value = _parse(text)
    if not isinstance(value, dict):
        raise MalformedDocument("line 1, column 1", f"expected an object, found {kind_of(value)}")
    return value


def _parse(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        problem = error.msg[:1].lower() + error.msg[1:]
        if text[error.pos : error.pos + 1] == "\0":
            problem = "a NUL byte"
        elif error.pos >= len(text.rstrip()):
            problem = f"the text ends too early ({problem})"
        raise MalformedDocument(f"line {error.lineno}, column {error.colno}", problem) from error
    except RecursionError as error:
        raise MalformedDocument("line 1, column 1", "nested too deeply") from error
    except ValueError as error:  # a number with thousands of digits
        raise MalformedDocument("line 1, column 1", str(error)) from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"
