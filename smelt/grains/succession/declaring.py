"""The fix that declares a column which the query names and the source lacks: a fact about the data, so never safe."""

from smelt.diagnostics.model import FileEdit, Fix
from smelt.grains.succession.candidate import Candidate
from smelt.grains.succession.fixes import newline
from smelt.project.model import Source
from smelt.project.quoting import in_yaml
from smelt.sql.scopes import ColumnRef
from smelt.text.edits import Edit
from smelt.text.identifiers import fold
from smelt.text.spans import Span


def declare_column(c: Candidate, ref: ColumnRef) -> tuple[Fix, ...]:
    """Put the column behind the source's last one, with the type that its use asks for."""
    source, name = c.source, ref.parts[-1]
    qualified = len(ref.parts) == 2 and c.scope is not None and ref.parts[0] == c.scope.known_as
    use = _use(c, ref)
    if source is None or not source.columns or use is None or not (len(ref.parts) == 1 or qualified):
        return ()
    edit = _behind_columns(c.project.texts.get(source.marks.file, ""), source, f"{{name: {in_yaml(name)}, {use}}}")
    title = f"Declare `{name}` in `{source.address}`"
    return (Fix(title, False, (FileEdit(source.marks.file, edit),)),) if edit is not None else ()


def _use(c: Candidate, ref: ColumnRef) -> str | None:
    """The type, and whether it may be NULL; None where more than a declaration would be needed."""
    keys = [expr.span for window in c.windows for expr in window.spec.partition_by]
    clocks = [item.expr.span for window in c.windows for item in window.spec.order_by]
    clocks += [call.written.arguments[0].span for call in c.calls if call.written.arguments]
    times = c.source.timeseries if c.source is not None else None
    if times is not None and fold(ref.parts[-1]) in (fold(times.event_time_column), fold(times.partition_column)):
        return "type: TIMESTAMP, nullable: false"
    if any(span.covers(ref.span) for span in (*keys, *clocks)):
        return None  # it has to be projected as well
    if c.query.qualify is not None and c.query.qualify.span.covers(ref.span):
        return "type: BOOLEAN, nullable: false"
    return "type: BOOLEAN" if any(part.span == ref.span for part in c.where) else "type: VARCHAR"


def _behind_columns(text: str, source: Source, item: str) -> Edit | None:
    """The edit that adds an item to the list, in the style of the list."""
    listed, last = source.marks.values.get(("columns",)), source.marks.values.get(("columns", len(source.columns) - 1))
    if listed is None or last is None:
        return None
    if listed.of(text).startswith("["):
        return Edit(Span(last.end, last.end), f", {item}")
    before = text[: last.start]
    lead = before[max(before.rfind("\n"), before.rfind("\r")) + 1 :]
    if lead.strip() != "-":
        return None
    ends = [at for at in (text.find("\r", last.end), text.find("\n", last.end)) if at >= 0]
    at = min(ends, default=len(text))
    return Edit(Span(at, at), f"{newline(text)}{lead}{item}")
