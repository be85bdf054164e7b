"""Every query of a text, at every depth: what it reads and what it gives, from tokens alone.

Half-typed text has an outline too: a bracket without its partner is looked through.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlglot.tokenizer_core import TokenType

from smelt.sql.clauses import SET_OPERATORS, ClauseRange, clause_ranges
from smelt.sql.model import Name, Relation
from smelt.sql.relations import Cte as KnownCte
from smelt.sql.relations import from_list, known_ctes
from smelt.sql.tokens import SqlError, Tokens, query_span, tokenize
from smelt.sql.windows import name_of
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_MAX_UNCLOSED = 8
"""So many unclosed strings and comments are taken out of a text before it is given up."""
NAME_KINDS = (TokenType.VAR, TokenType.IDENTIFIER)
"""Kinds of tokens that are names."""
_MAX_SELECTS = 500
"""So many queries of a text are told apart."""
_GOES_ON = frozenset(
    ("FROM", "WHERE", "GROUP BY", "HAVING", "QUALIFY", "WINDOW", "ORDER BY", "LIMIT", "JOIN", "ON", "UNION", "SELECT")
)
"""Words that no half-typed name goes on with."""
_ENDS_A_VALUE = (TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.NUMBER, TokenType.STRING, TokenType.END)


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One item of a select list.

    Attributes:
        name: where its output name is written: its alias, or the last part of a dotted name; None for anything else.
        aliased: whether that is an alias.
        star: whether it is ``*`` or ``qualifier.*``.
        left_out: what a star leaves out: the names in EXCLUDE, in REPLACE, and the old ones in RENAME.
        own: the names that a star gives besides: those of REPLACE, and the new ones of RENAME.
    """

    span: Span
    name: Name | None = None
    aliased: bool = False
    star: bool = False
    qualifier: Name | None = None
    left_out: tuple[Name, ...] = ()
    own: tuple[Name, ...] = ()

    @property
    def names(self) -> tuple[Name, ...]:
        """The output names that are written in it."""
        return self.own if self.name is None else (self.name,)

    def passes(self, name: str) -> bool:
        """Whether a star gives the column of a folded name as it is."""
        return self.star and not any(fold(left.text) == name for left in self.left_out)


@dataclass(frozen=True, slots=True, eq=False)
class Cte:
    """A common table expression: its body stands inside ``body``, and its name is known in ``scope``."""

    name: Name
    columns: tuple[Name, ...]
    body: Span
    scope: Span


@dataclass(frozen=True, slots=True, eq=False)
class Select:
    """One SELECT.

    Attributes:
        span: from its first token to its last.
        room: where a cursor is in it: up to the brackets or operators around it.
        clauses: by name (``SELECT``, ``FROM``, ``GROUP BY`` …) where each stands, keyword included.
        parent: index of the SELECT whose columns it can see too; None at the top.
    """

    span: Span
    room: Span
    items: tuple[Item, ...]
    relations: tuple[Relation, ...]
    clauses: tuple[tuple[str, Span], ...]
    parent: int | None = None

    def clause_at(self, offset: int) -> str | None:
        """The clause that a cursor is in: the last one whose keyword stands before it."""
        before = [name for name, span in self.clauses if span.start + len(name) < offset]
        return before[-1] if before else None


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """The queries of a text, each after those around it.

    ``main`` is the index of the one that gives what the text gives: the first outside of common table expressions.
    """

    tokens: Tokens
    selects: tuple[Select, ...] = ()
    ctes: tuple[Cte, ...] = ()
    main: int | None = None

    def at(self, offset: int) -> int | None:
        """The index of the innermost SELECT around an offset."""
        around = [index for index, select in enumerate(self.selects) if select.room.contains(offset)]
        return min(around, key=lambda index: len(self.selects[index].room), default=None)

    def inside(self, span: Span) -> int | None:
        """The index of the first SELECT in a span: what a nested query or a CTE gives."""
        found = (index for index, select in enumerate(self.selects) if span.covers(select.span))
        return min(found, key=lambda index: self.selects[index].span.start, default=None)

    def cte(self, name: str, offset: int) -> Cte | None:
        """The common table expression that a name means at an offset: the innermost, of several the last."""
        wanted = fold(name)
        known = [
            cte
            for cte in self.ctes
            if fold(cte.name.text) == wanted and cte.scope.contains(offset) and not cte.name.span.contains(offset)
        ]
        return min(known, key=lambda cte: (len(cte.scope), -cte.name.span.start), default=None)


def outline(text: str, span: Span) -> Outline:
    """The queries in ``span`` of the document ``text``. Never raises, whatever the text."""
    tokens = readable_tokens(text, query_span(text, span))
    return outline_of(tokens) if tokens is not None and len(tokens) else Outline(tokens or Tokens())


