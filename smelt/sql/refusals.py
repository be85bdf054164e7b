"""What sqlglot lets pass and DuckDB's parser does not."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from sqlglot.tokenizer_core import TokenType

from smelt.sql.clauses import BEHIND_FROM, Layout
from smelt.sql.model import Query, SelectItem, WindowCall, WindowSpec
from smelt.sql.names import NO_BARE_ALIAS
from smelt.sql.tokens import SqlError, Tokens
from smelt.sql.windows import FRAMES, starts_part
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_OFFSET_FUNCTIONS = {"LEAD", "LAG"}
_CONDITION_NEEDED_NOT = {"CROSS", "NATURAL", "POSITIONAL"}
_JOIN_WORDS = {
    "LEFT", "RIGHT", "FULL", "INNER", "OUTER", "SEMI", "ANTI", "ASOF", *_CONDITION_NEEDED_NOT,
}  # fmt: skip
_FRAME_ENDS = {"PRECEDING", "FOLLOWING", "ROW"}
_OTHER_DIALECTS = {TokenType.CLUSTER_BY, TokenType.CONNECT_BY, TokenType.DISTRIBUTE_BY}
_NEXT_CLAUSE = BEHIND_FROM | _OTHER_DIALECTS | {TokenType.FROM, TokenType.SEMICOLON, TokenType.FETCH}
_CLAUSE_ENDS = BEHIND_FROM | {TokenType.COMMA, TokenType.SEMICOLON, TokenType.R_PAREN, None}


def refused_by_duckdb(query: Query, plan: Layout) -> tuple[SqlError, ...]:
    """Errors in a query that parsed, each as tight as what is wrong; in text order."""
    tokens = plan.tokens
    errors = [
        *_call_errors(query, plan),
        *_definition_errors(plan),
        *_spec_errors(query, plan),
        *_joins_without_condition(tokens),
        *_bare_aliases(query.items, tokens),
        *_foreign_clauses(query.text, tokens),
    ]
    return tuple(sorted(set(errors), key=lambda error: (error.span, error.message)))


def _call_errors(query: Query, plan: Layout) -> Iterator[SqlError]:
    defined = {fold(name) for name, _ in _definitions(plan)}
    for call in query.calls:
        for kind, span in call.extras:
            if kind == "misplaced_nulls":
                words = " ".join(token.upper for token in query.tokens_in(span))
                yield SqlError(span, f"{words} stands behind the parentheses of {call.function}, not inside")
            elif kind in ("distinct", "filter") and call.function in _OFFSET_FUNCTIONS:
                yield SqlError(span, f"{call.function} takes no {kind.upper()}")
        yield from _unknown_window(call, plan.tokens, defined)
        if call.nested:
            yield SqlError(call.span, "a window function stands inside another")


def _unknown_window(call: WindowCall, tokens: Tokens, defined: set[str]) -> Iterator[SqlError]:
    if call.window is not None:
        return
    if call.over_name is not None:
        if fold(call.over_name.text) not in defined:
            yield SqlError(call.over_name.span, f"no window is called `{call.over_name.text}`")
        return
    base = _base(tokens, tokens.within(call.span)[1] - 1)
    if base is not None and fold(tokens[base].text) not in defined:
        yield SqlError(tokens[base].span, f"no window is called `{tokens[base].text}`")


def _base(tokens: Tokens, close: int) -> int | None:
    """The index of the window's name at the head of the parentheses that close at an index."""
    head = tokens.partner[close] + 1
    return head if 0 < head < close and not starts_part(tokens, head) else None


def _definitions(plan: Layout) -> list[tuple[str, tuple[int, int]]]:
    clause = plan.clause("WINDOW")
    parts = plan.tokens.split(clause.body, clause.end) if clause is not None else ()
    return [(plan.tokens[first].text, (first, end)) for first, end in parts]


