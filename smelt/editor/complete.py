"""What can be written at a cursor, in queries and in YAML, however broken the text around it is."""

from smelt.editor.complete_sql import in_query
from smelt.editor.complete_yaml import in_yaml
from smelt.editor.completion import Completion
from smelt.editor.index import Index, is_sql
from smelt.editor.snapshot import Snapshot
from smelt.editor.snippets import whole_models
from smelt.text.spans import Span


def completions(snapshot: Snapshot, file: str, offset: int) -> tuple[Completion, ...]:
    """What can be written at ``offset``, the likeliest first.

    Whoever shows it leaves out what does not fit the word that is written there. Never raises, whatever the text.
    """
    index = Index.of(snapshot)
    if index is None or file not in snapshot.texts:
        return ()
    text = snapshot.texts[file]
    parts = index.parts(file)
    if not is_sql(file):
        found = in_yaml(index, file, Span(0, len(text)), offset)
    elif parts.unclosed is not None:
        found = in_yaml(index, file, Span(parts.unclosed.end, len(text)), offset) if offset > parts.unclosed.end else ()
    elif parts.yaml is not None and offset < parts.sql.start:
        found = in_yaml(index, file, parts.yaml, offset) if parts.yaml.contains(offset) else ()
    else:
        found = (*whole_models(index, file, offset), *in_query(index, file, offset))
    return tuple(sorted(found, key=lambda one: one.rank))
