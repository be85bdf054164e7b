"""Write the generated pages: a page for each diagnostic code, their index, and the command line's reference.

    python docs/generate.py

The pages follow from the registry and from the commands themselves; a test sees to it that they are current. The
manifest of the VS Code extension is written along; ``extension.py`` has it.
"""

import importlib
import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import click

from smelt.cli.catalog import TASKS, Entry
from smelt.diagnostics import registry

DOCS = Path(__file__).parent
STAGES = {
    "check": ("Found by `smelt check`", "Files alone show it: in the editor while you type, and before every run."),
    "run": ("Found by a run", "Only data can show it. The model's transaction rolls back."),
    "fault": (
        "Found around a run",
        "It takes a failing machine, another process, or a warehouse that holds something else than was left in it.",
    ),
}


def pages() -> dict[str, str]:
    """The text of each generated page by its path under ``docs``."""
    found = {f"diagnostics/{name}.md": code_page(registry.entry(name)) for name in registry.names()}
    return {"cli.md": command_line(), "diagnostics/index.md": index(), **found}


def code_page(entry: registry.Entry) -> str:
    """A code's page: its docstring, with severity and stage under the heading."""
    heading, _, body = entry.page.partition("\n")
    facts = f"*{entry.code.severity.value}, {STAGES[entry.code.stage][0].lower()}*"
    return f"{heading}\n\n{facts}\n{body.rstrip()}\n"


def index() -> str:
    """All codes by stage, each with what it reports."""
    parts = ["# Diagnostics", "Each code has a page; `smelt docs CODE` prints it in the terminal."]
    entries = [registry.entry(name) for name in sorted(registry.names())]
    for stage, (title, remark) in STAGES.items():
        rows = [
            f"| [`{code.name}`]({code.name}.md) | {code.severity.value} | {cell(what_was_found(page))} |"
            for code, page in ((entry.code, entry.page) for entry in entries)
            if code.stage == stage
        ]
        if rows:
            parts += [
                f"## {title}",
                remark,
                "\n".join(["| code | severity | what was found |", "|---|---|---|", *rows]),
            ]
    return "\n\n".join(parts) + "\n"


def what_was_found(page: str) -> str:
    """The first paragraph of a page's "What was found"."""
    return page.partition("## What was found\n")[2].strip().partition("\n\n")[0]


def cell(text: str) -> str:
    """Text that a Markdown table can hold."""
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())


def command_line() -> str:
    """The reference of the command line."""
    parts = [
        "# Command line",
        "`smelt COMMAND --help` says the same in the terminal. Every command also takes `--project-dir`, `--target`, "
        "`--no-color` and `--debug`, before or after its name.",
    ]
    for task in TASKS:
        parts.append(f"## {task.title}")
        for entry in task.entries:
            parts.extend(command(entry))
    return "\n\n".join([*parts, EXITS]) + "\n"


def command(entry: Entry) -> Iterator[str]:
    """A command's section."""
    declared: click.Command = importlib.import_module(entry.module).main
    arguments = [one for one in declared.params if isinstance(one, click.Argument)]
    usage = " ".join(["smelt", entry.name, *map(placeholder, arguments)])
    yield f"### `{usage}`"
    yield plain(declared.help or entry.summary)
    rows = [option_row(one) for one in declared.params if isinstance(one, click.Option) and shown(one)]
    if rows:
        yield "\n".join(["| option | does |", "|---|---|", *rows])
    if declared.epilog:
        yield "```text\n" + example(declared.epilog) + "\n```"


def placeholder(argument: click.Argument) -> str:
    """An argument as a usage line has it."""
    name = (argument.metavar or (argument.name or "").upper()).strip("[].")
    many = "…" if argument.nargs == -1 else ""
    return f"{name}{many}" if argument.required else f"[{name}{many}]"


COMMON = {"project_dir", "target", "no_color", "debug", "help"}


def shown(option: click.Option) -> bool:
    """Whether an option belongs to its command alone."""
    return option.name not in COMMON and not option.hidden


def option_row(option: click.Option) -> str:
    """An option's line in the table."""
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    value = "" if option.is_flag or option.count else f" {cell(value_of(option))}"
    return f"| {names}{value} | {cell(option.help or '')} |"


def value_of(option: click.Option) -> str:
    """What an option's value is called."""
    if isinstance(option.type, click.Choice):
        return "&#124;".join(map(str, option.type.choices))
    return option.metavar or option.type.name.upper()


def plain(text: str) -> str:
    """A help text as a paragraph or more, without the marks for the terminal."""
    paragraphs = re.split(r"\n\s*\n", text.replace("\b\n", "").strip())
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def example(epilog: str) -> str:
    """The lines of an example."""
    lines = [line.strip() for line in epilog.replace("\b", "").splitlines()]
    return "\n".join(line for line in lines if line and not re.fullmatch(r"Examples?:", line))


EXITS = """\
## Exit codes

| code | meaning |
|---|---|
| 0 | done; an empty but valid selection too |
| 1 | something failed: a model, a test; `smelt check` found an error (with `--fail-on warning`: or a warning) |
| 2 | usage or configuration: bad arguments, bad project files, unknown names, state that cannot be read |
| 3 | a person must approve: the definition changed, or history would be lost |
| 4 | state or warehouse held by another process; try again later |
| 70 | a fault of smelt itself; the file with the traceback is named |
| 130, 143 | interrupted |

An orchestrator may retry 4 as it is, and 1 once its cause is gone; never 2 or 3.

A command with `--json` that stops before it has a result prints an object on stdout, too: `exit_code`, `error` (`code`,
`message`, `help`) or null, and `diagnostics` as `smelt check --format json` has them."""


def main() -> None:
    """Write every page, and remove those of codes that are gone."""
    wanted = pages()
    for path in (DOCS / "diagnostics").glob("*.md"):
        if f"diagnostics/{path.name}" not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (DOCS / name).parent.mkdir(exist_ok=True)
        (DOCS / name).write_text(text, encoding="utf-8")
    runpy.run_path(str(DOCS / "extension.py"), run_name="__main__")


if __name__ == "__main__":
    main()
