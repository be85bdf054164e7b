"""Every command, by task: its module and one line about it, so that help imports none of them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """A command. ``module`` holds it as ``main``."""

    name: str
    module: str
    summary: str


@dataclass(frozen=True, slots=True)
class Task:
    """What a person wants to do, and the commands for it."""

    title: str
    entries: tuple[Entry, ...]


def _entry(name: str, summary: str) -> Entry:
    return Entry(name, f"smelt.cli.commands.{name}", summary)


TASKS = (
    Task("Start", (_entry("init", "Make a working project from a template."),)),
    Task(
        "Build tables",
        (
            _entry("run", "Bring models up to date."),
            _entry("build", "Load seeds, run models, test what was built."),
            _entry("seed", "Load the CSV files that ship with the project."),
            _entry("test", "Run the column tests on built tables."),
            _entry("verify", "Hold tables against their own SQL."),
            _entry("repair", "Rebuild models and their hidden state from their sources."),
            _entry("compact", "Give back the space of the DuckDB file."),
            _entry("clean", "Remove old manifests, relations of models that are gone, and the cache."),
        ),
    ),
    Task(
        "Look at what there is",
        (
            _entry("show", "Print rows of a built relation."),
            _entry("list", "List every model, source and seed."),
            _entry("explain", "Say what a model is and how it will be maintained."),
            _entry("status", "Show what is covered, and what is missing."),
            _entry("history", "Show what the last runs did."),
            _entry("diff", "Show what changed since it was built."),
        ),
    ),
    Task(
        "Write models",
        (
            _entry("check", "Find what is wrong, without a database."),
            _entry("docs", "Print the page of a diagnostic code."),
            _entry("schema", "Print the JSON Schema of a kind of file."),
            _entry("lsp", "Start the language server on stdio."),
        ),
    ),
)

LATER = ("promote",)
"""Commands of later releases: they answer that they are not available yet, and are not listed."""


def entries() -> tuple[Entry, ...]:
    """All commands that there are, in the order of the tasks."""
    return tuple(entry for task in TASKS for entry in task.entries)


def find(name: str) -> Entry | None:
    """The command of that name."""
    return next((entry for entry in entries() if entry.name == name), None)
