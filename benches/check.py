"""CPU of ``smelt check`` on big projects: cold, with nothing changed, with one model edited; beside other tools.

    python -m benches.check --make-environments

The same models go through ``smelt check`` (with the pure and the compiled parser), ``sqlmesh lint`` and
``dbt parse``. They do not do the same: smelt binds every query in DuckDB; SQLMesh resolves columns in its own
optimizer; dbt renders templates and looks at no SQL. Each runs in an environment of its own, made from this
checkout; the arms take turns in every round.
"""

import argparse
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benches import environments
from benches.measuring import ChildFailed, child, exponent, machine, spread, table
from benches.projects import generate
from benches.warehouses.model import Model, Warehouse
from benches.warehouses.writing import Flavour, model_file, write

CASES = ("cold", "nothing changed", "one edited", "hub edited")
_BARS = {
    ("nothing changed", 100): 0.15,
    ("nothing changed", 1000): 0.2,
    ("nothing changed", 5000): 0.4,
    ("one edited", 1000): 0.6,
    ("hub edited", 1000): 0.6,
}
_COLD_BARS = {environments.SMELT: 9.0, environments.SMELT_FAST: 5.5}
_EXPONENT_BAR = 1.1


@dataclass(frozen=True, slots=True)
class Arm:
    """One tool. ``caches`` are what it keeps between two calls, under the project's folder."""

    name: str
    flavour: Flavour
    program: Path
    arguments: tuple[str, ...]
    caches: tuple[str, ...]


