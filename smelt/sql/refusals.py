"""What sqlglot lets pass and DuckDB does not."""

from sqlglot.tokenizer_core import TokenType

from smelt.sql.clauses import Layout
from smelt.sql.model import Query
from smelt.sql.tokens import SqlError

_OFFSET_FUNCTIONS = {"LEAD", "LAG"}


def refused_by_duckdb(query: Query, plan: Layout) -> tuple[SqlError, ...]:
    """Errors in a query that parsed, as DuckDB's own parser and binder would raise them."""
    errors: list[SqlError] = []
    for call in query.calls:
        for kind, span in call.extras:
            if kind == "misplaced_nulls":
                errors.append(SqlError(span, f"IGNORE NULLS stands inside the parentheses of {call.function}"))
            elif kind in ("distinct", "filter") and call.function in _OFFSET_FUNCTIONS:
                errors.append(SqlError(span, f"{call.function} takes no {kind.upper()}"))
        if call.over_name is not None and call.window is None:
            errors.append(SqlError(call.over_name.span, f"no window is called `{call.over_name.text}`"))
        elif call.window is None:
            errors.append(SqlError(call.span, "this window builds on one that is not defined"))
        if call.nested:
            errors.append(SqlError(call.span, "a window function stands inside another"))
    errors.extend(_joins_without_condition(plan))
    return tuple(errors)


def _joins_without_condition(plan: Layout) -> list[SqlError]:
    tokens = plan.tokens
    return [
        SqlError(tokens[index].span, "ON is followed by nothing")
        for index, token in enumerate(tokens.items)
        if token.kind is TokenType.ON
        and tokens.kind(index + 1) in (TokenType.WHERE, TokenType.GROUP_BY, TokenType.QUALIFY, TokenType.R_PAREN, None)
    ]
