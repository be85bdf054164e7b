"""The bars that are about one situation each: a key with a long history, the same window again, many windows."""

import hashlib
from dataclasses import replace
from pathlib import Path
from statistics import median

from benches.folds import bars
from benches.folds.lab import DAYS, History, Lab, day
from benches.folds.measure import arm
from benches.measuring import spread
from benches.streams import FIRST_DAY, Stream

Row = tuple[str, ...]
_WINDOW = 10_000
_LONG_KEY = 10_000_000
_LIMIT_MIB = 256


def on_history(history: History, rounds: int) -> list[Row]:
    """What is measured on the largest history."""
    return [
        _deciding(history, rounds),
        *_same_window(history, rounds),
        _long_keys(history, rounds),
        *_memory(history),
    ]


def on_their_own(folder: Path, rounds: int) -> list[Row]:
    """What is measured on a history of a million events, whatever the others are."""
    return [_one_long_key(folder / "long-key", rounds), *_many_windows(folder / "many-windows")]


def _deciding(history: History, rounds: int) -> Row:
    """A run without a window that finds nothing new: it counts the source, and writes nothing."""
    lab = Lab(history, "deciding")
    lab.make(0)
    found = []
    for _ in range(rounds):
        lab.reset()
        found.append(arm("fold", lab.folder).cpu)
    lab.discard()
    what = f"deciding what is new in a source of {history.events:,} events"
    milliseconds = [1000 * one for one in found]
    return (what, f"{spread(milliseconds)} ms", "≤ 60 ms", bars.DECIDING.verdict(median(found)))


def _same_window(history: History, rounds: int) -> list[Row]:
    lab = Lab(history, "again")
    lab.make(_WINDOW)
    at, fresh, again, is_same = day(DAYS), [], [], True
    for _ in range(rounds):
        lab.reset()
        fresh.append(arm("fold", lab.folder, at).cpu)
        before = _digest(lab.database)
        again.append(arm("fold", lab.folder, at).cpu)
        is_same = is_same and _digest(lab.database) == before
    lab.discard()
    ratio = bars.paired(again, fresh)
    what = f"the same window of {_WINDOW:,} again into {history.events:,}"
    return [
        (f"{what}: against the first time", f"{ratio:.2f}", "≤ 1.2", bars.SAME_WINDOW.verdict(ratio)),
        (f"{what}: bytes of the file", "the same" if is_same else "others", "the same", "met" if is_same else "MISSED"),
    ]


def _long_keys(history: History, rounds: int) -> Row:
    """A hundred events a key against ten, in a history of the same size."""
    stream = replace(history.stream, keys=max(history.events // 100, 1))
    longer = History(history.folder / "longer", stream, history.events)
    longer.make()
    labs = (Lab(history, "short-keys"), Lab(longer, "long-keys"))
    found: tuple[list[float], list[float]] = ([], [])
    for lab in labs:
        lab.make(_WINDOW)
    for _ in range(rounds):
        for lab, costs in zip(labs, found, strict=True):
            lab.reset()
            costs.append(arm("fold", lab.folder, day(DAYS)).cpu)
    for lab in labs:
        lab.discard()
    longer.discard()
    ratio = bars.paired(found[1], found[0])
    what = f"100 events a key against 10, window {_WINDOW:,}, history {history.events:,}"
    return (what, f"{ratio:.2f}", "≤ 1.3", bars.LONG_KEYS.verdict(ratio))


def _memory(history: History) -> list[Row]:
    """The most memory of a fold, as it is and under a limit far below the size of the history."""
    rows: list[Row] = []
    for limit in (None, f"{_LIMIT_MIB}MiB"):
        lab = Lab(replace(history, memory_limit=limit), f"memory-{limit}")
        lab.make(_WINDOW)
        lab.reset()
        used = arm("fold", lab.folder, day(DAYS)).memory / 2**20
        lab.discard()
        what = f"memory of the whole process, window {_WINDOW:,}, history {history.events:,}, "
        what += "no limit" if limit is None else f"memory_limit {limit}"
        rows.append((what, f"{used:.0f} MiB", "", "folded"))
    return rows


def _one_long_key(folder: Path, rounds: int) -> Row:
    """A late event into a key of 200,000 versions, against one into a key of ten."""
    events, versions = 1_000_000, 200_000
    step = events * 64_000_000 // versions
    history = History(folder, Stream(keys=events // 10), events)
    history.make(
        f"SELECT {_LONG_KEY}, 'gold', 'emea', make_timestamp(1577836800000000 + range * {step}), FALSE, "
        f"DATE '{FIRST_DAY}' + CAST(range * {DAYS} // {versions} AS INTEGER) FROM range({versions})"
    )
    middle = f"make_timestamp({1577836800000000 + events // 2 * 64_000_000 + 63_999_999})"
    found: tuple[list[float], list[float]] = ([], [])
    labs = []
    for name, key in (("short", 5), ("long", _LONG_KEY)):
        lab = Lab(history, name)
        lab.make(1, select=f"SELECT {key}, 'gold', 'emea', {middle}, FALSE, DATE '{day(DAYS)}'")
        labs.append(lab)
    for _ in range(rounds):
        for lab, costs in zip(labs, found, strict=True):
            lab.reset()
            costs.append(arm("fold", lab.folder, day(DAYS)).cpu)
    history.discard()
    ratio = bars.paired(found[1], found[0])
    what = f"a late event into one key with {versions:,} versions, against into a short key"
    return (what, f"{ratio:.2f}", "≤ 1.3", bars.ONE_LONG_KEY.verdict(ratio))


def _many_windows(folder: Path) -> list[Row]:
    """Fifty windows one after the other in one process, as a backfill does."""
    windows, events = 50, 1_000_000
    history = History(folder, Stream(keys=events // 10), events)
    history.make()
    lab = Lab(history, "many")
    lab.make(1_000, windows=windows)
    lab.reset()
    before = lab.database.stat().st_size
    each = arm("fold", lab.folder, *(day(DAYS + at) for at in range(windows))).each
    after = lab.database.stat().st_size
    history.discard()
    slower, larger = median(each[-10:]) / median(each[:10]), after / before
    what = f"{windows} windows of 1,000 on {events:,}"
    return [
        (f"{what}: last ten against first ten", f"{slower:.2f}", "≤ 1.15", bars.LAST_WINDOWS.verdict(slower)),
        (f"{what}: file against first build", f"{larger:.2f}", "≤ 1.8", bars.FILE_GROWTH.verdict(larger)),
    ]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
