import pytest

from smelt.analysis.analyze import analyze
from smelt.analysis.model import Analysis
from smelt.project.load import load_project
from smelt.run.preflight import project_faults

SMELT_YML = "name: shop\ntargets:\n  dev: {type: duckdb, database: dev.duckdb}\ndefault_target: dev\n"


def analysed(**files: str) -> Analysis:
    texts = {"smelt.yml": SMELT_YML, "models/good.sql": "SELECT 1 AS one"}
    named = {path.replace("__", "/").replace("_dot_", "."): text for path, text in files.items()}
    return analyze(load_project({**texts, **named}, environment={}))


def faults(**files: str) -> list[str]:
    return [finding.code.name for finding in project_faults(analysed(**files))]


def test_a_sound_project_has_none() -> None:
    assert faults() == []


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"models__a_dot_sql": "---\nmaterialised: table\n---\nSELECT 1 AS one"}, "UnknownKey"),
        ({"models__sources__s_dot_yml": "columns: ["}, "YamlSyntax"),
        ({"smelt_dot_yml": SMELT_YML + "colour: red\n"}, "UnknownKey"),
        (
            {
                "models__a_dot_sql": "SELECT one FROM smelt.b",
                "models__b_dot_sql": "SELECT one FROM smelt.a",
            },
            "CircularReference",
        ),
        ({"models__a__b_dot_sql": "SELECT 1 AS one", "models__a_b_dot_sql": "SELECT 1 AS one"}, "DuplicateRelation"),
    ],
)
def test_the_project_itself_is_at_fault(files: dict[str, str], code: str) -> None:
    assert set(faults(**files)) == {code}


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT FROM WHERE",
        "SELECT 1 AS one FROM smelt.nowhere",
        "---\nrefresh: incremental\n---\nSELECT one FROM smelt.good",
        "---\nrefresh: materialized_view\n---\nSELECT 1 AS one",
    ],
)
def test_a_model_that_is_broken_or_refused_fails_by_itself(sql: str) -> None:
    analysis = analysed(models__a_dot_sql=sql)
    assert any(finding.is_error for finding in analysis.diagnostics)
    assert project_faults(analysis) == ()
    assert {str(one.model.address): one.kind for one in analysis.models.values()} == {"a": "refused", "good": "view"}
