"""What a run does, in which order, and what depends on what. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from smelt.project.model import Address, ColumnTest, Project, Seed
from smelt.run.model import RunRequest


@dataclass(frozen=True, slots=True)
class TestStep:
    """One column test of a model. ``name`` is unique in the run."""

    __test__ = False

    name: str
    model: Address
    test: ColumnTest


@dataclass(frozen=True, slots=True)
class Schedule:
    """Seeds first, then models, each after what it reads, then the tests of these models."""

    seeds: tuple[Seed, ...]
    models: tuple[Address, ...]
    tests: tuple[TestStep, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The printed names of seeds and models, in order."""
        return (*(str(seed.address) for seed in self.seeds), *map(str, self.models))

    @property
    def width(self) -> int:
        """How many steps could be worked on at once at most; at least 1."""
        return max(1, len(self.seeds), len(self.models), len(self.tests))


def schedule(project: Project, request: RunRequest) -> Schedule:
    """What of the selection the command is about: `run` and `repair` leave out seeds and tests, `seed` models."""
    chosen = frozenset(request.selection)
    seeds = tuple(project.seeds[address] for address in sorted(chosen) if address in project.seeds)
    models = tuple(address for address in project.order if address in chosen)
    if request.command == "seed":
        return Schedule(seeds, (), ())
    if request.command in ("run", "repair"):
        return Schedule((), models, ())
    return Schedule(seeds, models, tests_of(project, models))


def tests_of(project: Project, models: Iterable[Address]) -> tuple[TestStep, ...]:
    """The column tests of some models, in file order; a second one of the same name gets ``#2``."""
    steps: list[TestStep] = []
    for address in models:
        seen: dict[str, int] = {}
        for column in project.models[address].frontmatter.columns:
            for test in column.tests:
                count = seen[test.name] = seen.get(test.name, 0) + 1
                suffix = "" if count == 1 else f"#{count}"
                steps.append(TestStep(f"{address}:{test.name}{suffix}", address, test))
    return tuple(steps)


def reads_any(project: Project, model: Address, blocked: Collection[Address]) -> bool:
    """Whether a model reads one of ``blocked`` directly."""
    return any(reference.address in blocked for reference in project.models[model].references)
