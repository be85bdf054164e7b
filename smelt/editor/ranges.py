"""Parts of a file that belong together: what can be folded, and what a selection grows to."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from smelt.editor.index import Index, is_sql
from smelt.editor.snapshot import Snapshot
from smelt.sql.lexer import comments
from smelt.text.lines import LineIndex
from smelt.text.spans import Span

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines that can be folded into their first: 1-based, both included."""

    first: int
    last: int
    kind: Literal["comment", "region"] = "region"


def folds(snapshot: Snapshot, file: str) -> tuple[Fold, ...]:
    """The frontmatter, nested queries and brackets, clauses, blocks of YAML and comments of more than one line."""
    index = Index.of(snapshot)
    text = snapshot.texts.get(file)
    if index is None or text is None:
        return ()
    lines = LineIndex(text)
    spans = [*(_of_sql(index, file) if is_sql(file) else ()), *_pairs(index, file)]
    found = [Fold(*_lines(lines, span)) for span in spans]
    found += [Fold(*_lines(lines, span), kind="comment") for span in _comments(index, file, text)]
    widest: dict[int, Fold] = {}
    for one in found:
        if one.last > one.first and (one.first not in widest or widest[one.first].last < one.last):
            widest[one.first] = one
    return tuple(widest[first] for first in sorted(widest))


def selections(snapshot: Snapshot, file: str, offset: int) -> tuple[Span, ...]:
    """What a selection at ``offset`` grows to, step by step: each span holds the one before, the last is the file."""
    index = Index.of(snapshot)
    text = snapshot.texts.get(file, "")
    whole = Span(0, len(text))
    if index is None:
        return (whole,)
    spans = [Span(*word.span()) for word in _WORD.finditer(text) if word.start() <= offset <= word.end()]
    spans += [*(_of_sql(index, file) if is_sql(file) else ()), *_pairs(index, file), *_insides(index, file)]
    around = {span for span in spans if span.contains(offset) and len(span) > 0}
    return tuple(_nested({*around, whole}))


def _nested(spans: Iterable[Span]) -> Iterator[Span]:
    last: Span | None = None
    for span in sorted(spans, key=lambda one: (len(one), one.start)):
        if last is None or span.covers(last):
            yield span
            last = span


def _lines(lines: LineIndex, span: Span) -> tuple[int, int]:
    return lines.position(span.start).line, lines.position(span.end).line


def _of_sql(index: Index, file: str) -> Iterator[Span]:
    queries, text = index.outline(file), index.text(file)
    tokens = queries.tokens
    parts = index.parts(file)
    if parts.yaml is not None:
        yield Span(0, len(text[: parts.sql.start].rstrip()))
    if len(tokens):
        yield tokens.span(0, len(tokens))
    for first, token in enumerate(tokens.items):
        close = tokens.partner[first]
        if close > first:
            yield Span(token.start, tokens[close].end)
    for cte in queries.ctes:
        yield cte.name.span.join(cte.body)
    for select in queries.selects:
        yield select.span
        yield from (span for _, span in select.clauses)
        yield from (item.span for item in select.items)
        yield from (relation.span for relation in select.relations)
        yield from (relation.name_span for relation in select.relations)
    query = index.query(file)
    for call in query.calls if query is not None else ():
        yield call.span
        yield call.call_span


def _pairs(index: Index, file: str) -> Iterator[Span]:
    """Keys with their values, and items of lists."""
    marks = index.marks(file)
    yield from (key.join(marks.values.get(path, key)) for path, key in marks.keys.items())


def _insides(index: Index, file: str) -> Iterator[Span]:
    """Values without their keys, and what stands in brackets without them."""
    yield from index.marks(file).values.values()
    tokens = index.outline(file).tokens if is_sql(file) else None
    for first in range(len(tokens) if tokens is not None else 0):
        if tokens is not None and tokens.partner[first] > first + 1:
            yield tokens.span(first + 1, tokens.partner[first])


def _comments(index: Index, file: str, text: str) -> Iterator[Span]:
    """Comments of the query, neighbours of whole lines joined."""
    sql = index.parts(file).sql if is_sql(file) else Span(0, 0)
    before: Span | None = None
    for start, end in comments(sql.of(text)):
        span = Span(start, end).shift(sql.start)
        between = text[before.end : span.start] if before is not None else ""
        if before is not None and not between.strip() and len(LineIndex(between).starts) == 2:
            before = before.join(span)
            continue
        if before is not None:
            yield before
        before = span
    if before is not None:
        yield before