@dataclass(slots=True)
class Place:
    """A project of one size as one arm sees it, with the CPU seconds of each case so far."""

    arm: Arm
    folder: Path
    warehouse: Warehouse
    costs: dict[str, list[float]] = field(default_factory=lambda: {case: [] for case in CASES})
    memory: int = 0
    failed: str | None = None

    def round(self, number: int) -> None:
        """All cases once, each from the state that the one before it left."""
        self._clear()
        self._measure("cold")
        self._measure("nothing changed")
        edited = {path: path.read_text(encoding="utf-8") for path in map(self._file, (self._one(number), self._hub()))}
        for case, (path, before), edit in zip(CASES[2:], edited.items(), (_with_condition, _with_column), strict=True):
            path.write_text(edit(before), encoding="utf-8")
            self._measure(case)
        for path, before in edited.items():
            path.write_text(before, encoding="utf-8")

    def warm_up(self) -> None:
        """Compile what Python compiles on first use; not measured."""
        self._run()

    def _clear(self) -> None:
        for cache in self.arm.caches:
            path = self.folder / cache
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    def _run(self) -> float:
        cost = child([str(self.arm.program), *self.arm.arguments], self.folder)
        self.memory = max(self.memory, cost.memory)
        return cost.cpu

    def _measure(self, case: str) -> None:
        self.costs[case].append(self._run())

    def _file(self, model: Model) -> Path:
        return self.folder / model_file(model)

    def _one(self, number: int) -> Model:
        usable = [model for model in self.warehouse.models if model.layer == "intermediate"]
        return usable[len(usable) // 2 + number]

    def _hub(self) -> Model:
        """The model that most others read."""
        read = [name for model in self.warehouse.models for name in model.parents]
        return max(self.warehouse.models, key=lambda model: read.count(model.name))


def _with_condition(sql: str) -> str:
    """Other rows, the same columns: nothing that reads the model needs another look."""
    return re.sub(r"^FROM (\S+)( AS \w+)?$", r"FROM \1\2 TABLESAMPLE 50 PERCENT", sql, count=1, flags=re.MULTILINE)


def _with_column(sql: str) -> str:
    """One column more, which nothing reads."""
    return re.sub(r"^SELECT$", "SELECT\n    42 AS extra_column,", sql, count=1, flags=re.MULTILINE)


def arms(folder: Path) -> list[Arm]:
    """The arms whose environments are there."""
    known: tuple[tuple[str, Flavour, tuple[str, ...], tuple[str, ...]], ...] = (
        (environments.SMELT, "smelt", ("check",), ("target",)),
        (environments.SMELT_FAST, "smelt", ("check",), ("target",)),
        (environments.SQLMESH, "sqlmesh", ("lint",), (".cache", "dev.duckdb")),
        (environments.DBT, "dbt", ("parse", "--quiet"), ("target",)),
    )
    found = []
    for name, flavour, arguments, caches in known:
        program = environments.program(folder, name)
        if program is None:
            print(f"no environment for {name}: left out")
        else:
            found.append(Arm(name, flavour, program, arguments, caches))
    return found


def measure(chosen: Sequence[Arm], size: int, rounds: int, peer_rounds: int, folder: Path) -> list[Place]:
    """Every arm over a project of one size, in turns; peers only in the first rounds."""
    warehouse = generate(size)
    places = []
    for arm in chosen:
        place = Place(arm, folder / str(size) / arm.name, warehouse)
        write(warehouse, arm.flavour, place.folder)
        places.append(place)
    for number in range(-1, rounds):
        for place in places:
            takes_part = place.arm.flavour == "smelt" or number < peer_rounds
            if takes_part and place.failed is None:
                try:
                    place.warm_up() if number < 0 else place.round(number)
                except ChildFailed as error:
                    place.failed = str(error)
                    print(f"{place.arm.name} at {size} models: {error}")
    return places


def report(places: Sequence[Place]) -> str:
    """The costs of one size side by side: the median of each arm, and how often smelt's the others cost."""
    size = len(places[0].warehouse.models)
    rows = []
    for case in CASES:
        first = median(places[0].costs[case]) if places[0].costs[case] else None
        cells = []
        for place in places:
            costs = place.costs[case]
            ratio = f" = {median(costs) / first:.1f}×" if costs and first and place is not places[0] else ""
            cells.append(f"{spread(costs)}{ratio}" if costs else "failed")
        rows.append([f"{case}, {size:,}", *cells, _verdict(places, case, size)])
    rows.append(["memory (MiB)", *(f"{place.memory / 2**20:.0f}" for place in places), ""])
    return table(["CPU s", *(place.arm.name for place in places), "bar"], rows)


def _verdict(places: Sequence[Place], case: str, size: int) -> str:
    verdicts = []
    for place in places:
        is_cold = case == "cold" and size == 1000
        bar = _COLD_BARS.get(place.arm.name) if is_cold else _BARS.get((case, size))
        if bar is not None and place.arm.flavour == "smelt" and place.costs[case]:
            met = median(place.costs[case]) <= bar
            verdicts.append(f"{place.arm.name} ≤ {bar:g}: {'met' if met else 'MISSED'}")
    return ", ".join(verdicts)


def growth(measured: Sequence[Sequence[Place]]) -> str:
    """How each arm's cost grows from the smallest size to the largest."""
    by_arm: dict[str, list[Place]] = {}
    for places in measured:
        for place in places:
            if place.failed is None:
                by_arm.setdefault(place.arm.name, []).append(place)
    rows = []
    for name, own in by_arm.items():
        sizes = [len(place.warehouse.models) for place in own]
        if len(sizes) < 2:
            continue
        found = {case: exponent(sizes, [median(place.costs[case]) for place in own]) for case in CASES}
        is_smelt = own[0].arm.flavour == "smelt"
        bar = f"cold ≤ {_EXPONENT_BAR}: {'met' if found['cold'] <= _EXPONENT_BAR else 'MISSED'}" if is_smelt else ""
        rows.append([name, f"{sizes[0]:,} → {sizes[-1]:,}", *(f"{found[case]:.2f}" for case in CASES), bar])
    return table(["exponent", "models", *CASES, "bar"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 5000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peer-rounds", type=int, default=2, help="peers take part in so many rounds")
    parser.add_argument("--peers-up-to", type=int, default=1000, help="no peers beyond this number of models")
    parser.add_argument("--environments", type=Path, default=environments.DEFAULT)
    parser.add_argument("--make-environments", action="store_true", help="install smelt and the peers there first")
    arguments = parser.parse_args()
    if arguments.make_environments:
        environments.make_all(arguments.environments, tuple(environments.REQUIREMENTS)[:4])
    chosen = arms(arguments.environments)
    print(machine(), flush=True)
    measured = []
    with tempfile.TemporaryDirectory(prefix="smelt-bench-") as folder:
        for size in arguments.sizes:
            is_beyond = size > arguments.peers_up_to
            own = [arm for arm in chosen if arm.flavour == "smelt" or not is_beyond]
            places = measure(own, size, arguments.rounds, arguments.peer_rounds, Path(folder))
            print(f"\n{report(places)}", flush=True)
            measured.append(places)
    print(f"\n{growth(measured)}")


if __name__ == "__main__":
    main()
