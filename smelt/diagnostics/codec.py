"""Findings as JSON values that are read back as equal findings: for keeping them, not for people or other programs."""

from collections.abc import Callable, Iterator
from typing import Any

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Related
from smelt.text.edits import Edit
from smelt.text.spans import Span

Value = list[Any]


def pack(finding: Diagnostic) -> Value:
    """A finding as nested lists."""
    return [
        finding.code.name,
        _location(finding.location),
        finding.message,
        finding.help,
        finding.label,
        [[_location(one.location), one.message] for one in finding.related],
        [[fix.title, fix.safe, [_edit(edit) for edit in fix.edits]] for fix in finding.fixes],
    ]


def unpack(value: Value, code_named: Callable[[str], Code]) -> Diagnostic:
    """The finding of a packed value.

    Args:
        value: what :func:`pack` gave.
        code_named: the declaration of a code.

    Raises:
        KeyError, TypeError, ValueError: it is no such value.
    """
    code, place, message, help_text, label, related, fixes = value
    return Diagnostic(
        code=code_named(code),
        location=_unpacked_location(place),
        message=message,
        help=help_text,
        label=label,
        related=tuple(Related(_unpacked_location(where), words) for where, words in related),
        fixes=tuple(Fix(title, safe, tuple(_unpacked_edit(edit) for edit in edits)) for title, safe, edits in fixes),
    )


def words(finding: Diagnostic) -> Iterator[str]:
    """Every text in a finding that was made for it."""
    yield from (finding.message, finding.help, finding.label)
    yield from (one.message for one in finding.related)
    for fix in finding.fixes:
        yield fix.title
        yield from (edit.edit.text for edit in fix.edits)


def _location(location: Location) -> Value:
    return [location.file, location.span.start, location.span.end]


def _unpacked_location(value: Value) -> Location:
    file, start, end = value
    return Location(file, Span(start, end))


def _edit(edit: FileEdit) -> Value:
    return [edit.file, edit.edit.span.start, edit.edit.span.end, edit.edit.text]


def _unpacked_edit(value: Value) -> FileEdit:
    file, start, end, text = value
    return FileEdit(file, Edit(Span(start, end), text))
