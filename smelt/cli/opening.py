"""From a folder to a project, its analysis and its selection: what most commands begin with."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from smelt.analysis.model import Analysis, ModelAnalysis
from smelt.cli.command import Invocation
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.project.model import Address, Project, ProjectConfig, Target
from smelt.text.identifiers import did_you_mean

if TYPE_CHECKING:  # not every command judges
    from smelt.engines.answers import Answers


@dataclass(frozen=True, slots=True)
class Opened:
    """A project with the folder it stands in."""

    root: Path
    project: Project


def open_project(invocation: Invocation) -> Opened:
    """Read the project that the invocation stands in.

    Raises:
        Stop: there is none.
    """
    from smelt.workspace.files import find_root
    from smelt.workspace.reader import read_project

    if not invocation.start.is_dir():
        raise Stop(Exit.USAGE, f"no such folder: {invocation.start}")
    root = find_root(invocation.start)
    if root is None:
        where = "here or in any folder above" if invocation.start == Path() else f"in {invocation.start} or above it"
        raise Stop(
            Exit.USAGE,
            f"no smelt.yml {where}",
            "`smelt init DIR` makes a project; --project-dir says where one is",
            code="ProjectFileMissing",
        )
    project = read_project(root)
    if project.config is not None:
        invocation.terminal.hide(project.config.redacted)
    return Opened(root, project)


def usable(opened: Opened) -> ProjectConfig:
    """The configuration; enough for a command that only looks.

    Raises:
        Stop: ``smelt.yml`` itself is unusable.
    """
    if opened.project.config is None:
        found = tuple(one for one in opened.project.diagnostics if one.location.file == "smelt.yml")
        raise Stop(Exit.USAGE, diagnostics=found, texts=opened.project.texts)
    return opened.project.config


def analysed(opened: Opened) -> Analysis:
    """Judge every model, and have DuckDB bind each query over empty tables in memory.

    No database of the project is opened, and nothing on disk or network can be reached. What an earlier run was told
    of a query is not asked again.
    """
    return judged(opened).analysis


@dataclass(frozen=True, slots=True)
class Judged:
    """An analysis, with what DuckDB said for it."""

    analysis: Analysis
    answers: "Answers"


def judged(opened: Opened) -> Judged:
    """As :func:`analysed`, for :func:`keep_answers`."""
    from contextlib import closing

    from smelt.analysis.analyze import analyze
    from smelt.engines.answers import Answers, read_back
    from smelt.engines.binder import DuckDBBinder
    from smelt.workspace.build import build_key
    from smelt.workspace.cache import load_answers

    answers = Answers(read_back(load_answers(opened.root, build_key())))
    with closing(DuckDBBinder(answers)) as binder:
        return Judged(analyze(opened.project, binder), answers)


def keep_answers(opened: Opened, answers: "Answers") -> None:
    """Note for later runs what DuckDB said, where something can be noted."""
    from smelt.engines.answers import written
    from smelt.workspace.build import build_key
    from smelt.workspace.cache import writer

    noting = writer(opened.root) if answers.has_news else None
    if noting is not None:
        noting.answers(build_key(), written(answers.given))


def classified(opened: Opened) -> Analysis:
    """Judge every model by its text alone: enough to know how what is built is kept."""
    from smelt.analysis.analyze import analyze

    return analyze(opened.project)


def sound(opened: Opened, analysis: Analysis) -> ProjectConfig:
    """The configuration of a project that a run may use.

    Raises:
        Stop: the project's files are at fault; a refused model is none, it fails by itself.
    """
    from smelt.run.preflight import project_faults

    faults = tuple(project_faults(analysis))
    if faults or opened.project.config is None:
        raise Stop(Exit.USAGE, diagnostics=faults, texts=opened.project.texts)
    return opened.project.config


def target_of(config: ProjectConfig, wanted: str | None) -> Target:
    """The target asked for, or the default one.

    Raises:
        Stop: there is no such target.
    """
    name = wanted or config.default_target
    target = config.targets.get(name)
    if target is None:
        known = ", ".join(config.targets)
        raise Stop(
            Exit.USAGE, f"no such target: {name}", did_you_mean(name, config.targets) or f"smelt.yml has {known}"
        )
    return target


def selected(project: Project, include: tuple[str, ...], exclude: tuple[str, ...]) -> tuple[Address, ...]:
    """The addresses that selectors name; everything if there are none.

    Raises:
        Stop: a selector matches nothing.
    """
    from smelt.project.selectors import select

    selection = select(project, include, exclude)
    if selection.errors:
        first = selection.errors[0]
        raise Stop(Exit.USAGE, first.message, first.help)
    return tuple(selection.addresses)


def model_named(analysis: Analysis, name: str) -> ModelAnalysis:
    """The model of that address, with or without ``smelt.`` in front.

    Raises:
        Stop: there is none.
    """
    address = Address(tuple(name.removeprefix("smelt.").split(".")))
    found = analysis.models.get(address)
    if found is None:
        known = [str(known) for known in analysis.models]
        raise Stop(Exit.USAGE, f"no such model: {name}", did_you_mean(name, known) or "`smelt list` lists them")
    return found


def relation_named(project: Project, name: str) -> str:
    """The physical name, without schema, of what a model or seed of that address is built as.

    Raises:
        Stop: there is neither.
    """
    address = Address(tuple(name.removeprefix("smelt.").split(".")))
    if address in project.models:
        return project.models[address].relation
    if address in project.seeds:
        return project.seeds[address].relation or address.default_relation
    known = [str(known) for known in (*project.models, *project.seeds)]
    if address in project.sources:
        raise Stop(Exit.USAGE, f"{name} is a source, which others load", "name a model or a seed")
    raise Stop(Exit.USAGE, f"no such model: {name}", did_you_mean(name, known) or "`smelt list` lists them")
