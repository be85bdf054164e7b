"""The canonical definition of a model: what its table means, in a form that only a change of meaning changes.

It holds addresses, never physical names, paths, schemas or versions of libraries. The text is JSON with sorted
keys; the hash of the text is the definition hash. ``LAYOUT`` is raised when the form itself changes.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cached_property

from smelt.grains.succession.shape import OutputColumn, SuccessionShape
from smelt.project.model import Model, Source, SourceColumn
from smelt.sql import types
from smelt.sql.canonical import canonical
from smelt.sql.rewrite import rewrite

LAYOUT = 1

_Content = dict[str, object]


class Definition:
    """What a model's table means, written out when somebody asks: a look at a project alone never does."""

    def __init__(self, write: Callable[[], str]) -> None:
        """A definition whose text ``write`` makes."""
        self._write = write

    @cached_property
    def text(self) -> str:
        """The canonical definition, as JSON text."""
        return self._write()

    @cached_property
    def hash(self) -> str:
        """The hash of the text."""
        return definition_hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Definition) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


def succession_definition(shape: SuccessionShape, source: Source) -> str:
    """The definition of a succession model, as JSON text."""
    profile = source.mutation_profile
    content: _Content = {
        "layout": LAYOUT,
        "kind": "succession",
        "source": str(shape.source),
        "key": list(shape.key),
        "clock": shape.clock,
        "delete_flag": shape.flag,
        "pre_filter": canonical(shape.pre_filter) if shape.pre_filter is not None else None,
        "columns": [_column(column) for column in shape.outputs],
        "run_axis": shape.run_axis,
        "granularity": str(shape.granularity),
        "week_start": shape.week_start if shape.granularity == "week" else None,
        "redelivery": profile.redelivery if profile is not None else None,
        "source_columns": {
            column.name: _source_column(column) for column in source.columns if column.name in shape.reads
        },
    }
    return _text(content)


def _column(column: OutputColumn) -> _Content:
    return {"name": column.name, "kind": column.kind, "sql": canonical(column.sql)}


def _source_column(column: SourceColumn) -> _Content:
    expression = canonical(column.expression) if column.expression is not None else None
    return {"type": types.normal(column.type) or column.type, "expression": expression}


def query_definition(model: Model, kind: str) -> str:
    """The definition of a view or a full table: its SQL with references as addresses."""
    span = model.sql_span
    named = [(r.span, r.address.sql) for r in model.references if span.covers(r.span)]
    return _text(
        {"layout": LAYOUT, "kind": kind, "sql": canonical(rewrite(model.text, span, named)).removesuffix(" ;")}
    )


def definition_hash(definition: str) -> str:
    """The SHA-256 of a definition, in hexadecimal."""
    return hashlib.sha256(definition.encode()).hexdigest()


def _text(content: _Content) -> str:
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


_NAMES = {
    "kind": "kind",
    "source": "source",
    "clock": "clock",
    "delete_flag": "delete flag",
    "pre_filter": "filter",
    "run_axis": "run axis",
    "granularity": "granularity",
    "week_start": "first day of the week",
    "redelivery": "redelivery",
    "sql": "query",
}


def what_changed(old: str, new: str) -> tuple[str, ...]:
    """The differences of two definitions, in words; empty if they mean the same."""
    before, after = _loaded(old), _loaded(new)
    found: list[str] = []
    if before.get("key") != after.get("key"):
        found.append(f"key changed from ({_names(before.get('key'))}) to ({_names(after.get('key'))})")
    for field, name in _NAMES.items():
        if before.get(field) != after.get(field):
            if field == "sql":
                found.append("the query changed")
            else:
                found.append(f"{name} changed from {_shown(before.get(field))} to {_shown(after.get(field))}")
    found += _column_changes(_by_name(before.get("columns")), _by_name(after.get("columns")))
    found += _source_changes(_mapping(before.get("source_columns")), _mapping(after.get("source_columns")))
    if not found and before != after:
        found.append("the order of the columns changed" if _reordered(before, after) else "its definition changed")
    return tuple(found)


def _column_changes(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    found = [f"column {name} was removed" for name in before if name not in after]
    found += [f"column {name} was added" for name in after if name not in before]
    found += [
        f"column {name} is computed in another way" for name in after if before.get(name, after[name]) != after[name]
    ]
    return found


def _source_changes(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    found: list[str] = []
    for name in after:
        old, new = _mapping(before.get(name)), _mapping(after[name])
        if old and old.get("type") != new.get("type"):
            found.append(f"source column {name} changed type from {old.get('type')} to {new.get('type')}")
        if old and old.get("expression") != new.get("expression"):
            found.append(f"source column {name} has another expression")
    return found


def _loaded(text: str) -> Mapping[str, object]:
    return _mapping(json.loads(text))


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _by_name(value: object) -> dict[str, object]:
    return (
        {str(entry.get("name")): entry for entry in value if isinstance(entry, dict)} if isinstance(value, list) else {}
    )


def _reordered(before: Mapping[str, object], after: Mapping[str, object]) -> bool:
    return _by_name(before.get("columns")) == _by_name(after.get("columns"))


def _names(value: object) -> str:
    return ", ".join(str(name) for name in value) if isinstance(value, list) else ""


def _shown(value: object) -> str:
    return "none" if value is None else str(value)