def readable_tokens(text: str, span: Span) -> Tokens | None:
    """The tokens of a text without what is half-typed in it.

    A string, name or comment that is not closed is left out up to its line's end, and so is a dot or ``AS`` that the
    next clause follows: ``SELECT c. FROM t`` reads as ``SELECT c FROM t``.
    """
    for _ in range(_MAX_UNCLOSED):
        tokens = tokenize(text, span)
        if not isinstance(tokens, SqlError):
            dangling = tuple(_dangling(tokens))
            left = tokenize(_without(text, dangling), span) if dangling else tokens
            return left if not isinstance(left, SqlError) else tokens
        if len(tokens.span) == 0 or not span.covers(tokens.span):
            return None
        text = _without(text, (tokens.span,))
    return None


def _dangling(tokens: Tokens) -> Iterator[Span]:
    for index in range(len(tokens) - 1):
        after = tokens[index + 1]
        dot = tokens.kind(index) is TokenType.DOT and after.start > tokens[index].end and after.upper in _GOES_ON
        named = tokens.kind(index) is TokenType.ALIAS and after.upper == "FROM"
        if dot or (named and tokens.kind(index + 2) in NAME_KINDS):
            yield tokens[index].span


def _without(text: str, spans: tuple[Span, ...]) -> str:
    """The text with spans blank, so that all else stays where it is."""
    kept: list[str] = []
    at = 0
    for span in spans:
        kept += (text[at : span.start], " " * len(span))
        at = span.end
    return "".join((*kept, text[at:]))


def outline_of(tokens: Tokens) -> Outline:
    """The queries in a token list; of a text that nobody wrote by hand only the first ones."""
    selects: list[Select] = []
    ctes: list[Cte] = []
    parents: dict[int, int | None] = {}
    in_ctes: set[int] = set()
    main: int | None = None
    known = known_ctes(tokens)
    for opening, first, end in _groups(tokens):
        outer = parents.get(opening)
        for start, stop in _parts(tokens, first, end):
            found, body = _with(tokens, start, stop, end) if _begins_with(tokens, start) else ([], start)
            ctes += found
            around = _Around(known, _room(tokens, start, stop, first, end), outer)
            select = _select(tokens, start, body, stop, around)
            own = len(selects) if select is not None else outer
            # A common table expression's body sees what the query with the WITH sees.
            inner = [at for at in tokens.level(start, stop) if tokens.partner[at] > at]
            parents.update((at, own if at >= body else outer) for at in inner)
            in_ctes.update(at for at in inner if at < body or opening in in_ctes)
            if select is not None:
                main = len(selects) if main is None and opening not in in_ctes else main
                selects.append(select)
            if len(selects) == _MAX_SELECTS:
                return Outline(tokens, tuple(selects), tuple(ctes), main)
    return Outline(tokens, tuple(selects), tuple(ctes), main)


@dataclass(frozen=True, slots=True)
class _Around:
    """What a SELECT needs of the text around it."""

    ctes: Mapping[str, Sequence[KnownCte]]
    room: Span
    parent: int | None


def _groups(tokens: Tokens) -> Iterator[tuple[int, int, int]]:
    """The whole list, and the inside of every closed pair of brackets: opening (-1 for none), first, end."""
    yield -1, 0, len(tokens)
    for index, close in enumerate(tokens.partner):
        if close > index + 1:
            yield index, index + 1, close


def _begins_with(tokens: Tokens, start: int) -> bool:
    return tokens.kind(start) is TokenType.WITH and not tokens.is_word(start)


def _parts(tokens: Tokens, first: int, end: int) -> Iterator[tuple[int, int]]:
    """The queries of one level: between set operators and semicolons; a second SELECT begins another one."""
    start, selected = first, False
    for index in tokens.level(first, end):
        kind = tokens.kind(index)
        if tokens.is_word(index):
            continue
        operator = kind in SET_OPERATORS and not _is_star_option(tokens, index)
        again = kind is TokenType.SELECT and selected
        if operator or again or kind is TokenType.SEMICOLON:
            yield start, index
            start, selected = (index if again else index + 1), False
            while operator and tokens.kind(start) in (TokenType.ALL, TokenType.DISTINCT) and start < end:
                start += 1
        selected = selected or kind is TokenType.SELECT
    yield start, end


def _is_star_option(tokens: Tokens, index: int) -> bool:
    return tokens.kind(index - 1) is TokenType.STAR and tokens.kind(index + 1) is TokenType.L_PAREN


def _room(tokens: Tokens, start: int, stop: int, first: int, end: int) -> Span:
    before = tokens[start - 1].end if start > first else tokens[first - 1].end if first > 0 else 0
    far = tokens[-1].end + 1_000_000_000 if len(tokens) else 0
    behind = tokens[stop].start if stop < len(tokens) else far
    return Span(before, max(before, behind if stop < end or end < len(tokens) else far))