def _definition_errors(plan: Layout) -> Iterator[SqlError]:
    tokens = plan.tokens
    seen: set[str] = set()
    for name, (first, end) in _definitions(plan):
        shaped = end - first > 3 and tokens.kind(first + 1) is TokenType.ALIAS
        if not shaped or tokens.kind(first + 2) is not TokenType.L_PAREN or tokens.partner[first + 2] != end - 1:
            yield SqlError(tokens.span(first, end), "this is not the definition of a window")
            continue
        if fold(name) in seen:
            yield SqlError(tokens[first].span, f"the window `{name}` is defined twice")
        base = _base(tokens, end - 1)
        if base is not None and fold(tokens[base].text) not in seen:
            yield SqlError(tokens[base].span, f"no window is called `{tokens[base].text}` before this one")
        seen.add(fold(name))


def _spec_errors(query: Query, plan: Layout) -> Iterator[SqlError]:
    """What is wrong inside the parentheses of windows: empty lists, incomplete frames, parts that the base has."""
    tokens = plan.tokens
    bases: dict[str, WindowSpec] = {fold(window.name.text): window.spec for window in query.windows}
    openings = [first + 2 for _, (first, end) in _definitions(plan) if end - first > 2]
    openings += [index + 1 for index in tokens.of_kind(TokenType.OVER)]
    for opening in openings:
        if tokens.kind(opening) is TokenType.L_PAREN:
            head = _base(tokens, tokens.partner[opening])
            base = bases.get(fold(tokens[head].text)) if head is not None else None
            yield from _part_errors(tokens, opening + 1, tokens.partner[opening], base)


def _part_errors(tokens: Tokens, first: int, close: int, base: WindowSpec | None) -> Iterator[SqlError]:
    starts = [index for index in tokens.level(first, close) if starts_part(tokens, index)]
    for start, stop in pairwise((*starts, close)):
        kind, word = tokens[start].kind, tokens[start].upper
        if stop == start + 1:
            yield SqlError(tokens[start].span, f"{word} is followed by nothing")
        elif (
            tokens[start].upper in FRAMES and kind is not TokenType.PARTITION_BY and not _is_frame(tokens, start, stop)
        ):
            yield SqlError(tokens.span(start, stop), "this frame is not complete")
        elif kind is TokenType.PARTITION_BY and base is not None and base.partition_span is not None:
            yield SqlError(tokens.span(start, stop), "the window it builds on has a PARTITION BY already")
        elif kind is TokenType.ORDER_BY and base is not None and base.order_span is not None:
            yield SqlError(tokens.span(start, stop), "the window it builds on has an ORDER BY already")


def _is_frame(tokens: Tokens, start: int, stop: int) -> bool:
    excluded = next((index for index in tokens.level(start, stop) if tokens[index].upper == "EXCLUDE"), stop)
    first = start + 1
    bounds = [(first, excluded)]
    if tokens.kind(first) is TokenType.BETWEEN:
        bounds = list(tokens.split(first + 1, excluded, TokenType.AND))
        if len(bounds) != 2:
            return False
    return all(end > begin and tokens[end - 1].upper in _FRAME_ENDS for begin, end in bounds)


def _joins_without_condition(tokens: Tokens) -> Iterator[SqlError]:
    """A JOIN waits for its ON or USING, nested ones like brackets; at the clause's end none may still wait."""
    if not tokens.of_kind(TokenType.JOIN):
        return
    waiting: dict[int, list[int]] = {}
    for index in range(len(tokens) + 1):
        kind = tokens.kind(index)
        depth = tokens.depth[index] if index < len(tokens) else 0
        if kind in _CLAUSE_ENDS and not tokens.is_word(index):
            level = depth + 1 if kind is TokenType.R_PAREN else depth
            for join in waiting.pop(level, []):
                yield SqlError(tokens[join].span, "this JOIN has neither ON nor USING")
        elif kind is TokenType.JOIN and not tokens.is_word(index) and _needs_condition(tokens, index):
            waiting.setdefault(depth, []).append(index)
        elif kind in (TokenType.ON, TokenType.USING) and waiting.get(depth):
            waiting[depth].pop()
            if tokens.kind(index + 1) in _CLAUSE_ENDS:
                yield SqlError(tokens[index].span, f"{tokens[index].upper} is followed by nothing")


