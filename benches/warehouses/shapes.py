"""The queries of a made project: a dozen things that people write, with other columns each time."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benches.warehouses.model import Columns

_LABELS = ("tier", "region", "status", "channel", "segment", "country", "currency", "origin", "category", "owner")
_NUMBERS = ("amount", "discount", "quantity", "score", "margin", "weight", "balance", "rate", "duration", "fee")
_FIRST_DAYS = ("2023-01-01", "2023-07-01", "2024-01-01", "2024-04-01")
_GRAINS = ("day", "week", "month")

Parents = Sequence[tuple[str, Columns]]


@dataclass(frozen=True, slots=True)
class Query:
    """A query and what it gives."""

    columns: Columns
    sql: str
    description: str


def source_columns(noun: str, clock: str, rng: random.Random) -> Columns:
    """Columns of a relation that others load."""
    labels = tuple(rng.sample(_LABELS, rng.randint(2, 5)))
    return Columns(noun, f"{noun}_id", clock, labels, tuple(rng.sample(_NUMBERS, rng.randint(2, 5))))


def history(source: str, given: Columns, rng: random.Random) -> Query:
    """A model that smelt keeps by events: ``LEAD`` of the clock over a stream of changes, deletes taken out."""
    labels, numbers = _some(given.labels, rng), _some(given.numbers, rng)
    window = f"PARTITION BY {given.key} ORDER BY {given.at}"
    named = rng.random() < 0.5
    over = "OVER versions" if named else f"OVER ({window})"
    items = [
        given.key,
        f"{given.at} AS valid_from",
        *(rng.choice((name, f"upper({name}) AS {name}", f"coalesce({name}, 'unknown') AS {name}")) for name in labels),
        *(rng.choice((name, f"round({name} * 100, 1) AS {name}")) for name in numbers),
        f"LEAD({given.at}) {over} AS valid_to",
        f"LEAD({given.at}) {over} IS NULL AS is_current",
    ]
    if rng.random() < 0.25:
        items.append(f"LAG({given.at}) {over} AS previous_from")
    parts = [f"SELECT\n{_listed(items)}", f"FROM «{source}»"]
    if rng.random() < 0.3:
        parts.append(f"WHERE {labels[0]} IS DISTINCT FROM 'test'")
    if named:
        parts.append(f"WINDOW versions AS ({window})")
    parts.append("QUALIFY NOT is_deleted")
    columns = Columns(given.noun, given.key, "valid_from", labels, numbers)
    about = f"Every version of every {given.noun}, each with the interval in which it held"
    return Query(columns, "\n".join(parts), about)


def staging(source: str, given: Columns, rng: random.Random) -> Query:
    """Rename, cast, trim and filter."""
    labels, numbers = _some(given.labels, rng), _some(given.numbers, rng)
    at = rng.choice(("occurred_at", "seen_at", "booked_at"))
    items = [
        f"CAST(raw.{given.key} AS INTEGER) AS {given.key}",
        f"date_trunc('second', raw.{given.at}) AS {at}",
        *(f"nullif(lower(trim(raw.{name})), '') AS {name}" for name in labels),
        *(f"greatest(round(raw.{name}, 2), 0) AS {name}" for name in numbers),
        "raw.ingested_date",
    ]
    sql = (
        f"SELECT\n{_listed(items)}\nFROM «{source}» AS raw\n"
        f"WHERE raw.{given.at} >= TIMESTAMP '{rng.choice(_FIRST_DAYS)}'\n"
        f"  AND raw.{labels[0]} IS NOT NULL"
    )
    return Query(Columns(given.noun, given.key, at, labels, numbers), sql, f"The {given.noun} rows, cleaned and typed")


def joined(parents: Parents, rng: random.Random) -> Query:
    """The newest state of each parent in a CTE, then all of them side by side."""
    (first, base), *others = parents
    label, number = rng.choice(base.labels), rng.choice(base.numbers)
    ctes = [
        f"base AS (\n    SELECT {base.key}, {base.at}, {label}, {number}\n    FROM «{first}»\n"
        f"    WHERE {number} IS NOT NULL\n)"
    ]
    items = [f"base.{base.key} AS {base.key}", f"base.{base.at} AS {base.at}", f"base.{label} AS {label}"]
    labels, numbers = [label], [f"total_{number.removeprefix('total_')}"]
    joins = []
    terms = [f"base.{number}"]
    for at, (name, other) in enumerate(others, start=1):
        value, other_label = rng.choice(other.numbers), rng.choice(other.labels)
        alias = f"other_{at}"
        ctes.append(
            f"{alias} AS (\n    SELECT {other.key}, max({other_label}) AS {other_label}, sum({value}) AS {value}\n"
            f"    FROM «{name}»\n    GROUP BY {other.key}\n)"
        )
        joins.append(f"LEFT JOIN {alias} ON {alias}.{other.key} = base.{base.key}")
        items.append(f"coalesce({alias}.{other_label}, 'none') AS label_{at}")
        labels.append(f"label_{at}")
        terms.append(f"coalesce({alias}.{value}, 0)")
    items.append(f"{' + '.join(terms)} AS {numbers[0]}")
    sql = "\n".join([f"WITH {', '.join(ctes)}", f"SELECT\n{_listed(items)}", "FROM base", *joins])
    columns = Columns(base.noun, base.key, base.at, tuple(labels), tuple(numbers))
    return Query(columns, sql, f"Each {base.noun} with what {len(others) or 'no'} other relations add to it")


def ranked(parents: Parents, rng: random.Random) -> Query:
    """The newest row of each key, with its rank among its kind."""
    name, given = parents[0]
    labels, number = _some(given.labels, rng), rng.choice(given.numbers)
    items = [
        given.key,
        given.at,
        *labels,
        number,
        f"rank() OVER (PARTITION BY {labels[0]} ORDER BY {number} DESC, {given.key}) AS place",
        f"avg({number}) OVER (PARTITION BY {labels[0]}) AS usual_{_short(number)}",
    ]
    sql = (
        f"WITH recent AS (\n    SELECT {', '.join([given.key, given.at, *labels, number])}\n    FROM «{name}»\n"
        f"    QUALIFY row_number() OVER (PARTITION BY {given.key} ORDER BY {given.at} DESC) = 1\n)\n"
        f"SELECT\n{_listed(items)}\nFROM recent\nWHERE {labels[0]} IS NOT NULL"
    )
    columns = Columns(given.noun, given.key, given.at, labels, (number, f"usual_{_short(number)}"))
    return Query(columns, sql, f"The newest state of each {given.noun}, and its place among its kind")


def united(parents: Parents, rng: random.Random) -> Query:
    """Rows of two or three relations under each other, in common columns."""
    label, number = rng.choice(_LABELS), rng.choice(_NUMBERS)
    parts = []
    for name, given in parents:
        parts.append(
            f"SELECT\n    {given.key} AS thing_id,\n    {given.at} AS occurred_at,\n    '{given.noun}' AS kind,\n"
            f"    {rng.choice(given.labels)} AS {label},\n    CAST({rng.choice(given.numbers)} AS DOUBLE) AS {number}\n"
            f"FROM «{name}»\nWHERE {given.at} < TIMESTAMP '2026-01-01'"
        )
    columns = Columns(parents[0][1].noun, "thing_id", "occurred_at", ("kind", label), (number,))
    nouns = " and ".join(dict.fromkeys(given.noun for _, given in parents))
    return Query(columns, "\nUNION ALL\n".join(parts), f"What happened to {nouns}, in one shape")


def enriched(parents: Parents, rng: random.Random) -> Query:
    """A parent with a few columns more; the usual link of a chain."""
    name, given = parents[0]
    labels, number = _some(given.labels, rng), rng.choice(given.numbers)
    short = _short(number)
    edges = sorted(rng.sample(range(10, 1000, 10), 2))
    items = [
        f"r.{given.key}",
        f"r.{given.at}",
        *(f"r.{label}" for label in labels),
        f"r.{number}",
        f"CASE WHEN r.{number} < {edges[0]} THEN 'small' WHEN r.{number} < {edges[1]} THEN 'medium' ELSE 'large' END\n"
        f"        AS {short}_size",
        f"r.{number} / (1 + sum(r.{number}) OVER (PARTITION BY r.{given.key})) AS {short}_share",
        f"date_diff('day', r.{given.at}, TIMESTAMP '2026-01-01') AS age_days",
    ]
    sql = f"SELECT\n{_listed(items)}\nFROM «{name}» AS r\nWHERE r.{given.key} > 0"
    columns = Columns(given.noun, given.key, given.at, (*labels, f"{short}_size"), (number, f"{short}_share"))
    return Query(columns, sql, f"Each {given.noun} with its size and share")


def mart(parents: Parents, rng: random.Random) -> Query:
    """Counts and sums by a label and a stretch of time, joined on both."""
    (first, base), *others = parents
    grain, label, number = rng.choice(_GRAINS), rng.choice(base.labels), rng.choice(base.numbers)
    facts = (
        f"WITH facts AS (\n    SELECT date_trunc('{grain}', {base.at}) AS period, {label} AS label, "
        f"{base.key} AS thing, {number} AS value\n    FROM «{first}»\n)"
    )
    items = [
        "facts.period",
        "facts.label",
        "count(DISTINCT facts.thing) AS things",
        "sum(facts.value) AS total",
        "avg(facts.value) FILTER (WHERE facts.value > 0) AS usual",
    ]
    joins = []
    for at, (name, other) in enumerate(others, start=1):
        joins.append(f"LEFT JOIN «{name}» AS other_{at} ON other_{at}.{other.key} = facts.thing")
        items.append(f"max(other_{at}.{rng.choice(other.numbers)}) AS most_{at}")
    ending = ["GROUP BY ALL", "HAVING count(*) > 1"]
    sql = "\n".join([facts, f"SELECT\n{_listed(items)}", "FROM facts", *joins, *ending])
    columns = Columns(base.noun, "things", "period", ("label",), ("total", "usual"))
    return Query(columns, sql, f"What each {base.noun} came to, by {grain}")


INTERMEDIATE: tuple[Callable[[Parents, random.Random], Query], ...] = (joined, joined, ranked, united, enriched)
"""The shapes of intermediate models; one that is there twice comes twice as often."""


def _some(names: tuple[str, ...], rng: random.Random) -> tuple[str, ...]:
    return tuple(rng.sample(names, rng.randint(1, min(2, len(names)))))


def _short(name: str) -> str:
    """A column's name without what chains would pile up."""
    for prefix in ("total_", "usual_"):
        name = name.removeprefix(prefix)
    return name.removesuffix("_share")


def _listed(items: Sequence[str]) -> str:
    return ",\n".join(f"    {item}" for item in dict.fromkeys(items))