def _with(tokens: Tokens, start: int, stop: int, end: int) -> tuple[list[Cte], int]:
    """The common table expressions of a WITH, and the index behind them."""
    found: list[Cte] = []
    scope = Span(tokens[start].start, tokens[end].start if end < len(tokens) else tokens[-1].end + 1_000_000_000)
    at = start + 1
    if at < stop and tokens[at].upper == "RECURSIVE":
        at += 1
    while at < stop:
        name, alias = name_of(tokens, at), at + 1
        columns: tuple[Name, ...] = ()
        if tokens.kind(alias) is TokenType.L_PAREN and tokens.partner[alias] > alias:
            listed = tokens.split(alias + 1, tokens.partner[alias])
            columns = tuple(name_of(tokens, first) for first, _ in listed)
            alias = tokens.after(alias)
        opening = alias + 1
        while opening < stop and tokens[opening].upper in ("NOT", "MATERIALIZED"):
            opening += 1
        if tokens.kind(alias) is not TokenType.ALIAS or tokens.kind(opening) is not TokenType.L_PAREN:
            return found, at
        close = tokens.partner[opening]
        if close < opening:
            return found, opening + 1
        found.append(Cte(name, columns, Span(tokens[opening].start, tokens[close].end), scope))
        at = close + 1
        if tokens.kind(at) is not TokenType.COMMA or at >= stop:
            return found, at
        at += 1
    return found, at


def _select(tokens: Tokens, start: int, body: int, stop: int, around: _Around) -> Select | None:
    clauses = clause_ranges(tokens, body, stop)
    head = next((clause for clause in clauses if clause.name == "SELECT"), None)
    source = next((clause for clause in clauses if clause.name == "FROM"), None)
    if (head is None and source is None) or start >= stop:
        return None
    relations = (
        from_list(tokens, source.body, source.end, around.ctes)[0]
        if source is not None and source.body < source.end
        else ()
    )
    if head is not None:
        items = tuple(_items(tokens, head))
    else:
        items = (Item(tokens[source.first].span, star=True),) if source is not None else ()
    spans = tuple((clause.name, tokens.span(clause.first, clause.end)) for clause in clauses)
    return Select(tokens.span(start, stop), around.room, items, relations, spans, around.parent)


def _items(tokens: Tokens, head: ClauseRange) -> Iterator[Item]:
    first = head.body
    if tokens.kind(first) is TokenType.DISTINCT and first < head.end:
        first += 1
        if tokens.kind(first) is TokenType.ON and first + 1 < head.end:
            first = tokens.after(first + 1)
    for start, stop in tokens.split(first, head.end):
        if start < stop:
            yield _item(tokens, start, stop)


def _item(tokens: Tokens, start: int, stop: int) -> Item:
    span = tokens.span(start, stop)
    if tokens.kind(start) is TokenType.STAR:
        return _star(tokens, span, start + 1, stop, None)
    if tokens.kind(start + 1) is TokenType.DOT and tokens.kind(start + 2) is TokenType.STAR and start + 2 < stop:
        return _star(tokens, span, start + 3, stop, name_of(tokens, start))
    if tokens.kind(start + 1) is TokenType.COLON and start + 2 < stop:
        return Item(span, name_of(tokens, start), aliased=True)
    last, before = stop - 1, tokens.kind(stop - 2) if stop - start > 1 else None
    if before is TokenType.ALIAS:
        return Item(span, name_of(tokens, last), aliased=True)
    if tokens.kind(last) in NAME_KINDS and before is not None and _ends_value(tokens, last - 1):
        return Item(span, name_of(tokens, last), aliased=True)
    dotted = (stop - start) % 2 == 1 and all(tokens.kind(at) is TokenType.DOT for at in range(start + 1, stop, 2))
    named = dotted and (tokens[last].text[:1].isalpha() or tokens[last].text[:1] == "_" or _quoted(tokens, last))
    return Item(span, name_of(tokens, last) if named else None)


def _star(tokens: Tokens, span: Span, at: int, stop: int, qualifier: Name | None) -> Item:
    left_out: list[Name] = []
    own: list[Name] = []
    while at + 1 < stop and tokens[at].upper in ("EXCLUDE", "REPLACE", "RENAME"):
        grouped = tokens.kind(at + 1) is TokenType.L_PAREN and tokens.partner[at + 1] > 0
        behind = tokens.after(at + 1) if grouped else stop
        for first, end in tokens.split(at + 2, behind - 1) if grouped else ((at + 1, stop),):
            word = tokens[at].upper
            old = end - 1 if word == "REPLACE" else first
            if first < end:
                left_out.append(name_of(tokens, old))
                own += [name_of(tokens, end - 1)] if word != "EXCLUDE" else []
        at = behind
    return Item(span, star=True, qualifier=qualifier, left_out=tuple(left_out), own=tuple(own))


def _quoted(tokens: Tokens, index: int) -> bool:
    return tokens.kind(index) is TokenType.IDENTIFIER


def _ends_value(tokens: Tokens, index: int) -> bool:
    return tokens.kind(index) in (*NAME_KINDS, *_ENDS_A_VALUE)