def _needs_condition(tokens: Tokens, join: int) -> bool:
    before = join - 1
    while before >= 0 and tokens[before].upper in _JOIN_WORDS:
        if tokens[before].upper in _CONDITION_NEEDED_NOT:
            return False
        before -= 1
    return True


def _bare_aliases(items: Iterable[SelectItem], tokens: Tokens) -> Iterator[SqlError]:
    for item in items:
        if item.alias is None or item.alias.quoted or fold(item.alias.text) not in NO_BARE_ALIAS:
            continue
        index = tokens.at(item.alias.span.start)
        if index and tokens.kind(index - 1) is not TokenType.ALIAS and tokens.kind(index + 1) is not TokenType.COLON:
            yield SqlError(item.alias.span, f"`{item.alias.text}` cannot be an alias without AS")


def _clause_at(tokens: Tokens, index: int) -> Span:
    """From a word to where the next clause begins."""
    depth = tokens.depth[index]
    for end in range(index + 1, len(tokens)):
        if tokens.depth[end] < depth or (tokens.depth[end] == depth and tokens.kind(end) in _NEXT_CLAUSE):
            return tokens.span(index, end)
    return tokens.span(index, len(tokens))


def _foreign_clauses(text: str, tokens: Tokens) -> Iterator[SqlError]:
    """Parts of other dialects, and two strings side by side, which DuckDB does not join."""
    if tokens.kind(len(tokens) - 1) is TokenType.ALIAS:
        yield SqlError(tokens[len(tokens) - 1].span, "no name follows AS")
    for index in _foreign_places(tokens):
        token, before = tokens[index], tokens[index - 1]
        if before.kind is TokenType.ALIAS and token.kind in _CLAUSE_ENDS:
            yield SqlError(before.span, "no name follows AS")
        elif tokens.is_word(index):
            continue
        elif token.kind is TokenType.LATERAL and before.kind not in (TokenType.FROM, TokenType.JOIN, TokenType.COMMA):
            yield SqlError(token.span, f"`{token.text}` cannot stand here")
        elif before.kind is TokenType.IN and token.kind in _CLAUSE_ENDS | {TokenType.FROM}:
            yield SqlError(before.span, "IN is followed by nothing")
        elif token.kind is TokenType.DOT and before.kind in (TokenType.FROM, TokenType.JOIN):
            yield SqlError(token.span, "a name is missing before this dot")
        elif token.kind is TokenType.INTO:
            yield SqlError(_clause_at(tokens, index), "INTO has no place in a model")
        elif token.kind in _OTHER_DIALECTS:
            yield SqlError(_clause_at(tokens, index), f"{token.upper} is no clause of DuckDB's")
        elif before.kind is TokenType.SELECT and token.kind is TokenType.ALIAS:
            yield SqlError(tokens.span(index, min(index + 2, len(tokens))), "AS stands where an item begins")
        elif (
            token.kind is TokenType.STRING
            and before.kind is TokenType.STRING
            and "\n" not in text[before.end : token.start]
        ):
            yield SqlError(token.span, "a string follows a string")
        elif token.upper in ("UPDATE", "SHARE") and before.upper == "FOR" and before.kind is not TokenType.IDENTIFIER:
            yield SqlError(tokens.span(index - 1, index + 1), "a model locks no rows")


def _foreign_places(tokens: Tokens) -> list[int]:
    """Where a part of another dialect can begin; few tokens are more than looked at."""
    behind = tokens.of_kind(TokenType.ALIAS, TokenType.IN, TokenType.FROM, TokenType.JOIN, TokenType.SELECT)
    here = tokens.of_kind(TokenType.LATERAL, TokenType.INTO, TokenType.STRING, *_OTHER_DIALECTS)
    locks = [index for index, word in enumerate(tokens.uppers) if word == "FOR"]
    places = {*here, *(index + 1 for index in (*behind, *locks))}
    return sorted(index for index in places if 0 < index < len(tokens))
