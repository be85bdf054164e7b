"""Where a node of the tree stands in the text.

sqlglot keeps positions on identifiers, strings, numbers, stars and most function names. The place of any other
node is that of what it holds, widened by the tokens that belong to it: its parentheses, ``CASE … END``,
``:: type``, a literal without a position. Asked for one node at a time, because few are ever asked for.
"""

from collections.abc import Callable, Iterable

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from smelt.sql.tokens import Tokens
from smelt.text.spans import Span

Range = tuple[int, int]
"""The first and the last token of something."""

_PREFIXES = {TokenType.NOT, TokenType.DASH, TokenType.PLUS, TokenType.TILDE, TokenType.INTERVAL}
_INFIX_WORDS = {"IS", "NOT", "DISTINCT", "FROM", "LIKE", "ILIKE", "IN", "AND", "OR", "GLOB", "SIMILAR TO", "COLLATE"}
_WORD_BEFORE = {"ARRAY", "MAP", "ROW", "EXISTS", "ANY", "ALL", "SOME"}
_INFIX_NEGATED = (exp.Is, exp.In, exp.Between, exp.Like, exp.ILike, exp.SimilarTo, exp.Glob, exp.RegexpLike)
_WORDED_CALLS = (exp.StrPosition, exp.Extract, exp.Trim, exp.Substring, exp.Overlay)
_BARE_BRACKETS = (exp.Paren, exp.Subquery)
_WORDED_BRACKETS = (exp.Tuple, exp.Array, exp.List, exp.Struct, exp.Map, exp.ToMap, exp.Exists, exp.Any, exp.All)


def node_span(node: exp.Expression, tokens: Tokens, shift: int) -> Span | None:
    """The span of a node, or None if neither it nor anything it holds has a position."""
    reader = _Reader(tokens, shift)
    # Children first, without recursion: the tree of a long predicate is deep.
    for part in reversed([part for part in node.walk() if isinstance(part, exp.Expression)]):
        reader.read(part)
    found = reader.range_of(node)
    return tokens.span(found[0], found[1] + 1) if found is not None else None


