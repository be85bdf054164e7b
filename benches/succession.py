"""What a fold costs: smelt's, a full recompute of the model's SQL, and the least that any fold must do.

    python -m benches.succession                          # 1 and 10 million events of history
    python -m benches.succession --histories 1000000      # quick
    python -m benches.succession --histories 1000000 10000000 50000000

Every arm of every round runs in a process of its own on a fresh copy of the same database, in turns. Figures are
seconds of CPU from before the transaction to after a checkpoint; ratios are medians of the ratios within each round.
"""

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benches.folds import bars, scenarios
from benches.folds.lab import DAYS, History, Lab, day
from benches.folds.measure import Measured, arm
from benches.measuring import exponent, machine, spread, table
from benches.streams import Stream

ARMS = ("fold", "recompute", "floor")
_WINDOWS = (1_000, 10_000, 100_000, 1_000_000)
_HEADER = (
    "history",
    "window",
    "smelt",
    "full recompute",
    "floor",
    "smelt / recompute",
    "bar",
    "smelt / floor",
    "bar",
    "rows in, patched, tombstones",
    "memory MiB",
)


@dataclass(frozen=True, slots=True)
class Compared:
    """All rounds of one history and one window, by arm."""

    history: int
    window: int
    rounds: dict[str, list[Measured]]

    def cpu(self, name: str) -> list[float]:
        """The CPU seconds of an arm, by round."""
        return [one.cpu for one in self.rounds[name]]

    def row(self) -> tuple[str, ...]:
        """A line of the table."""
        ours = self.cpu("fold")
        recompute, floor = bars.paired(ours, self.cpu("recompute")), bars.paired(ours, self.cpu("floor"))
        has_bars = self.history == 10_000_000
        changed = self.rounds["fold"][0].changed
        return (
            f"{self.history:,}",
            f"{self.window:,}",
            *(spread(self.cpu(name)) for name in ARMS),
            bars.share(recompute),
            _verdict(bars.AGAINST_RECOMPUTE.get(self.window) if has_bars else None, recompute),
            f"{floor:.1f}",
            _verdict(bars.AGAINST_FLOOR.get(self.window) if has_bars else None, floor),
            ", ".join(f"{count:,}" for count in changed),
            " / ".join(f"{max(one.memory for one in self.rounds[name]) / 2**20:.0f}" for name in ARMS),
        )


def compare(history: History, window: int, rounds: int, flags: tuple[str, ...] = ()) -> Compared:
    """Fold one window in all arms, in turns; ``flags`` go to each arm."""
    lab = Lab(history, f"window-{window}")
    lab.make(window)
    at = day(DAYS)
    found: dict[str, list[Measured]] = {name: [] for name in ARMS}
    for _ in range(rounds):
        for name in ARMS:
            lab.reset()
            found[name].append(arm(name, lab.folder, *flags, at))
    lab.discard()
    return Compared(history.events, window, found)


def growth(compared: Sequence[Compared]) -> list[tuple[str, ...]]:
    """How smelt's cost grows with the history and with the window."""
    cost = {(one.history, one.window): median(one.cpu("fold")) for one in compared}
    histories = sorted({history for history, _ in cost})
    rows: list[tuple[str, ...]] = []
    at_10k = [history for history in histories if (history, 10_000) in cost and history <= 10_000_000]
    if len(at_10k) > 1:
        found = exponent(at_10k, [cost[history, 10_000] for history in at_10k])
        what = f"growth with the history, {at_10k[0]:,} to {at_10k[-1]:,}, window 10,000"
        rows.append((what, f"exponent {found:.2f}", "≤ 0.6", bars.GROWTH_WITH_HISTORY.verdict(found)))
    for history in histories:
        windows = [window for window in _WINDOWS[:3] if (history, window) in cost]
        if len(windows) > 1:
            found = exponent(windows, [cost[history, window] for window in windows])
            what = f"growth with the window, {windows[0]:,} to {windows[-1]:,}, history {history:,}"
            verdict = bars.GROWTH_WITH_WINDOW.verdict(found)
            rows.append((what, f"exponent {found:.2f}", "≤ 0.45", verdict))
    return rows


def _verdict(bar: bars.Bar | None, found: float) -> str:
    if bar is None:
        return ""
    most = bars.share(bar.most) if bar.most < 0.5 else f"{bar.most:g}"
    return f"≤ {most}: {bar.verdict(found)}"


def _stream(events: int, arguments: argparse.Namespace) -> Stream:
    return Stream(
        keys=max(events // arguments.events_per_key, 1),
        skew=arguments.skew,
        late=arguments.late,
        deletes=arguments.deletes,
        redelivered=arguments.redelivered,
        seed=arguments.seed,
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--histories", type=int, nargs="+", default=[1_000_000, 10_000_000], metavar="N")
    parser.add_argument("--windows", type=int, nargs="+", default=list(_WINDOWS), metavar="D")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--events-per-key", type=int, default=10)
    parser.add_argument("--skew", type=float, default=1.0, help="1: keys are drawn evenly")
    parser.add_argument("--late", type=float, default=0.3, help="share of late events")
    parser.add_argument("--deletes", type=float, default=0.05, help="share of deletes")
    parser.add_argument("--redelivered", type=float, default=0.0, help="share of events delivered again")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--warm", action="store_true", help="read history and source once before what is measured")
    parser.add_argument("--only", choices=("table", "bars"), help="only the table of ratios, or only the other bars")
    return parser.parse_args()


def main() -> None:
    arguments = _arguments()
    print(machine(), flush=True)
    compared, rows = [], []
    flags = ("warm",) if arguments.warm else ()
    with tempfile.TemporaryDirectory(prefix="smelt-bench-") as folder:
        for events in arguments.histories:
            history = History(Path(folder) / str(events), _stream(events, arguments), events)
            history.make()
            for window in arguments.windows if arguments.only != "bars" else ():
                compared.append(compare(history, window, arguments.rounds, flags))
                print(table(_HEADER, [compared[-1].row()]), flush=True)
            if arguments.only != "table" and events == max(arguments.histories):
                rows += scenarios.on_history(history, arguments.rounds)
            history.discard()
        if arguments.only != "table":
            rows += scenarios.on_their_own(Path(folder), arguments.rounds)
    print(f"\n{table(_HEADER, [one.row() for one in compared])}")
    print(f"\n{table(('what', 'found', 'bar', ''), growth(compared) + rows)}")


if __name__ == "__main__":
    main()
