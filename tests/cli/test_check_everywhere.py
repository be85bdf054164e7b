"""Every front end tells the same findings in the same order: cases of ``tests/cases/check``, as real projects."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from smelt.editor.session import Workspace
from smelt.text.lines import LineIndex
from tests.cli.shell import Shell
from tests.editor.projects import look
from tests.grains.literate import Case, cases


def _different() -> Iterator[Case]:
    """The cases whose findings are not the same, in the same order, as those of a case before."""
    seen: set[tuple[tuple[str, str], ...]] = set()
    for case in cases():
        told = tuple((mark.file, mark.code) for mark in case.marks)
        if told not in seen or len(told) > 2:
            yield case
        seen.add(told)


ALL = tuple(_different())
BATCHES = 4

Told = tuple[str, str, int, int, str]
"""Project, file, line, column (1-based), code."""


def _text(out: str) -> Iterator[Told]:
    project, code = "", ""
    for line in out.splitlines():
        if (heading := re.fullmatch(r"in (\S+):", line)) is not None:
            project = heading[1]
        elif (first := re.match(r"(?:error|warning|info)\[(\w+)\]: ", line)) is not None:
            code = first[1]
        elif (place := re.match(r" *--> (.+):(\d+):(\d+)$", line)) is not None:
            yield project, place[1], int(place[2]), int(place[3]), code


def _json(out: str) -> Iterator[Told]:
    for found in json.loads(out)["diagnostics"]:
        start = found["range"]["start"]
        yield found["project"], found["file"], start["line"], start["column"], found["code"]


def _sarif(out: str) -> Iterator[Told]:
    for result in json.loads(out)["runs"][0]["results"]:
        place: Any = result["locations"][0]["physicalLocation"]
        project, _, file = unquote(place["artifactLocation"]["uri"]).partition("/")
        yield project, file, place["region"]["startLine"], place["region"]["startColumn"], result["ruleId"]


def _github(out: str) -> Iterator[Told]:
    for line in out.splitlines():
        properties = dict(pair.split("=", 1) for pair in line.split(" ", 1)[1].split("::")[0].split(","))
        project, _, file = properties["file"].partition("/")
        # An annotation over several lines has no column.
        column = int(properties.get("col", 0))
        yield project, file, int(properties["line"]), column, properties["title"].removeprefix("smelt%3A ")


FORMATS: dict[str, Callable[[str], Iterator[Told]]] = {"json": _json, "text": _text, "sarif": _sarif, "github": _github}


def _editor(root: Path, names: list[str]) -> Iterator[Told]:
    workspace = Workspace()
    for name in names:
        snapshot = look(workspace, root / name)
        assert snapshot.analysis is not None
        for file in sorted(snapshot.findings):
            index = LineIndex(snapshot.texts.get(file, ""))
            for found in snapshot.of(file):
                start = index.position(found.location.span.start)
                yield name, file, start.line, start.column, found.code.name
    workspace.close()


@pytest.mark.parametrize("batch", range(BATCHES))
def test_all_tell_the_same(batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path.resolve()
    (root / ".git").mkdir()
    names: list[str] = []
    for number, case in enumerate(ALL[batch::BATCHES]):
        names.append(f"case-{number:03}")
        for file, text in case.files.items():
            path = root / names[-1] / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
    monkeypatch.chdir(root)
    shell = Shell(root)
    told = {format_: tuple(read(shell("check", "--format", format_).out)) for format_, read in FORMATS.items()}
    expected = tuple(_editor(root, names))
    assert len(expected) > len(names) / 2
    assert told["json"] == expected
    assert told["text"] == expected
    assert told["sarif"] == expected
    assert len(told["github"]) == len(expected)
    for short, whole in zip(told["github"], expected, strict=True):
        assert short in (whole, (*whole[:3], 0, whole[4]))
