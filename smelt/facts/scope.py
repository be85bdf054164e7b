"""What a name in a query over one source means: a source column first, then an alias of an earlier item."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from smelt.facts.formula import Column, Formula, Hole
from smelt.project.model import Source
from smelt.sql.model import Expr, Query
from smelt.sql.scopes import ColumnRef, Resolved, columns_in, resolve
from smelt.text.identifiers import fold
from smelt.text.spans import Span


@dataclass(frozen=True, slots=True)
class Scope:
    """One source under the name by which its columns are qualified."""

    query: Query
    source: Source
    known_as: str | None

    def find(self, ref: ColumnRef) -> Resolved | None:
        """The source column a reference means."""
        return resolve(ref, self.known_as, (column.name for column in self.source.columns))

    def bare(self, expr: Expr, aliases: Mapping[str, Formula]) -> str | None:
        """The source column an expression is, directly or through an alias; parentheses do not count."""
        return self.formula(expr, aliases).bare_column

    def formula(self, expr: Expr, aliases: Mapping[str, Formula], holes: Iterable[tuple[Span, Hole]] = ()) -> Formula:
        """The expression with its columns and aliases resolved.

        Args:
            expr: the expression.
            aliases: formulas of the aliases in scope, by folded name.
            holes: spans that stand for something already known, such as accepted window calls.
        """
        filled = sorted(holes, key=lambda entry: entry[0])
        unknown: list[ColumnRef] = []
        pieces: list[tuple[Span, tuple[str | Hole, ...]]] = [(span, (hole,)) for span, hole in filled]
        for ref in columns_in(self.query, expr.node):
            if any(span.covers(ref.span) for span, _ in filled):
                continue
            found = self.find(ref)
            if found is not None:
                pieces.append((found.span, (Column(found.column),)))
                continue
            alias = aliases.get(fold(ref.parts[0])) if len(ref.parts) == 1 else None
            if alias is not None:
                simple = len(alias.parts) == 1
                pieces.append((ref.span, alias.parts if simple else ("(", *alias.parts, ")")))
                unknown += alias.unknown
            else:
                unknown.append(ref)
        return Formula(self._assembled(expr.span, pieces), tuple(unknown))

    def _assembled(self, span: Span, pieces: list[tuple[Span, tuple[str | Hole, ...]]]) -> tuple[str | Hole, ...]:
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
