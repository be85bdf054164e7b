"""Where a source declares what a rule found wanting, and the edit that would declare it."""

from smelt.diagnostics.model import FileEdit, Fix, Related
from smelt.grains.succession.candidate import Candidate
from smelt.text.edits import Edit
from smelt.text.spans import Span


def nullable_column(c: Candidate, name: str) -> tuple[tuple[Related, ...], tuple[Fix, ...]]:
    """The declaration of a column that may be NULL, and the edit that declares it NOT NULL (a fact, so unsafe)."""
    source = c.source
    if source is None:
        return (), ()
    index = next((i for i, column in enumerate(source.columns) if column.name == name), None)
    if index is None:
        return (), ()
    marks = source.marks
    related = (Related(marks.at("columns", index, "name"), f"`{name}` is declared here"),)
    written = marks.values.get(("columns", index, "nullable"))
    after = marks.values.get(("columns", index, "type"))
    if written is not None:
        edit = Edit(written, "false")
    elif after is not None:
        text = c.project.texts.get(marks.file, "")
        flow = text[: after.start].rpartition("{")[2]
        inline = "\n" not in flow and "}" not in flow and "{" in text[: after.start]
        if not inline:
            return related, ()
        edit = Edit(Span(after.end, after.end), ", nullable: false")
    else:
        return related, ()
    return related, (Fix(f"Declare {name} NOT NULL in the source", False, (FileEdit(marks.file, edit),)),)
