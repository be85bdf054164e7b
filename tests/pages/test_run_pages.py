"""The examples of codes that only data can show: the refused one fails a real run with its code, the accepted none."""

from pathlib import Path

import pytest

from smelt.analysis.analyze import analyze
from smelt.diagnostics import registry
from smelt.engines.model import WarehouseError
from smelt.run.model import Begun, Ended, Retry, RunRequest
from smelt.run.runner import execute
from smelt.workspace.reader import read_project
from tests.pages.reading import read_page

NAMES = [name for name in registry.names() if registry.entry(name).code.stage == "run"]


class _Silent:
    def started(self, begun: Begun) -> None: ...

    def model_started(self, name: str) -> None: ...

    def model_ended(self, ended: Ended) -> None: ...

    def retrying(self, retry: Retry) -> None: ...

    def notice(self, text: str, about: str | None) -> None: ...


def failures(root: Path, files: dict[str, str]) -> set[str]:
    """The codes of everything that failed in `smelt build` of these files."""
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    project = read_project(root, environment={})
    analysis = analyze(project)
    selection = (*project.models, *project.seeds)
    request = RunRequest("build", "smelt build", "dev", selection)
    try:
        summary = execute(root, project, analysis, request, _Silent())
    except WarehouseError as error:
        return {error.failure.code}
    return {ended.failure.code for ended in summary.ended if ended.failure is not None}


@pytest.mark.parametrize("name", NAMES)
def test_the_refused_example_fails_with_exactly_this_code(name: str, tmp_path: Path) -> None:
    assert failures(tmp_path, read_page(registry.entry(name).page).example("Refused")) == {name}


@pytest.mark.parametrize("name", NAMES)
def test_the_accepted_example_runs(name: str, tmp_path: Path) -> None:
    assert failures(tmp_path, read_page(registry.entry(name).page).example("Accepted")) == set()
