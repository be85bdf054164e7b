"""Every literate editor case."""

from pathlib import Path

import pytest

from smelt.editor.session import Workspace
from tests.editor.literate import Case, answer, cases, rewrite
from tests.editor.projects import look, make


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_case(case: Case, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    data = {file: text for file, text in case.files.items() if file.endswith(".csv")}
    root = make(tmp_path, data)
    workspace = Workspace()
    for version, (file, text) in enumerate(case.files.items()):
        if file not in data:
            workspace.put(root / file, text, version)
    snapshot = look(workspace, root)
    answers = {question: answer(question, snapshot, case) for question in case.expected}
    if request.config.getoption("--update"):
        rewrite(case, answers)
    else:
        assert answers == case.expected
