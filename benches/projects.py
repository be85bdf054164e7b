"""Big projects for measuring: the same models as a smelt, a SQLMesh and a dbt project.

    python -m benches.projects DIR --models 1000

A number and a seed decide every byte. What is made looks like a warehouse: sources with declared columns, staging
views over them, histories (``LEAD`` over a change stream), intermediate models that join, union, rank and chain,
and marts that aggregate. Some models are read by many others, most by few, and no chain is longer than ten.
"""

import argparse
import random
from pathlib import Path

from benches.warehouses import shapes
from benches.warehouses.model import Kind, Layer, Model, Source, Warehouse
from benches.warehouses.writing import FLAVOURS, write

_NOUNS = ("customer", "order", "product", "store", "payment", "shipment", "campaign", "ticket", "device", "invoice")
_MODELS_PER_SOURCE = 15
_SHARES: tuple[tuple[Layer, float], ...] = (("staging", 0.24), ("history", 0.12), ("intermediate", 0.40))
_DEEPEST = 9


def generate(models: int, seed: int = 1) -> Warehouse:
    """A warehouse of so many models; equal arguments give equal warehouses.

    Raises:
        ValueError: fewer than ten models, which is too few for one of each kind.
    """
    if models < 10:
        raise ValueError(f"a warehouse has ten models or more, not {models}")
    rng = random.Random(f"{models}/{seed}")
    sources = _sources(max(2, models // _MODELS_PER_SOURCE), rng)
    made: list[Model] = []
    for layer, count in _layers(models):
        made.extend(_over_sources(layer, count, sources, rng) if layer in ("staging", "history") else ())
        for at in range(count if layer in ("intermediate", "marts") else 0):
            made.append(_over_models(layer, at, made, rng))
    return Warehouse(sources, tuple(made))


def _layers(models: int) -> tuple[tuple[Layer, int], ...]:
    counts = tuple((layer, max(1, int(models * share))) for layer, share in _SHARES)
    return (*counts, ("marts", models - sum(count for _, count in counts)))


def _sources(count: int, rng: random.Random) -> tuple[Source, ...]:
    """Streams of changes and facts in turn."""
    made = []
    for at in range(count):
        noun, is_stream = _NOUNS[at // 2 % len(_NOUNS)], at % 2 == 0
        name, clock = ("changes", "effective_ts") if is_stream else ("events", "event_ts")
        made.append(Source(f"{noun}_{name}_{at:04d}", shapes.source_columns(noun, clock, rng), is_stream))
    return tuple(made)


def _over_sources(layer: Layer, count: int, sources: tuple[Source, ...], rng: random.Random) -> list[Model]:
    is_history = layer == "history"
    usable = [one for one in sources if one.is_stream or not is_history]
    shape, prefix = (shapes.history, "hist") if is_history else (shapes.staging, "stg")
    kind: Kind = "succession" if is_history else "view"
    made = []
    for at in range(count):
        source = rng.choice(usable)
        query = shape(source.name, source.columns, rng)
        name = f"{prefix}_{query.columns.noun}_{at:04d}"
        made.append(Model(name, layer, kind, query.columns, query.description, query.sql, (source.name,), 1))
    return made


def _over_models(layer: Layer, at: int, made: list[Model], rng: random.Random) -> Model:
    is_mart = layer == "marts"
    parents = _parents(made, rng.choice((1, 1, 2, 3)), rng)
    shape = shapes.mart if is_mart else rng.choice(shapes.INTERMEDIATE)
    query = shape([(parent.name, parent.columns) for parent in parents], rng)
    name = f"{'mart' if is_mart else 'int'}_{query.columns.noun}_{at:04d}"
    kind: Kind = "table" if is_mart or rng.random() < 0.15 else "view"
    read = tuple(parent.name for parent in parents if f"«{parent.name}»" in query.sql)
    level = 1 + max(parent.level for parent in parents if parent.name in read)
    return Model(name, layer, kind, query.columns, query.description, query.sql, read, level)


def _parents(made: list[Model], count: int, rng: random.Random) -> list[Model]:
    """Half of the time a recent model, which makes chains; else rather an early one, which many others read as well."""
    usable = [one for one in made if one.level < _DEEPEST and one.layer != "marts"]
    found: dict[str, Model] = {}
    while len(found) < min(count, len(usable)):
        recent = rng.random() < 0.5
        parent = rng.choice(usable[-12:]) if recent else usable[int(len(usable) * rng.random() ** 2)]
        found.setdefault(parent.name, parent)
    return list(found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="gets a folder for each flavour")
    parser.add_argument("--models", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--flavour", choices=FLAVOURS, action="append", help="only this one; may be repeated")
    arguments = parser.parse_args()
    warehouse = generate(arguments.models, arguments.seed)
    for flavour in arguments.flavour or FLAVOURS:
        print(f"{write(warehouse, flavour, arguments.folder / flavour)} files in {arguments.folder / flavour}")


if __name__ == "__main__":
    main()
