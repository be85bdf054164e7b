"""``smelt init``: a working project from a template."""

from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.text.identifiers import did_you_mean

_TEMPLATES = ("scd2",)
_NAME = "${project}"
_HIDDEN = {"gitignore": ".gitignore"}
"""Template files that would act on this package's own folder under their real names."""


@command(
    "init", example="smelt init demo && cd demo && smelt run", short_help="Make a working project from a template."
)
@click.argument("folder", default=".", metavar="[DIR]")
@click.option("--template", default="scd2", show_default=True, metavar="NAME", help="What to begin with.")
def main(invocation: Invocation, folder: str, template: str) -> Exit:
    """Make a project in DIR (here, if left out) that runs as it is: sources, models and a little data.

    Nothing that exists is overwritten: if one of its files is there already, none is written.
    """
    if template not in _TEMPLATES:
        known = f"one of {', '.join(_TEMPLATES)}"
        raise Stop(Exit.USAGE, f"no such template: {template}", did_you_mean(template, _TEMPLATES) or known)
    root = invocation.start / folder
    files = dict(_files(template, _project_name(root)))
    taken = sorted(path for path in files if (root / path).exists())
    if taken:
        raise Stop(
            Exit.USAGE,
            f"{taken[0]} exists already in {root.resolve()}; nothing was written",
            "choose another folder: `smelt init DIR`",
        )
    _write(root, files)
    for path in sorted(files):
        invocation.terminal.say(f"wrote {(Path(folder) / path).as_posix()}")
    enter = "" if root.resolve() == Path().resolve() else f"cd {folder} && "
    invocation.terminal.say(f"\nNext: {enter}smelt run && smelt show customer_history")
    return Exit.DONE


def _write(root: Path, files: dict[str, str]) -> None:
    try:
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            with (root / path).open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
    except OSError as error:
        raise Stop(Exit.FAILED, f"cannot write to {root}: {error.strerror}") from error


def _files(template: str, project: str) -> Iterator[tuple[str, str]]:
    for path, file in _walk(resources.files("smelt.cli") / "templates" / template, ()):
        yield path, file.read_text(encoding="utf-8").replace(_NAME, project)


def _walk(folder: Traversable, above: tuple[str, ...]) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, (*above, entry.name))
        else:
            yield "/".join((*above, _HIDDEN.get(entry.name, entry.name))), entry


def _project_name(root: Path) -> str:
    """The folder's name with what YAML could read otherwise replaced."""
    name = "".join(char if char.isascii() and (char.isalnum() or char == "_") else "_" for char in root.resolve().name)
    return name if name[:1].isalpha() else f"project_{name}".rstrip("_")
