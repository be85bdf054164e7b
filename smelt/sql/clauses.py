"""Where the clauses of the outermost query stand, from tokens alone: it works on half-typed text too."""

from dataclasses import dataclass, field, replace

from sqlglot.tokenizer_core import TokenType

from smelt.sql.tokens import SqlError, Tokens
from smelt.text.spans import Span

SET_OPERATORS = frozenset({TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT})
CONDITION_CLAUSES = frozenset(
    {
        TokenType.WHERE,
        TokenType.GROUP_BY,
        TokenType.HAVING,
        TokenType.WINDOW,
        TokenType.QUALIFY,
        TokenType.ORDER_BY,
    }
)
"""Words that begin a clause behind FROM whose body holds expressions."""
BEHIND_FROM = CONDITION_CLAUSES | SET_OPERATORS | {TokenType.LIMIT, TokenType.OFFSET, TokenType.SELECT}
"""Words that end a FROM list."""
_CLAUSES = {
    TokenType.SELECT: "SELECT",
    TokenType.FROM: "FROM",
    TokenType.WHERE: "WHERE",
    TokenType.GROUP_BY: "GROUP BY",
    TokenType.HAVING: "HAVING",
    TokenType.WINDOW: "WINDOW",
    TokenType.QUALIFY: "QUALIFY",
    TokenType.ORDER_BY: "ORDER BY",
    TokenType.LIMIT: "LIMIT",
    TokenType.OFFSET: "OFFSET",
    TokenType.FETCH: "LIMIT",
}
_CLAUSE_STARTS = frozenset({*_CLAUSES, TokenType.USING})
_ORDER = ("FROM", "WHERE", "GROUP BY", "HAVING", "WINDOW", "QUALIFY", "SAMPLE", "ORDER BY", "LIMIT", "OFFSET")
"""The order DuckDB's grammar has; LIMIT and OFFSET may change places."""
_BEHIND_PARENTHESES = ("ORDER BY", "LIMIT", "OFFSET")


@dataclass(frozen=True, slots=True)
class ClauseRange:
    """One clause: its keyword at ``first``, its body ``[body, end)``."""

    name: str
    first: int
    body: int
    end: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The outermost query: ``[first, end)`` without enclosing parentheses and semicolons.

    ``clauses`` are those of the first SELECT, in text order, and behind them those that follow its parentheses.
    ``set_range`` begins at ``UNION`` and the like.
    """

    tokens: Tokens
    first: int
    end: int
    clauses: tuple[ClauseRange, ...]
    with_range: tuple[int, int] | None = None
    set_range: tuple[int, int] | None = None
    errors: tuple[SqlError, ...] = field(default=())

    def clause(self, name: str) -> ClauseRange | None:
        """The first clause of that name."""
        return next((clause for clause in self.clauses if clause.name == name), None)

    def span(self, clause: ClauseRange) -> Span:
        """From the clause's keyword to its last token."""
        return self.tokens.span(clause.first, clause.end)


def layout(tokens: Tokens) -> Layout:
    """The clauses of the outermost query. The token list must not be empty."""
    first, end, errors = _statement(tokens)
    found = _query(tokens, first, end)
    return replace(found, errors=(*errors, *found.errors))


def _query(tokens: Tokens, first: int, end: int) -> Layout:
    """The query in a range. Where parentheses begin it, its first SELECT stands inside them, however many there are."""
    levels = [_level(tokens, first, end)]
    while (inside := _inside_first(levels[-1])) is not None:
        levels.append(_level(tokens, *inside))
    return Layout(
        tokens,
        levels[0].first,
        levels[0].end,
        clauses=tuple(clause for level in reversed(levels) for clause in level.clauses),
        with_range=next((level.with_range for level in levels if level.with_range), None),
        set_range=next((level.set_range for level in levels if level.set_range), None),
        errors=tuple(error for level in reversed(levels) for error in level.errors),
    )


def _level(tokens: Tokens, first: int, end: int) -> Layout:
    """What stands in a range outside of all parentheses but those that hold the whole range."""
    first, end = _unwrapped(tokens, first, end)
    if first >= end:
        return Layout(tokens, first, end, ())
    with_range, start = _with(tokens, first, end)
    select_end, operator = _first_select_end(tokens, start, end)
    clauses = clause_ranges(tokens, start, select_end)
    errors = (*_order_errors(tokens, clauses), *_misplaced(tokens, clauses, start, operator))
    return Layout(tokens, first, end, clauses, with_range, (operator, end) if operator >= 0 else None, errors)


def _inside_first(level: Layout) -> tuple[int, int] | None:
    """The range inside the parentheses that a level's first query begins with, if it does."""
    start = level.with_range[1] if level.with_range is not None else level.first
    end = level.set_range[0] if level.set_range is not None else level.end
    close = level.tokens.partner[start] if start < end else -1
    return (start + 1, close) if close > start and level.tokens.kind(start) is TokenType.L_PAREN else None


