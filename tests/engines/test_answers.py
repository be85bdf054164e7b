"""What DuckDB said in another process is taken for an answer, and only where it is one."""

import json
from collections.abc import Mapping

import pytest

from smelt.analysis.analyze import analyze
from smelt.analysis.model import Analysis
from smelt.engines.answers import Answers, read_back, written
from smelt.engines.binder import DuckDBBinder
from smelt.project.load import load_project
from smelt.project.model import Project

SETUP = "name: shop\ntargets:\n  dev: {type: duckdb}\ndefault_target: dev\n"
SOURCE = "name: main.orders\ncolumns:\n  - {name: id, type: INTEGER}\n  - {name: placed, type: TIMESTAMP}\n"
FILES = {
    "smelt.yml": SETUP,
    "models/sources/orders.yml": SOURCE,
    "models/a.sql": "SELECT id, placed::DATE AS day FROM smelt.sources.orders",
    "models/b.sql": "SELECT day, count(*) AS n FROM smelt.a GROUP BY day",
    "models/c.sql": "SELECT nope FROM smelt.b",
    "models/d.sql": "SELECT * FROM smelt.a, smelt.b",
}


def read(files: Mapping[str, str]) -> Project:
    return load_project(files, environment={})


def judged(project: Project, answers: Answers | None) -> Analysis:
    binder = DuckDBBinder(answers)
    found = analyze(project, binder)
    binder.close()
    return found


def asked(project: Project, answers: Answers, monkeypatch: pytest.MonkeyPatch) -> tuple[Analysis, int]:
    """The analysis, and how often DuckDB was asked."""
    times = 0
    real = DuckDBBinder._describe

    def counted(self: DuckDBBinder, sent: object) -> object:
        nonlocal times
        times += 1
        return real(self, sent)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(DuckDBBinder, "_describe", counted)
        return judged(project, answers), times


def left() -> Mapping[str, object]:
    """What a look leaves, as it comes back from a file."""
    answers = Answers({})
    judged(read(FILES), answers)
    kept: Mapping[str, object] = json.loads(json.dumps(written(answers.given)))
    assert answers.has_news
    return kept


def test_what_was_answered_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, project = Answers(read_back(left())), read(FILES)
    found, times = asked(project, answers, monkeypatch)
    assert times == 2, "only what was refused, and the rest of that query"
    assert found == judged(project, None)
    assert not answers.has_news
    assert written(answers.given) == left()


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("models/a.sql", "SELECT id, placed AS day FROM smelt.sources.orders"),
        ("models/a.sql", "SELECT id::VARCHAR AS id, placed::DATE AS day FROM smelt.sources.orders"),
        ("models/sources/orders.yml", SOURCE.replace("TIMESTAMP", "DATE")),
        ("models/sources/orders.yml", SOURCE.replace("INTEGER", "HUGEINT")),
        ("models/sources/orders.yml", SOURCE.replace("INTEGER", "NO_SUCH_TYPE")),
        ("models/b.sql", "SELECT nope FROM smelt.a"),
        ("models/b.sql", ""),
        ("models/b.sql", "SELECT 1 AS day FROM smelt.d"),
    ],
)
def test_an_answer_holds_for_its_question_alone(file: str, text: str) -> None:
    answers, project = Answers(read_back(left())), read({**FILES, file: text})
    assert judged(project, answers) == judged(project, None)
    assert answers.has_news


def test_what_is_asked_no_more_is_dropped() -> None:
    answers = Answers(read_back(left()))
    judged(read({file: text for file, text in FILES.items() if file != "models/d.sql"}), answers)
    assert answers.has_news
    assert len(answers.given) == len(left()) - 1


@pytest.mark.parametrize("value", [None, 1, "text", {}, [1], ["id"], [["id"]], [["id", 1]], [["id", "INTEGER", 1]]])
def test_what_is_no_answer_is_passed_over(value: object) -> None:
    assert read_back({"key": value}) == {}
    assert list(read_back({"key": value, **left()})) == list(left())
