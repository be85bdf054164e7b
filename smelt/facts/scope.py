"""What a name in a query over one source means: a source column first, then an alias of an earlier item."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from smelt.facts.formula import Column, Formula, Hole
from smelt.facts.stray import stray_names
from smelt.project.model import Source
from smelt.sql.model import Expr, Query
from smelt.sql.scopes import ColumnRef, Resolved, columns_in, resolve
from smelt.sql.types import is_time_with_offset
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_Piece = tuple[Span, tuple[str | Hole, ...]]


@dataclass(frozen=True, slots=True)
class Scope:
    """One source under the name by which its columns are qualified.

    Attributes:
        taken: the folded names that mean something in the query: source columns, aliases, the source itself.
        declared: the source columns' names, by folded name.
    """

    query: Query
    source: Source
    known_as: str | None
    taken: frozenset[str] = frozenset()
    declared: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        names = {fold(column.name): column.name for column in self.source.columns}
        object.__setattr__(self, "declared", names)

    def find(self, ref: ColumnRef) -> Resolved | None:
        """The source column a reference means."""
        return resolve(ref, self.known_as, self.declared)

    def is_row(self, ref: ColumnRef) -> bool:
        """Whether a reference means the row itself: all of it, or its place. A column of that name comes first."""
        alone = self.known_as is not None and len(ref.parts) == 1 and fold(ref.parts[0]) == fold(self.known_as)
        return (alone or fold(ref.parts[-1]) == "rowid") and self.find(ref) is None

    def has_offset(self, ref: ColumnRef, aliases: Mapping[str, Formula]) -> bool:
        """Whether a reference is, or is made from, a time of day with an offset."""
        found = self.find(ref)
        alias = aliases.get(fold(ref.parts[0]))
        names = [found.column] if found is not None else alias.columns if alias is not None else ()
        columns = [self.source.column(name) for name in names]
        return any(column is not None and is_time_with_offset(column.type) for column in columns)

    def bare(self, expr: Expr, aliases: Mapping[str, Formula]) -> str | None:
        """The source column an expression is, directly or through an alias; parentheses do not count."""
        node = expr.node
        while isinstance(node, exp.Paren):
            node = node.this
        refs = columns_in(self.query, node) if isinstance(node, exp.Column | exp.Dot) else ()
        if len(refs) != 1:
            return None
        found = self.find(refs[0])
        if found is not None:
            return found.column if found.span == refs[0].span else None
        alias = self._alias(refs[0], aliases)
        return alias.bare_column if alias is not None else None

    def formula(self, expr: Expr, aliases: Mapping[str, Formula], holes: Iterable[tuple[Span, Hole]] = ()) -> Formula:
        """The expression with its columns and aliases resolved.

        Args:
            expr: the expression.
            aliases: formulas of the aliases in scope, by folded name.
            holes: spans that stand for something already known, such as window calls judged elsewhere.
        """
        pieces: list[_Piece] = [(span, (hole,)) for span, hole in holes]
        filled = [span for span, _ in pieces]
        unknown: list[ColumnRef] = []
        rows: list[ColumnRef] = []
        for ref in columns_in(self.query, expr.node):
            if any(span.covers(ref.span) for span in filled):
                continue
            found = self.find(ref)
            alias = self._alias(ref, aliases) if found is None else None
            if found is not None:
                pieces.append((found.span, (Column(found.column),)))
            elif alias is not None:
                simple = len(alias.parts) == 1
                pieces.append((ref.span, alias.parts if simple else ("(", *alias.parts, ")")))
                unknown += alias.unknown
            elif self.is_row(ref):
                rows.append(ref)
            else:
                unknown.append(ref)
        known = [*(span for span, _ in pieces), *(ref.span for ref in (*unknown, *rows))]
        stray = stray_names(self.query, expr.span, known, self.taken)
        bare = self.bare(expr, aliases)
        return Formula(self._assembled(expr.span, pieces), bare, tuple(unknown), stray)

    def _alias(self, ref: ColumnRef, aliases: Mapping[str, Formula]) -> Formula | None:
        return aliases.get(fold(ref.parts[0])) if len(ref.parts) == 1 else None

    def _assembled(self, span: Span, pieces: list[_Piece]) -> tuple[str | Hole, ...]:
        parts: list[str | Hole] = []
        at = span.start
        for piece, content in sorted(pieces, key=lambda entry: entry[0]):
            if piece.start < at:
                continue
            if piece.start > at:
                parts.append(self.query.text[at : piece.start])
            parts += content
            at = piece.end
        if at < span.end:
            parts.append(self.query.text[at : span.end])
        return tuple(parts)