class _Reader:
    """Ranges of nodes over one token list."""

    def __init__(self, tokens: Tokens, shift: int) -> None:
        self.tokens = tokens
        self.shift = shift
        self.known: dict[int, Range | None] = {}

    def range_of(self, node: exp.Expression) -> Range | None:
        return self.known.get(id(node))

    def read(self, node: exp.Expression) -> None:
        self.known[id(node)] = self._range(node)

    def _range(self, node: exp.Expression) -> Range | None:
        own = self._own(node)
        if own is not None:
            return self._call(own) if isinstance(node, exp.Func | exp.AggFunc) else own
        inner = self._join(node.iter_expressions())
        if inner is None:
            return None
        for kinds, widen in self._rules():
            if isinstance(node, kinds):
                return widen(node, inner)
        return inner

    def _rules(self) -> tuple[tuple[tuple[type, ...], Callable[[exp.Expression, Range], Range]], ...]:
        return (
            ((exp.Cast,), self._cast),
            ((exp.Case,), self._case),
            ((exp.Window,), self._window),
            ((exp.Filter,), self._filter),
            ((exp.Interval,), self._interval),
            ((exp.Bracket,), self._subscript),
            ((exp.In,), self._membership),
            ((exp.Between,), self._between),
            ((exp.Not,), self._negation),
            ((exp.Neg, exp.BitwiseNot, exp.Lambda), self._prefixed),
            (_BARE_BRACKETS, self._in_brackets),
            (_WORDED_BRACKETS, self._behind_word),
            ((exp.WithinGroup,), self._within_group),
            ((exp.Query,), self._nested_query),
            ((exp.Binary,), self._binary),
            ((exp.Func,), self._unplaced_call),
        )

    def _own(self, node: exp.Expression) -> Range | None:
        start, end = node.meta.get("start"), node.meta.get("end")
        if start is None or end is None:
            return None
        first, behind = self.tokens.within(Span(start + self.shift, end + 1 + self.shift))
        return (first, behind - 1) if behind else None

    def _join(self, nodes: Iterable[exp.Expression]) -> Range | None:
        found = [place for node in nodes if (place := self.range_of(node)) is not None]
        return (min(a for a, _ in found), max(b for _, b in found)) if found else None

    def _part(self, node: exp.Expression, key: str) -> Range | None:
        part = node.args.get(key)
        return self.range_of(part) if isinstance(part, exp.Expression) else None

    def _call(self, name: Range) -> Range:
        opening = name[1] + 1
        if self.tokens.kind(opening) is TokenType.L_PAREN:
            return name[0], self.tokens.after(opening) - 1
        return name

    def _enclosing(self, first: int, last: int) -> Range | None:
        """The nearest brackets around a range."""
        at = self.tokens.around[first]
        while at >= 0 and self.tokens.partner[at] <= last:
            at = self.tokens.around[at]
        return (at, self.tokens.partner[at]) if at >= 0 else None

    def _upper(self, index: int) -> str:
        return self.tokens[index].upper if 0 <= index < len(self.tokens) else ""

    def _cast(self, node: exp.Expression, inner: Range) -> Range:
        first, last = self._part(node, "this") or inner
        tokens = self.tokens
        if tokens.kind(first - 1) is TokenType.L_PAREN and self._upper(first - 2) in ("CAST", "TRY_CAST"):
            return first - 2, tokens.after(first - 1) - 1
        if tokens.kind(last + 1) is TokenType.DCOLON:
            return first, self._type_end(last + 2)
        if isinstance(node.this, exp.Literal) and first > 0:
            begin = first - 1
            if tokens.kind(begin) is TokenType.R_PAREN:
                begin = tokens.partner[begin] - 1
            if self._upper(begin) == "ZONE":
                begin -= 3
            return max(begin, 0), last
        return inner

    def _type_end(self, at: int) -> int:
        """The last token of the type that begins at an index."""
        tokens = self.tokens
        if tokens.kind(at + 1) is TokenType.L_PAREN:
            at = tokens.after(at + 1) - 1
        if self._upper(at + 1) in ("WITH", "WITHOUT") and self._upper(at + 2) == "TIME":
            at += 3
        while tokens.kind(at + 1) is TokenType.L_BRACKET:
            at = tokens.after(at + 1) - 1
        return min(at, len(tokens) - 1)

    def _case(self, node: exp.Expression, inner: Range) -> Range:
        tokens = self.tokens
        first, closed = inner[0] - 1, 0
        while first > 0 and (tokens.kind(first) is not TokenType.CASE or closed):
            closed += (tokens.kind(first) is TokenType.END) - (tokens.kind(first) is TokenType.CASE)
            first -= 1
        last, opened = first, 0
        while last < len(tokens) - 1:
            opened += (tokens.kind(last) is TokenType.CASE) - (tokens.kind(last) is TokenType.END)
            if not opened:
                break
            last += 1
        return first, max(last, inner[1])

    def _window(self, node: exp.Expression, inner: Range) -> Range:
        at = inner[1] if self.tokens.kind(inner[1] + 1) is not TokenType.OVER else inner[1] + 1
        function = self._part(node, "this") or inner
        over = next((i for i in self.tokens.level(function[1] + 1, len(self.tokens)) if self._upper(i) == "OVER"), at)
        last = self.tokens.after(over + 1) - 1 if over + 1 < len(self.tokens) else over
        return function[0], last

    def _filter(self, node: exp.Expression, inner: Range) -> Range:
        aggregate = self._part(node, "this") or inner
        if self._upper(aggregate[1] + 1) == "FILTER" and aggregate[1] + 2 < len(self.tokens):
            return aggregate[0], self.tokens.after(aggregate[1] + 2) - 1
        return inner

    def _interval(self, node: exp.Expression, inner: Range) -> Range:
        first, last = inner
        while first > 0 and self.tokens.kind(first) is not TokenType.INTERVAL:
            first -= 1
        unit = node.args.get("unit")
        spelled = {unit.name.upper(), unit.name.upper() + "S"} if isinstance(unit, exp.Expression) else set()
        return first, last + 1 if self._upper(last + 1) in spelled else last

    def _subscript(self, node: exp.Expression, inner: Range) -> Range:
        first, last = self._part(node, "this") or inner
        opens = self.tokens.kind(last + 1) is TokenType.L_BRACKET
        return first, self.tokens.after(last + 1) - 1 if opens else inner[1]

    def _membership(self, node: exp.Expression, inner: Range) -> Range:
        first, last = self._part(node, "this") or inner
        at = last + 1
        while self._upper(at) in ("NOT", "IN"):
            at += 1
        opens = self.tokens.kind(at) in (TokenType.L_PAREN, TokenType.L_BRACKET)
        return first, self.tokens.after(at) - 1 if opens else max(inner[1], last)

    def _between(self, node: exp.Expression, inner: Range) -> Range:
        if self._part(node, "high") is not None:
            return inner
        at = next((i for i in self.tokens.level(inner[1] + 1, len(self.tokens)) if self._upper(i) == "AND"), inner[1])
        return inner[0], self._operand_end(at + 1)

    def _negation(self, node: exp.Expression, inner: Range) -> Range:
        first, last = inner
        if isinstance(node.this, _INFIX_NEGATED):
            operand = self._part(node.this, "this")
            behind = operand[1] + 1 if operand is not None else last
            if self._upper(behind) in ("NOT", "NOTNULL") or self._upper(behind + 1) == "NOT":
                return inner
        return (first - 1, last) if self._upper(first - 1) == "NOT" else inner

    def _prefixed(self, node: exp.Expression, inner: Range) -> Range:
        return max(inner[0] - 1, 0), inner[1]

    def _in_brackets(self, node: exp.Expression, inner: Range) -> Range:
        return self._enclosing(*inner) or inner

    def _behind_word(self, node: exp.Expression, inner: Range) -> Range:
        first, last = self._in_brackets(node, inner)
        return (first - 1 if self._upper(first - 1) in _WORD_BEFORE else first), last

    def _within_group(self, node: exp.Expression, inner: Range) -> Range:
        around = self._enclosing(inner[1], inner[1])
        return (inner[0], around[1]) if around is not None else inner

    def _nested_query(self, node: exp.Expression, inner: Range) -> Range:
        around = self._enclosing(*inner)
        return (around[0] + 1, around[1] - 1) if around is not None else inner

    def _binary(self, node: exp.Expression, inner: Range) -> Range:
        """Joined operands; one without a position is a keyword or literal at the other side of the operator."""
        left, right = self._part(node, "this"), self._part(node, "expression")
        if left is not None and self._upper(left[1] + 1) in ("ISNULL", "NOTNULL"):
            return left[0], left[1] + 1
        if left is not None and right is None:
            at = left[1] + 1
            while at < len(self.tokens) and self._is_infix(at):
                at += 1
            return left[0], self._operand_end(at)
        if right is not None and left is None:
            at = right[0] - 1
            while at > 0 and self._is_infix(at):
                at -= 1
            return self._operand_start(at), right[1]
        return inner

    def _is_infix(self, index: int) -> bool:
        text = self._upper(index)
        return text in _INFIX_WORDS or (self.tokens.kind(index) not in _PREFIXES and not any(map(str.isalnum, text)))

    def _operand_end(self, at: int) -> int:
        tokens = self.tokens
        while at < len(tokens) - 1 and tokens.kind(at) in _PREFIXES:
            at += 1
        if at >= len(tokens):
            return len(tokens) - 1
        last = tokens.after(at) - 1
        if tokens.kind(at - 1) is TokenType.INTERVAL and tokens.kind(last + 1) is TokenType.VAR:
            last += 1
        return self._type_end(last + 2) if tokens.kind(last + 1) is TokenType.DCOLON else last

    def _operand_start(self, at: int) -> int:
        for back in range(at, max(at - 3, -1), -1):
            if self.tokens.kind(back) is TokenType.INTERVAL:
                return back
        return at

    def _unplaced_call(self, node: exp.Expression, inner: Range) -> Range:
        """``max(a)``: some functions lose their name's position; operators that became functions have no brackets."""
        around = self._enclosing(*inner)
        if around is None or around[0] == 0 or not self._upper(around[0] - 1)[:1].isalpha():
            return inner
        between = [i for i in self.tokens.level(around[0] + 1, around[1]) if i > inner[0] and self._is_infix(i)]
        commas = all(self.tokens.kind(i) is TokenType.COMMA for i in between if not self._held(node, i))
        return (around[0] - 1, around[1]) if commas or isinstance(node, _WORDED_CALLS) else inner

    def _held(self, node: exp.Expression, index: int) -> bool:
        """Whether a token lies in one of the node's parts."""
        places = (self.range_of(part) for part in node.iter_expressions())
        return any(place is not None and place[0] <= index <= place[1] for place in places)
