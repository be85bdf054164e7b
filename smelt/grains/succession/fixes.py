"""Edits that several rules offer."""

from collections.abc import Sequence

from smelt.diagnostics.model import FileEdit, Fix, Location, Related
from smelt.grains.succession.candidate import Candidate
from smelt.project.model import Marks
from smelt.sql.names import listed
from smelt.text.edits import Edit
from smelt.text.identifiers import fold
from smelt.text.spans import Span


def replace(c: Candidate, title: str, span: Span, text: str, *, safe: bool = False) -> Fix:
    """A fix that puts a text in the place of a range of the model."""
    return Fix(title, safe, (FileEdit(c.model.file, Edit(span, text)),))


def without(c: Candidate, span: Span) -> Span:
    """The range of a clause with the white space before it: what goes when the clause goes."""
    start = span.start
    while start > 0 and c.query.text[start - 1].isspace():
        start -= 1
    return Span(start, span.end)


def newline(text: str) -> str:
    """The line end that a document uses."""
    return "\r\n" if "\r\n" in text else "\n"


def insert(c: Candidate, title: str, at: int, words: str) -> Fix:
    """A fix that puts words between others, with a space on either side that has none. Never safe."""
    before = "" if c.query.text[at - 1 : at].isspace() or c.query.text[at - 1 : at] == "(" else " "
    behind = "" if c.query.text[at : at + 1].isspace() or c.query.text[at : at + 1] == ")" else " "
    return replace(c, title, Span(at, at), f"{before}{words}{behind}")


def project(c: Candidate, names: Sequence[str]) -> tuple[Fix, ...]:
    """Put source columns in front of the select list. A further column is another table, so it is unsafe."""
    edits = projecting(c, names)
    title = "Project " + ", ".join(f"`{name}`" for name in names)
    return (Fix(title, False, edits),) if edits else ()


def projecting(c: Candidate, names: Sequence[str]) -> tuple[FileEdit, ...] | None:
    """The edits that project columns that are not projected yet; None if another output has the name of one."""
    missing = [name for name in names if name not in c.projected]
    shown = {fold(output.name) for output in c.outputs if output.name is not None}
    if any(fold(name) in shown for name in missing):
        return None
    at = c.query.items[0].span.start
    return (FileEdit(c.model.file, Edit(Span(at, at), listed(missing) + ", ")),) if missing else ()


def declare_not_null(c: Candidate, *names: str) -> tuple[tuple[Related, ...], tuple[Fix, ...]]:
    """Where the proof that columns are NOT NULL was lost, and the edit that declares it (a fact, so unsafe).

    A proof is lost at the declaration, and at each part of the filter that reads the column and lets NULL pass.
    """
    source = c.source
    if source is None:
        return (), ()
    marks, text = source.marks, c.project.texts.get(source.marks.file, "")
    indexes = [index for index, column in enumerate(source.columns) if column.name in names]
    related = tuple(
        Related(marks.at("columns", index, "name"), f"`{source.columns[index].name}` is declared here")
        for index in indexes
    ) + tuple(
        Related(Location(c.model.file, part.span), f"this does not prove that `{name}` is not NULL")
        for name in names
        for part in (c.unproving(name) if c.scope is not None else ())
    )
    edits = [_not_null(text, marks, index) for index in indexes]
    wanted = tuple(FileEdit(marks.file, edit) for edit in edits if edit is not None)
    if not wanted or len(wanted) < len(edits):
        return related, ()
    title = "Declare " + ", ".join(f"`{name}`" for name in names) + " NOT NULL in the source"
    return related, (Fix(title, False, wanted),)


def _not_null(text: str, marks: Marks, index: int) -> Edit | None:
    written = marks.values.get(("columns", index, "nullable"))
    return Edit(written, "false") if written is not None else _behind_type(text, marks, index)


def _behind_type(text: str, marks: Marks, index: int) -> Edit | None:
    """``nullable: false`` behind the type: on the same line in a flow mapping, else on a line of its own."""
    value = marks.values.get(("columns", index, "type"))
    key = marks.keys.get(("columns", index, "type"))
    if value is None or key is None:
        return None
    line = text[: key.start].rpartition("\n")[2]
    if "{" in line:
        return Edit(Span(value.end, value.end), ", nullable: false")
    if line.strip(" -"):
        return None
    end = text.find("\n", value.end)
    end = len(text) if end < 0 else end
    at = end - 1 if text[:end].endswith("\r") else end
    newline = "\r\n" if at < end else "\n"
    return Edit(Span(at, at), newline + " " * len(line) + "nullable: false")