def _statement(tokens: Tokens) -> tuple[int, int, tuple[SqlError, ...]]:
    end = len(tokens)
    while end and tokens.kind(end - 1) is TokenType.SEMICOLON:
        end -= 1
    errors: tuple[SqlError, ...] = ()
    for index in tokens.level(0, end) if tokens.of_kind(TokenType.SEMICOLON, end=end) else ():
        if tokens[index].kind is TokenType.SEMICOLON:
            errors = (SqlError(tokens.span(index + 1, end), "there is more than one statement"),)
            end = index
            break
    return 0, end, errors


def _unwrapped(tokens: Tokens, first: int, end: int) -> tuple[int, int]:
    """Without parentheses that hold the whole range."""
    while first < end and tokens.kind(first) is TokenType.L_PAREN and tokens.partner[first] == end - 1:
        first, end = first + 1, end - 1
    return first, end


def _with(tokens: Tokens, first: int, end: int) -> tuple[tuple[int, int] | None, int]:
    if tokens.kind(first) is not TokenType.WITH:
        return None, first
    for index in tokens.level(first + 1, end):
        starts_query = tokens[index].kind in (TokenType.SELECT, TokenType.FROM, TokenType.VALUES)
        opens_query = tokens.kind(index) is TokenType.L_PAREN and tokens.kind(index - 1) is TokenType.R_PAREN
        if (starts_query and not tokens.is_word(index)) or opens_query:
            return (first, index), index
    return (first, end), end


def _first_select_end(tokens: Tokens, first: int, end: int) -> tuple[int, int]:
    if not tokens.of_kind(*SET_OPERATORS, first=first, end=end):
        return end, -1
    for index in tokens.level(first, end):
        if tokens[index].kind in SET_OPERATORS and not tokens.is_word(index) and not _is_star_option(tokens, index):
            return index, index
    return end, -1


def _is_star_option(tokens: Tokens, index: int) -> bool:
    return tokens.kind(index - 1) is TokenType.STAR and tokens.kind(index + 1) is TokenType.L_PAREN


def clause_ranges(tokens: Tokens, first: int, end: int) -> tuple[ClauseRange, ...]:
    """The clauses that stand in a range at its own level, in text order."""
    starts: list[tuple[str, int, int]] = []
    kinds = tokens.kinds
    for index in tokens.level(first, end):
        if kinds[index] not in _CLAUSE_STARTS:
            continue
        name = _CLAUSES.get(kinds[index])
        body = index + 1
        if kinds[index] is TokenType.USING and _upper(tokens, index + 1) in ("SAMPLE", "TABLESAMPLE"):
            name, body = "SAMPLE", index + 2
        if name is None or tokens.is_word(index) or is_distinct_from(tokens, index):
            continue
        starts.append((name, index, body))
    ends = [*(start for _, start, _ in starts), end][1:]
    return tuple(
        ClauseRange(name, start, min(body, stop), stop) for (name, start, body), stop in zip(starts, ends, strict=True)
    )


def _upper(tokens: Tokens, index: int) -> str:
    return tokens[index].upper if 0 <= index < len(tokens) else ""


def is_distinct_from(tokens: Tokens, index: int) -> bool:
    """Whether a FROM belongs to ``IS [NOT] DISTINCT FROM`` and begins no clause."""
    return tokens.kind(index - 1) is TokenType.DISTINCT and _upper(tokens, index - 2) in ("IS", "NOT")


def _misplaced(tokens: Tokens, clauses: tuple[ClauseRange, ...], start: int, operator: int) -> tuple[SqlError, ...]:
    """Clauses around a set operation or behind a query in parentheses that belong elsewhere."""
    parenthesised = tokens.kind(start) is TokenType.L_PAREN
    errors = [
        SqlError(tokens.span(clause.first, clause.body), f"{clause.name} stands behind a query in parentheses")
        for clause in clauses
        if parenthesised and clause.name not in _BEHIND_PARENTHESES
    ]
    closing = next((clause.name for clause in clauses if clause.name in _BEHIND_PARENTHESES), None)
    if operator >= 0 and closing is not None and not parenthesised:
        errors.append(SqlError(tokens[operator].span, f"{tokens[operator].upper} stands after {closing}"))
    return tuple(errors)


def _order_errors(tokens: Tokens, clauses: tuple[ClauseRange, ...]) -> tuple[SqlError, ...]:
    """sqlglot takes clauses in any order; DuckDB does not."""
    errors: list[SqlError] = []
    seen: set[str] = set()
    furthest = -1
    for clause in clauses:
        if clause.name == "SELECT":
            continue
        span = tokens.span(clause.first, max(clause.body, clause.first + 1))
        rank = _ORDER.index(clause.name)
        if clause.name in seen:
            errors.append(SqlError(span, f"there is a second {clause.name}"))
        elif rank < furthest and not (clause.name == "LIMIT" and _ORDER[furthest] == "OFFSET"):
            errors.append(SqlError(span, f"{clause.name} stands after {_ORDER[furthest]}"))
        elif clause.body >= clause.end:
            errors.append(SqlError(span, f"{clause.name} is followed by nothing"))
        seen.add(clause.name)
        furthest = max(furthest, rank)
    return tuple(errors)
