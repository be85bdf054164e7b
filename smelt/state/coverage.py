"""``intervals.json`` and ``landed_deltas.json``: which ranges were folded, which partitions were counted. Pure."""

from bisect import bisect_left
from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from smelt.plan.landed import SINGLE_PARTITIONS
from smelt.project.model import Granularity
from smelt.state.documents import JsonObject
from smelt.state.fields import Fields
from smelt.state.records import Landed
from smelt.text.intervals import Interval, merge, subtract

Drift = Literal["none", "behind", "ahead"]


def bounds(interval: Interval, granularity: Granularity | None = None) -> tuple[str, str]:
    """Both ends as text: calendar dates, or ISO timestamps for hours and for whatever is no midnight."""
    ends = (interval.start, interval.end)
    midnights = all(end == datetime(end.year, end.month, end.day) for end in ends)
    if midnights and granularity is not Granularity.HOUR:
        return interval.start.date().isoformat(), interval.end.date().isoformat()
    return interval.start.isoformat(), interval.end.isoformat()


def intervals_from_json(document: object) -> dict[str, tuple[Interval, ...]]:
    """Model to its ranges, sorted and disjoint."""
    fields = Fields(document)
    models = fields.object("models")
    return {name: merge(entry.interval() for entry in models.items(name)) for name in fields.names("models")}


def landed_from_json(document: object) -> dict[str, tuple[Landed, ...]]:
    """Source to the partitions that runs counted, in order."""
    fields = Fields(document)
    sources = fields.object("sources")
    return {
        name: tuple(Landed(entry.interval(), entry.integer("rows")) for entry in sources.items(name))
        for name in fields.names("sources")
    }


def intervals_to_json(coverage: Iterable[Interval], granularity: Granularity, known: object) -> list[JsonObject]:
    """One model's entry; ranges that the old entry ``known`` has too keep their unknown fields."""
    ranges = [bounds(interval, granularity) for interval in coverage]
    return _keep_unknown([{"start": start, "end": end} for start, end in ranges], known)


def landed_to_json(partitions: Iterable[Landed], granularity: Granularity, known: object) -> list[JsonObject]:
    """One source's entry; partitions that the old entry ``known`` has too keep their unknown fields."""
    written: list[JsonObject] = []
    for partition in partitions:
        start, end = bounds(partition.interval, granularity)
        written.append({"start": start, "end": end, "rows": partition.rows})
    return _keep_unknown(written, known)


def _keep_unknown(entries: list[JsonObject], known: object) -> list[JsonObject]:
    old = {
        (entry.get("start"), entry.get("end")): entry
        for entry in (known if isinstance(known, list) else ())
        if isinstance(entry, dict)
    }
    return [{**old.get((entry["start"], entry["end"]), {}), **entry} for entry in entries]


def merge_landed(known: Iterable[Landed], counted: Iterable[Landed]) -> tuple[Landed, ...]:
    """All partitions in order, the newly counted in the place of whatever they overlap."""
    fresh = tuple(counted)
    taken = merge(partition.interval for partition in fresh)
    kept = [old for old in known if not _touches(old.interval, taken)]
    return tuple(sorted((*kept, *fresh), key=lambda partition: partition.interval))


def _touches(interval: Interval, taken: tuple[Interval, ...]) -> bool:
    after = bisect_left(taken, interval.end, key=lambda one: one.start)
    return after > 0 and taken[after - 1].end > interval.start


def roll_up(partitions: Iterable[Landed]) -> tuple[Landed, ...]:
    """The newest partitions one by one; of the older ones those that touch are one, with the rows of all of them.

    So the file does not grow with every run, and each of its writes stays small.
    """
    ordered = tuple(partitions)
    rolled: list[Landed] = []
    for one in ordered[:-SINGLE_PARTITIONS]:
        if rolled and rolled[-1].interval.end == one.interval.start:
            last = rolled[-1]
            rolled[-1] = Landed(Interval(last.interval.start, one.interval.end), last.rows + one.rows)
        else:
            rolled.append(one)
    return (*rolled, *ordered[-SINGLE_PARTITIONS:])


def drift(known: tuple[Interval, ...], truth: tuple[Interval, ...]) -> Drift:
    """How what the file says relates to what the warehouse says.

    ``behind``: the warehouse has ranges that the file does not know (state was lost, or a run was killed after its
    commit). ``ahead``: the file has ranges that the warehouse has not (a restored database).
    """
    if any(subtract(interval, truth) for interval in known):
        return "ahead"
    return "behind" if any(subtract(interval, known) for interval in truth) else "none"
