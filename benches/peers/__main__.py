"""The same stream through smelt, SQLMesh's SCD type 2, dbt's snapshots and smelt-sql 0.3.2.

    python -m benches.peers --make-environments

Two questions. *From nothing*: ten days arrive one by one, and each tool runs after each. *One more day*: a large
history is there, and right, and one day arrives; the snapshot tools are handed that history, as no row of it would
get there by their own first run. Then each tool's table is compared with the window SQL over all that arrived.
"""

import argparse
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benches import environments
from benches.folds.bars import Bar, share
from benches.folds.lab import DAYS, day
from benches.measuring import ChildFailed, machine, spread, table
from benches.peers.model import Peer, Place
from benches.peers.tools import peers
from benches.streams import Stream

_BARS = {"SQLMesh": Bar(1 / 9), "dbt": Bar(1 / 5), "smelt-sql": Bar(1 / 5.5)}
_HEADER = ("tool", "CPU s", "wall s", "smelt / tool", "bar", "file MiB", "rows", "missing", "wrong")


def from_nothing(tools: Sequence[Peer], folder: Path, days: int, events: int, stream: Stream) -> list[Place]:
    """Days arrive one by one."""
    places = [Place(tool, folder / str(at)) for at, tool in enumerate(tools)]
    for place in places:
        place.write()
    for number in range(days):
        for place in places:
            place.load(stream.select(number * events, events, str(number)))
            arguments = place.peer.next(day(number)) if number else place.peer.first(day(0), day(0))
            place.costs.append(place.run(arguments))
    return places


def one_more_day(
    tools: Sequence[Peer], folder: Path, history: int, events: int, rounds: int, stream: Stream
) -> list[Place]:
    """One day arrives after a large history; every round begins from the same files."""
    ready = []
    for at, tool in enumerate(tools):
        place = Place(tool, folder / f"ready-{at}")
        place.write()
        place.load(stream.select(0, history, f"arrival * {DAYS} // {history}"))
        place.run(tool.first(day(DAYS - 1), day(DAYS - 1)))
        place.give_history()
        place.load(stream.select(history, events, str(DAYS)))
        ready.append(place)
    places = [Place(one.peer, folder / f"run-{at}", one.source_size) for at, one in enumerate(ready)]
    for _ in range(rounds):
        for one, place in zip(ready, places, strict=True):
            shutil.rmtree(place.folder, ignore_errors=True)
            shutil.copytree(one.folder, place.folder)
            place.costs.append(place.run(place.peer.next(day(DAYS))))
    return places


def report(places: Sequence[Place], *, summed: bool, judged: bool) -> str:
    """The tools under each other: their runs added up if ``summed``, else the median; with bars if ``judged``."""
    rows = []
    ours = [cost.cpu for cost in places[0].costs]
    for place in places:
        cpu, wall = [cost.cpu for cost in place.costs], [cost.wall for cost in place.costs]
        ratio = sum(ours) / sum(cpu) if summed else median(a / b for a, b in zip(ours, cpu, strict=True))
        bar = next((bar for name, bar in _BARS.items() if place.peer.name.startswith(name)), None)
        verdict = f"≤ 1/{1 / bar.most:g}: {bar.verdict(ratio)}" if bar is not None and judged else ""
        count, missing, wrong = place.differences()
        rows.append(
            (
                place.peer.name,
                f"{sum(cpu):.1f}" if summed else spread(cpu),
                f"{sum(wall):.1f}" if summed else f"{median(wall):.1f}",
                share(ratio) if place is not places[0] else "",
                verdict,
                f"{place.own_size / 2**20:.1f}",
                f"{count:,}",
                f"{missing:,}",
                f"{wrong:,}",
            )
        )
    return table(_HEADER, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--history", type=int, default=10_000_000)
    parser.add_argument("--window", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--days", type=int, default=10, help="days of the stream from nothing")
    parser.add_argument("--environments", type=Path, default=environments.DEFAULT)
    parser.add_argument("--make-environments", action="store_true")
    arguments = parser.parse_args()
    if arguments.make_environments:
        names = (environments.SMELT, environments.SQLMESH, environments.DBT, environments.SMELT_SQL)
        environments.make_all(arguments.environments, names)
    tools = peers(arguments.environments)
    print(machine(), flush=True)
    with tempfile.TemporaryDirectory(prefix="smelt-bench-") as folder:
        stream = Stream(keys=arguments.window)
        print(f"\nFrom nothing: {arguments.days} days of {arguments.window:,} changes, {arguments.window:,} keys\n")
        print(
            report(
                from_nothing(tools, Path(folder) / "a", arguments.days, arguments.window, stream),
                summed=True,
                judged=False,
            )
        )
        stream = Stream(keys=arguments.history // 10)
        print(f"\nOne more day: {arguments.window:,} changes into {arguments.history:,}\n", flush=True)
        places = one_more_day(tools, Path(folder) / "b", arguments.history, arguments.window, arguments.rounds, stream)
        print(report(places, summed=False, judged=arguments.history == 10_000_000))
    print()
    for tool in tools:
        print(f"- {tool.name} promises: {tool.promise}.")


if __name__ == "__main__":
    try:
        main()
    except ChildFailed as error:
        raise SystemExit(str(error)) from error
