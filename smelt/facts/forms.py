"""The forms of expressions that smelt knows to depend on their operands alone. Any other form refuses."""

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from smelt.sql.model import Query

_KNOWN: tuple[type[exp.Expression], ...] = (
    # names, values, types
    exp.Column, exp.Identifier, exp.Dot, exp.Literal, exp.Boolean, exp.Null, exp.RawString, exp.ByteString,
    exp.HexString, exp.Var, exp.Interval, exp.DataType, exp.DataTypeParam, exp.ColumnDef, exp.ParseJSON, exp.JSON,
    # structure
    exp.Paren, exp.Tuple, exp.Array, exp.Struct, exp.ToMap, exp.PropertyEQ, exp.Bracket, exp.Slice, exp.Lambda,
    exp.JSONPath, exp.JSONPathPart, exp.JSONKeyValue, exp.Escape, exp.Any,
    # operators
    exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Pow, exp.Abs, exp.Neg, exp.DPipe, exp.BitwiseNot,
    exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor, exp.BitwiseLeftShift, exp.BitwiseRightShift, exp.Collate,
    exp.AtTimeZone, exp.JSONExtract, exp.JSONExtractScalar, exp.ArrayContainsAll, exp.ArrayContainedBy,
    exp.ArrayOverlaps, exp.StartsWith, exp.RegexpLike, exp.RegexpILike, exp.RegexpFullMatch, exp.Glob, exp.SimilarTo,
    # predicates
    exp.And, exp.Or, exp.Not, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ,
    exp.Is, exp.Between, exp.In, exp.Like, exp.ILike,
    # functions with a grammar of their own
    exp.Case, exp.If, exp.Cast, exp.TryCast, exp.Coalesce, exp.Extract, exp.StrPosition, exp.Substring, exp.Trim,
    exp.Overlay, exp.Chr, exp.JSONObject, exp.Floor, exp.Ceil, exp.VarMap, exp.Map,
)  # fmt: skip
_KNOWN_EXACTLY = frozenset(_KNOWN)
"""The same, for a look that does not go through a hundred classes."""


def unknown_forms(query: Query, node: exp.Expression, skip: frozenset[int]) -> Iterator[exp.Expression]:
    """The outermost nodes under ``node`` of a form that is not known.

    A function written with parentheses is known here: its name is what is judged.

    Args:
        query: the query the node belongs to.
        node: the expression.
        skip: ids of nodes that are judged elsewhere; nothing in them is looked at.
    """
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if id(part) in skip:
            continue
        if type(part) in _KNOWN_EXACTLY or isinstance(part, _KNOWN) or _is_named_call(query, part):
            waiting.extend(reversed(list(part.iter_expressions())))
        else:
            yield part


def _is_named_call(query: Query, node: exp.Expression) -> bool:
    tokens = query.tokens
    if not isinstance(node, exp.Func) or "start" not in node.meta or tokens is None:
        return False
    index = tokens.at(node.meta["start"] + query.shift)
    return index is not None and tokens.kind(index + 1) is TokenType.L_PAREN
