"""What a key of frontmatter, of a source's file or of ``smelt.yml`` means: what the published schemas say."""

from collections.abc import Iterator

from smelt.editor.complete_yaml import grammar_of
from smelt.editor.index import Index
from smelt.editor.schema import Schema, Value
from smelt.project.model import KeyPath
from smelt.text.spans import Span


def about_key(index: Index, file: str, offset: int) -> tuple[Span, str] | None:
    """The key or value under a cursor, and what it means."""
    marks = index.marks(file)
    keys = [(span, path) for path, span in marks.keys.items() if isinstance(path[-1], str)]
    found = min(((span, path) for span, path in keys if span.contains(offset)), default=None)
    if found is None:
        values = [(span, path) for path, span in marks.values.items() if span.contains(offset)]
        found = min(values, key=lambda one: len(one[0]), default=None)
    if found is None:
        return None
    span, path = found
    value = Schema.of(index.snapshot, grammar_of(file)).value(path)
    named = next((segment for segment in reversed(path) if isinstance(segment, str)), None)
    if value is None or named is None:
        return None
    return span, "\n\n".join(_told(named, path, value))


def _told(name: str, path: KeyPath, value: Value) -> Iterator[str]:
    above = ".".join(segment for segment in path[:-1] if isinstance(segment, str))
    yield f"**{name}**" + (f" in `{above}`" if above and path[-1] == name else "")
    if value.meaning:
        yield value.meaning
    words = ", ".join(f"`{word}`" for word in value.words)
    yield f"One of {words}." if len(value.words) > 1 else f"A {value.form}." if not words else f"Always {words}."
    if value.default is not None:
        yield f"Left out: `{value.default}`."
