"""What a key of frontmatter, of a source's file or of ``smelt.yml`` means: what the published schemas say."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from smelt.editor.complete_yaml import grammar_of
from smelt.editor.data_files import MANY
from smelt.editor.index import Index
from smelt.editor.schema import Schema, Value
from smelt.project.layout import PROJECT_FILE
from smelt.project.model import KeyPath
from smelt.text.counts import counted
from smelt.text.spans import Span


def about_key(index: Index, file: str, offset: int) -> tuple[Span, str] | None:
    """The key under a cursor, or a value that is one of a few words, and what it means."""
    marks = index.marks(file)
    schema = Schema.of(index.snapshot, grammar_of(file))
    keys = [(span, path) for path, span in marks.keys.items() if isinstance(path[-1], str) and span.contains(offset)]
    if keys:
        span, path = keys[0]
        value = schema.value(path)
        return (span, "\n\n".join(_told(path, value))) if value is not None else None
    values = [(span, path) for path, span in marks.values.items() if span.contains(offset)]
    found = min(values, key=lambda one: len(one[0]), default=None)
    value = schema.value(found[1]) if found is not None else None
    if found is None or value is None or found[0].of(index.text(file)).strip("\"'") not in value.words:
        return None
    span, path = found
    while isinstance(path[-1], int):
        path = path[:-1]
    whole = schema.value(path)
    told = replace(value, meaning=whole.meaning) if whole is not None else value
    return span, "\n\n".join(_told(path, told))


def about_pattern(index: Index, file: str, offset: int, matching: int | None) -> tuple[Span, str] | None:
    """What a source's ``files`` means, and how many match; None elsewhere, and where they were not counted."""
    if matching is None:
        return None
    count = f"more than {MANY:,} files" if matching > MANY else counted(matching, "file") if matching else "no file"
    now = f"Matches {count} now." if matching else f"Matches {count} now; a run needs at least one."
    path: KeyPath = ("files",)
    place = next(
        span for span in (index.marks(file).keys[path], index.marks(file).values[path]) if span.contains(offset)
    )
    value = Schema.of(index.snapshot, grammar_of(file)).value(path)
    return place, "\n\n".join((*(_told(path, value) if value is not None else ()), now))


def about_folder(index: Index, file: str, offset: int) -> tuple[Span, str] | None:
    """How many of the project's files lie in a folder that ``smelt.yml`` names in its ``paths``."""
    if file != PROJECT_FILE or index.project.config is None:
        return None
    places = index.marks(file).values.items()
    span = next(
        (span for path, span in places if path[0] == "paths" and len(path) == 2 and span.contains(offset)), None
    )
    if span is None:
        return None
    named = span.of(index.text(file)).strip("\"'")
    if "${" in named:
        return None  # what an environment variable stands for is not written there
    folder = "/".join(part for part in named.split("/") if part not in ("", "."))
    files = {*index.snapshot.texts, *(seed.file for seed in index.project.seeds.values())} - {PROJECT_FILE}
    held = sum(1 for one in files if not folder or one.startswith(f"{folder}/"))
    return span, f"Holds {counted(held, 'file') if held else 'no file'} of the project now."


def _told(path: KeyPath, value: Value) -> Iterator[str]:
    *above, name = (segment for segment in path if isinstance(segment, str))
    yield f"**{name}**" + (f" in `{'.'.join(above)}`" if above else "")
    if value.meaning:
        yield value.meaning
    words = _words(value.accepted)
    verb = "is" if len(value.refused) == 1 else "are"
    refused = f"; {_words(value.refused)} {verb} not available yet" if value.refused else ""
    if value.only:
        yield f"{'One of' if len(value.accepted) > 1 else 'Always'} {words}{refused}."
    elif value.words and "mapping" in value.form:
        yield f"One of {words}{refused}, or a mapping."
    else:
        yield f"A {value.form}."
    if value.default is not None:
        yield f"Left out: `{value.default}`."


def _words(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)
