"""What can be written in a query.

A word is put where the cursor is before the text is read: ``c.`` before ``FROM`` reads as a column then, not as a name
that goes on with the next clause.
"""

import re
from collections import deque
from collections.abc import Iterator

from smelt.editor.complete_yaml import kind_of
from smelt.editor.completion import Completion, CompletionKind
from smelt.editor.index import Index
from smelt.editor.scope import Given, Scope, qualified
from smelt.editor.targets import LocalTarget
from smelt.project.model import Address, Refresh, Source
from smelt.sql.lexer import PieceKind, comments, pieces
from smelt.sql.model import Name
from smelt.sql.names import written
from smelt.sql.outline import Outline, Select, outline
from smelt.sql.scopes import known_as
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_STAND_IN = "x__"
_DOTTED = re.compile(r"""(?:(?:[^\W\d]\w*|"[^"\r\n]*")\s*\.\s*)*(?:[^\W\d]\w*)?\Z""")
_RELATION_WORDS = frozenset(("FROM", "JOIN"))
_UNCLOSED = (PieceKind.UNCLOSED_COMMENT, PieceKind.UNCLOSED_NAME, PieceKind.UNCLOSED_STRING)
_AT_START = ("SELECT", "FROM", "WITH")
_IN_SELECT = ("FROM", "AS", "CASE", "CAST", "COALESCE", "DISTINCT", "NOT", "NULL", "OVER", "PARTITION BY", "ORDER BY")
_BEHIND_FROM = (
    "WHERE", "GROUP BY", "HAVING", "QUALIFY", "WINDOW", "ORDER BY", "LIMIT", "JOIN", "LEFT JOIN", "ON", "USING",
    "UNION ALL", "AND", "OR", "NOT", "IS NULL", "IS NOT NULL", "IN", "BETWEEN", "AS", "PARTITION BY",
)  # fmt: skip


def in_query(index: Index, file: str, offset: int) -> tuple[Completion, ...]:
    """What can be written at a cursor in a model's query."""
    text, start = index.text(file), index.parts(file).sql.start
    if _in_literal(text, start, offset):
        return ()
    found = _DOTTED.search(text, start, offset)
    dotted = found[0] if found is not None else ""
    before = _word_before(text, start, offset - len(dotted))
    parts = [part.strip().strip('"') for part in dotted.split(".")]
    word = Span(offset - len(dotted.rpartition(".")[2].lstrip()), offset)
    scope, at = _scope(index, file, start, offset)
    if len(parts) > 1 and fold(parts[0]) == "smelt":
        behind = dotted.index(".") + 1
        behind_smelt = Span(offset - len(dotted[behind:].lstrip()), offset)
        return tuple(_addresses(scope, behind_smelt, prefix=""))
    if len(parts) > 1:
        return tuple(_qualified(scope, at, parts, word))
    if before in _RELATION_WORDS or _is_next_relation(scope.queries, at, offset):
        return (*_ctes(scope.queries, word, offset), *_addresses(scope, word, prefix="smelt."))
    return (*_columns(scope, at, word), *_aliases(scope, at, word), *_keywords(scope.queries, at, word, before))


def _in_literal(text: str, start: int, offset: int) -> bool:
    """Whether the cursor is in a string, a quoted name, a number or a comment."""
    written_before = text[start:offset]
    last = next(iter(deque(pieces(written_before), maxlen=1)), None)
    if last is not None and last.kind in _UNCLOSED:
        return True
    if last is not None and last.kind is PieceKind.NUMBER and last.end == len(written_before):
        return True
    commented = [span for span in comments(written_before) if span[1] == len(written_before)]
    return any(written_before.startswith("--", span[0]) for span in commented)


def _word_before(text: str, start: int, end: int) -> str:
    found = re.search(r"(\w+)\s*\Z", text[max(start, end - 200) : end])
    return found[1].upper() if found is not None else ""


def _scope(index: Index, file: str, start: int, offset: int) -> tuple[Scope, int | None]:
    """The scope of the text as it would be with a word at the cursor, and the SELECT that it is in."""
    text = index.text(file)
    filled = f"{text[:offset]}{_STAND_IN}{text[offset:]}"
    queries = outline(filled, Span(start, len(filled)))
    address = index.snapshot.addresses.get(file)
    return Scope(index, file, address, queries), queries.at(offset)


