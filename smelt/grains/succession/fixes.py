"""Edits that several rules offer."""

from collections.abc import Sequence

from smelt.diagnostics.model import FileEdit, Fix, Related
from smelt.grains.succession.candidate import Candidate
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


def project(c: Candidate, names: Sequence[str]) -> tuple[Fix, ...]:
    """Put source columns in front of the select list. A further column is another table, so it is unsafe."""
    shown = {fold(output.name) for output in c.outputs if output.name is not None}
    if any(fold(name) in shown for name in names):
        return ()  # the name is taken by another column
    at = c.query.items[0].span.start
    title = "Project " + ", ".join(f"`{name}`" for name in names)
    return (replace(c, title, Span(at, at), listed(list(names)) + ", "),)


def declare_not_null(c: Candidate, name: str) -> tuple[tuple[Related, ...], tuple[Fix, ...]]:
    """The declaration of a column that may be NULL, and the edit that declares it NOT NULL (a fact, so unsafe)."""
    source = c.source
    index = next((i for i, column in enumerate(source.columns) if column.name == name), None) if source else None
    if source is None or index is None:
        return (), ()
    marks = source.marks
    related = (Related(marks.at("columns", index, "name"), f"`{name}` is declared here"),)
    written = marks.values.get(("columns", index, "nullable"))
    if written is not None:
        edit = Edit(written, "false")
    else:
        inserted = _behind_type(c.project.texts.get(marks.file, ""), c, index)
        if inserted is None:
            return related, ()
        edit = inserted
    return related, (Fix(f"Declare `{name}` NOT NULL in the source", False, (FileEdit(marks.file, edit),)),)


def _behind_type(text: str, c: Candidate, index: int) -> Edit | None:
    """``nullable: false`` behind the type: on the same line in a flow mapping, else on a line of its own."""
    marks = c.source.marks if c.source is not None else None
    value = marks.values.get(("columns", index, "type")) if marks is not None else None
    key = marks.keys.get(("columns", index, "type")) if marks is not None else None
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
