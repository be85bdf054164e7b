"""``smelt init``: a working project from a template."""

import os
import shlex
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.text.identifiers import did_you_mean

_TEMPLATES = ("scd2",)
_IGNORED = ".gitignore"
_OPTIONAL = frozenset({"README.md", _IGNORED})
"""Files that a folder may have of its own: the project works without them."""
_NAME = "${project}"
_HIDDEN = {"gitignore": _IGNORED}
"""Template files that would act on this package's own folder under their real names."""


@command(
    "init", example="smelt init demo && cd demo && smelt run", short_help="Make a working project from a template."
)
@click.argument("folder", default=".", metavar="[DIR]")
@click.option("--template", default="scd2", show_default=True, metavar="NAME", help="What to begin with.")
def main(invocation: Invocation, folder: str, template: str) -> Exit:
    """Make a project in DIR (here, if left out) that runs as it is: sources, models and a little data.

    Nothing that exists is overwritten. A README.md and a .gitignore that are there already are kept; if any other of
    its files is, and says something else, none is written.
    """
    if template not in _TEMPLATES:
        known = f"one of {', '.join(_TEMPLATES)}"
        raise Stop(Exit.USAGE, f"no such template: {template}", did_you_mean(template, _TEMPLATES) or known)
    root = invocation.start / folder
    files = dict(_files(template, _project_name(root)))
    kept = _kept(root, files)
    _write(root, {path: text for path, text in files.items() if path not in kept})
    for path in sorted(files):
        done = "kept" if path in kept else "wrote"
        invocation.terminal.say(f"{done} {(Path(folder) / path).as_posix()}")
    if _IGNORED in kept and not _ignores(root / _IGNORED, files[_IGNORED]):
        invocation.terminal.say(f"\n{_IGNORED} does not name all of: {', '.join(files[_IGNORED].split())}")
    enter = "" if root.resolve() == Path().resolve() else f"cd {shlex.quote(folder)} && "
    invocation.terminal.say(f"\nNext: {enter}smelt run && smelt show customer_history")
    return Exit.DONE


def _kept(root: Path, files: Mapping[str, str]) -> frozenset[str]:
    """The files that are there already and may stay as they are.

    Raises:
        Stop: one is there that the project needs otherwise, or there is a project already.
    """
    for folder in sorted({root / parent for path in files for parent in Path(path).parents}):
        if os.path.lexists(folder) and not folder.is_dir():
            raise Stop(Exit.USAGE, f"{folder} is no folder; nothing was written", "choose another: `smelt init DIR`")
    there = sorted(path for path in files if os.path.lexists(root / path))
    for path in there:
        if path == "smelt.yml":
            raise Stop(
                Exit.USAGE,
                f"{root.resolve()} holds a project already: {path}; nothing was written",
                "choose another folder: `smelt init DIR`",
            )
        if path not in _OPTIONAL and not _says(root / path, files[path]):
            raise Stop(
                Exit.USAGE,
                f"{path} exists already in {root.resolve()} and says something else; nothing was written",
                "move it away, or choose another folder: `smelt init DIR`",
            )
    return frozenset(there)


def _says(path: Path, text: str) -> bool:
    try:
        return path.read_bytes().replace(b"\r\n", b"\n") == text.encode("utf-8")
    except OSError:
        return False


def _ignores(path: Path, wanted: str) -> bool:
    """Whether a ``.gitignore`` names each of the folders, with or without slashes around them."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    return {line.strip("/") for line in wanted.split()} <= {line.strip().strip("/") for line in lines}


def _write(root: Path, files: Mapping[str, str]) -> None:
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