def _addresses(scope: Scope, span: Span, prefix: str) -> Iterator[Completion]:
    """Every address that can be read: not the model's own, and none that reads it, which would close a circle.

    Of an incremental model, which can only be a succession, the sources that one may read come first.
    """
    index = scope.index
    model = index.project.models.get(scope.address) if scope.address is not None else None
    circle = {one.address for one in index.downstream(model.address)} if model is not None else set()
    incremental = model is not None and model.frontmatter.refresh is Refresh.INCREMENTAL
    for address in index.project.addresses():
        if address == scope.address or address in circle:
            continue
        name = prefix + ".".join(written(segment) for segment in address.segments)
        kind = kind_of(index, address)
        rank = 3 if incremental and not _drives(index.project.sources.get(address)) else 2
        yield Completion(name, kind, name, span, kind, _described(index, address), rank=rank)


def _drives(source: Source | None) -> bool:
    """Whether a succession may read a source."""
    profile = source.mutation_profile if source is not None else None
    return (
        profile is not None and profile.kind == "append_only" and source is not None and source.timeseries is not None
    )


def _described(index: Index, address: Address) -> str:
    if address in index.project.sources:
        return index.project.sources[address].description
    model = index.project.models.get(address)
    return model.frontmatter.description if model is not None else ""


def _is_next_relation(queries: Outline, at: int | None, offset: int) -> bool:
    """Whether a cursor stands where a FROM list goes on after a comma."""
    select = queries.selects[at] if at is not None else None
    if select is None or select.clause_at(offset) != "FROM":
        return False
    token = next((token for token in reversed(queries.tokens.items) if token.end <= offset), None)
    return token is not None and token.text == ","


def _ctes(queries: Outline, word: Span, offset: int) -> Iterator[Completion]:
    for cte in queries.ctes:
        if queries.cte(cte.name.text, offset) is cte and not cte.body.contains(offset):
            name = written(cte.name.text)
            yield Completion(name, CompletionKind.ALIAS, name, word, "common table expression", rank=1)


def _qualified(scope: Scope, at: int | None, parts: list[str], word: Span) -> Iterator[Completion]:
    """The columns of the relation that a name before the dot qualifies."""
    while at is not None:
        select = scope.queries.selects[at]
        relation = qualified(select, parts[-2])
        if relation is not None:
            yield from (_column(one, word, rank=1) for one in scope.given(relation))
            return
        at = select.parent


def _columns(scope: Scope, at: int | None, word: Span) -> Iterator[Completion]:
    """The columns that can be named here, of the innermost query first."""
    seen: set[str] = set()
    rank = 1
    while at is not None:
        select = scope.queries.selects[at]
        for relation in select.relations:
            for one in scope.given(relation):
                if fold(one.name) not in seen:
                    seen.add(fold(one.name))
                    yield _column(one, word, rank)
        at, rank = select.parent, rank + 1


def _column(one: Given, word: Span, rank: int) -> Completion:
    name = written(one.name)
    of = f"of {one.target.address}" if not isinstance(one.target, LocalTarget) else ""
    detail = " ".join(part for part in (one.type, of) if part)
    return Completion(name, CompletionKind.COLUMN, name, word, detail, rank=rank)


def _aliases(scope: Scope, at: int | None, word: Span) -> Iterator[Completion]:
    """What qualifies columns where several relations are read, and the aliases that clauses behind FROM can name."""
    select = scope.queries.selects[at] if at is not None else None
    if select is None:
        return
    for relation in select.relations:
        known = known_as(relation)
        if relation.alias is not None and _is_being_written(relation.alias, word):
            continue
        if known is not None and known != _STAND_IN and (len(select.relations) > 1 or relation.alias is not None):
            yield Completion(written(known), CompletionKind.ALIAS, written(known), word, "relation", rank=3)
    if _names_aliases(select, word.end):
        for item in select.items:
            if item.aliased and item.name is not None and not _is_being_written(item.name, word):
                name = written(item.name.text)
                yield Completion(name, CompletionKind.ALIAS, name, word, "output column", rank=2)


def _is_being_written(name: Name, word: Span) -> bool:
    """Whether a name is the one at the cursor: what is offered in its place cannot be the name itself."""
    return name.span.start <= word.end <= name.span.end


def _names_aliases(select: Select, offset: int) -> bool:
    return select.clause_at(offset) in ("GROUP BY", "HAVING", "QUALIFY", "ORDER BY", "WHERE")


def _keywords(queries: Outline, at: int | None, word: Span, before: str) -> Iterator[Completion]:
    clause = queries.selects[at].clause_at(word.end) if at is not None else None
    words = _AT_START if clause is None else _IN_SELECT if clause == "SELECT" else _BEHIND_FROM
    for keyword in words:
        if keyword != before:
            yield Completion(keyword, CompletionKind.KEYWORD, keyword, word, rank=7)
