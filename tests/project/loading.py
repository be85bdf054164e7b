"""Small projects as texts, and findings as a test can read them."""

import re

from smelt.diagnostics.model import Diagnostic
from smelt.project.load import load_project
from smelt.project.model import Project
from smelt.text.edits import apply_edits

_SAYS_WHERE = re.compile(r"^(?:name|nme|files):|^- ", re.MULTILINE)
SETUP = "name: shop\ntargets:\n  dev: {type: duckdb, database: target/dev.duckdb}\n"


def load(files: dict[str, str] | None = None, **more: object) -> Project:
    """A project of these files; ``smelt.yml`` is a plain one unless given."""
    return load_project({"smelt.yml": SETUP, **(files or {})}, **more)  # type: ignore[arg-type]


def bound(text: str) -> str:
    """The text of a source, with a table that its rows are in unless it says where they are."""
    return text if _SAYS_WHERE.search(text) else f"{text.rstrip()}\nname: main.s\n"


def shown(project: Project) -> list[tuple[str, str, str]]:
    """Code, file and the text under the finding, in order."""
    return [
        (one.code.name, one.location.file, one.location.span.of(project.texts.get(one.location.file, "")))
        for one in project.diagnostics
    ]


def only(project: Project) -> Diagnostic:
    """The one finding there is."""
    (found,) = project.diagnostics
    return found


def mended(project: Project, found: Diagnostic) -> dict[str, str]:
    """The files after the first fix of a finding."""
    files = dict(project.texts)
    for edit in found.fixes[0].edits:
        files[edit.file] = apply_edits(files[edit.file], [edit.edit])
    return files
