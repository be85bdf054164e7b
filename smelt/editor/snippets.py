"""Whole models to begin with: a succession over each source that has the facts for one."""

import re
from collections.abc import Iterator

from smelt.editor.completion import Completion, CompletionKind
from smelt.editor.index import Index
from smelt.project.model import Source, SourceColumn
from smelt.sql.names import written
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_WORD = re.compile(r"\w*\Z")
_FLAG = re.compile(r"delet|remov|tombstone")
_FRONTMATTER = "---\nrefresh: incremental\n---\n"


def whole_models(index: Index, file: str, offset: int) -> Iterator[Completion]:
    """Models for a file that holds no more than the word at the cursor, and maybe frontmatter before it."""
    text, parts = index.text(file), index.parts(file)
    found = _WORD.search(text, parts.sql.start, offset)
    word = Span(found.start() if found is not None else offset, offset)
    if parts.sql.of(text).strip("\ufeff \t\r\n") != word.of(text):
        return
    head = _FRONTMATTER if parts.yaml is None else ""
    for source in index.project.sources.values():
        query = _succession(source)
        if query is not None:
            yield Completion(
                label=f"succession over {source.address}",
                kind=CompletionKind.SNIPPET,
                text=head + _plain(query),
                span=word,
                detail="a history of every key, kept incrementally",
                snippet=head + query,
                rank=0,
            )


def _succession(source: Source) -> str | None:
    """The model as a snippet: the key is chosen among the columns that are never NULL."""
    clock, profile = source.timeseries, source.mutation_profile
    if clock is None or profile is None or profile.kind != "append_only":
        return None
    fixed = {fold(clock.event_time_column), fold(clock.partition_column)}
    free = [column for column in source.columns if fold(column.name) not in fixed]
    flag = next((column for column in free if _is_flag(column)), None)
    keys = [column for column in free if not column.nullable and column is not flag and fold(column.type) != "boolean"]
    if not keys:
        return None
    shown = [*keys, *(column for column in free if column not in keys and not _is_flag(column))]
    event = _escaped(written(clock.event_time_column))
    choice = ",".join(_escaped(written(column.name)) for column in keys)
    key = f"${{1|{choice}|}}" if len(keys) > 1 else f"${{1:{choice}}}"
    lines = [f"    {_escaped(written(column.name))}" for column in shown]
    lines += [
        f"    {event} AS valid_from",
        f"    LEAD({event}) OVER (PARTITION BY {key} ORDER BY {event}) AS valid_to",
    ]
    address = ".".join(_escaped(written(segment)) for segment in source.address.segments)
    qualify = f"QUALIFY NOT {_escaped(written(flag.name))}\n" if flag is not None else ""
    return "SELECT\n" + ",\n".join(lines) + f"\nFROM smelt.{address}\n{qualify}$0"


def _is_flag(column: SourceColumn) -> bool:
    return fold(column.type) in ("boolean", "bool") and not column.nullable and bool(_FLAG.search(fold(column.name)))


def _escaped(text: str) -> str:
    return re.sub(r"([\\$}|,])", r"\\\1", text)


def _plain(snippet: str) -> str:
    """The snippet with its first choice made."""
    first = re.search(r"\$\{1[:|]((?:\\.|[^,|}\\])*)", snippet)
    chosen = first[1] if first is not None else ""
    text = re.sub(r"\$\{1[:|](?:\\.|[^}\\])*\}", lambda _: chosen, snippet).replace("$0", "")
    return re.sub(r"\\([\\$}|,])", r"\1", text)
