"""Which select items DuckDB need not be asked about again.

An edit changes one item of many, and to read a long list takes DuckDB most of the time of an answer. What it said of an
item holds as long as nothing around the list changed and the item stands by itself: it is one column, it makes no
aggregate of the query, and neither does it name another item nor another part it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from smelt.analysis.binding import BoundColumn, Columns
from smelt.project.model import Address, Model
from smelt.sql.functions import FunctionClass, classify
from smelt.sql.model import Query, SelectItem
from smelt.sql.scopes import functions_in, holds_more_than_names
from smelt.text.identifiers import fold
from smelt.text.spans import Span


@dataclass(frozen=True, slots=True)
class Around:
    """All that the answer about an item depends on, beside the items."""

    before: str
    behind: str
    reads: tuple[tuple[Address, Columns], ...]


@dataclass(frozen=True, slots=True)
class Said:
    """What DuckDB said of an item; ``words`` are those of its expression, folded."""

    column: BoundColumn
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Told:
    """What was said of a query's items, by their text; only of those that stand by themselves."""

    around: Around | None = None
    items: Mapping[str, Said] = field(default_factory=dict)


NOTHING_TOLD = Told()


def around(model: Model, query: Query, reads: Iterable[tuple[Address, Columns]]) -> Around:
    """What stands around the select list of a model, and what the model reads."""
    listed, whole = query.list_span, model.sql_span
    return Around(model.text[whole.start : listed.start], model.text[listed.end : whole.end], tuple(reads))


def left_out(query: Query, told: Told, here: Around) -> Mapping[int, BoundColumn]:
    """The items that need not be asked about, by index, with what is known of them.

    Args:
        query: the query as it is now.
        told: what was said of an earlier one.
        here: what stands around the items now.
    """
    if told.around != here or not _is_plain(query):
        return {}
    texts = [query.text_of(item.span) for item in query.items]
    known = {at: told.items[text] for at, text in enumerate(texts) if text in told.items}
    asked = [item for at, item in enumerate(query.items) if at not in known]
    if not all(_is_one_column(query, item) for item in asked):
        return {}
    words, names = _words_around(query), set[str]()
    while asked:
        words.update(*(_words(query, item.span) for item in asked))
        names.update(fold(item.alias.text) for item in asked if item.alias is not None)
        linked = [
            at for at, said in known.items() if fold(said.column.name) in words or not said.words.isdisjoint(names)
        ]
        asked = [query.items[at] for at in linked]
        for at in linked:
            del known[at]
    return {at: said.column for at, said in known.items()}


def told_of(query: Query, here: Around, columns: Columns, refused: Iterable[Span], before: Told) -> Told:
    """What an answer says of the items, for the next question.

    Args:
        query: the query that was asked about.
        here: what stands around its items.
        columns: the answer.
        refused: what was not asked about: nothing is known of the items that hold it.
        before: what was known already.
    """
    if len(columns) != len(query.items) or not _is_plain(query):
        return NOTHING_TOLD
    # QUALIFY wants a window among the items, or in itself: those that have one are always asked about.
    spans = (*refused, *(call.span for call in query.calls))
    known = before.items if before.around == here else {}
    names = Counter(fold(item.alias.text) for item in query.items if item.alias is not None)
    found: dict[str, Said] = {}
    for item, column in zip(query.items, columns, strict=True):
        text = query.text_of(item.span)
        said = known.get(text)
        if any(item.span.covers(span) for span in spans) or (said is None and not _is_one_column(query, item)):
            continue
        words = said.words if said is not None else _words(query, item.expr.span)
        own = fold(item.alias.text) if item.alias is not None else None
        if not any(names[word] > (word == own) for word in words if word in names):
            found[text] = Said(column, words)
    return Told(here, found)


def _is_plain(query: Query) -> bool:
    """Whether the query has no clause that works on the items themselves."""
    clauses = (query.with_span, query.set_operation, query.distinct, query.group, query.having, query.order)
    return not any(clause is not None for clause in clauses)


def _is_one_column(query: Query, item: SelectItem) -> bool:
    """Whether an item is one column whatever it reads, and makes no aggregate of the query."""
    if holds_more_than_names(item.expr):
        return False
    windows = {call.call_span.start for call in query.calls if item.span.covers(call.span)}
    return all(
        call.span.start in windows or classify(call.name) is FunctionClass.STABLE
        for call in functions_in(query, item.span)
    )


def _words(query: Query, span: Span) -> frozenset[str]:
    return frozenset(fold(token.text) for token in query.tokens_in(span))


def _words_around(query: Query) -> set[str]:
    tokens = query.tokens
    if tokens is None:
        return set()
    first, end = tokens.within(query.list_span)
    return {fold(token.text) for token in (*tokens.items[:first], *tokens.items[end:])}
