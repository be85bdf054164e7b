"""Projects judged as a whole: nothing crashes, nothing is hidden, the order is stable."""

from hypothesis import given
from hypothesis import strategies as st

from smelt.analysis.analyze import analyze
from smelt.analysis.model import Analysis
from smelt.diagnostics.model import in_order
from smelt.project.load import load_project
from smelt.project.model import Address
from tests.pages.reading import default_files

MODEL, SOURCE = "models/customer_history.sql", "models/sources/customer_changes.yml"


def judged(**files: str) -> Analysis:
    given_files = {**default_files(), **files}
    texts = {path: text for path, text in given_files.items() if path.endswith((".sql", ".yml"))}
    return analyze(load_project(texts, environment={}))


def test_kinds() -> None:
    found = judged(
        **{
            "models/a.sql": "SELECT tier FROM smelt.sources.customer_changes",
            "models/b.sql": "---\nmaterialization: table\n---\nSELECT tier FROM smelt.a",
            "models/c.sql": "---\nrefresh: incremental\nunique_key: tier\n---\nSELECT tier FROM smelt.a GROUP BY tier",
            "models/d.sql": "SELECT tier FROM",
        }
    )
    kinds = {str(address): one.kind for address, one in found.models.items()}
    assert kinds == {"a": "view", "b": "table", "c": "refused", "customer_history": "succession", "d": "refused"}


def test_a_model_over_a_refused_one_is_judged_by_itself() -> None:
    found = judged(
        **{
            MODEL: default_files()[MODEL].replace("NOT is_deleted", "is_deleted"),
            "models/current.sql": "SELECT * FROM smelt.customer_history WHERE valid_to IS NULL",
        }
    )
    assert found.models[Address(("customer_history",))].kind == "refused"
    assert found.models[Address(("current",))].kind == "view"
    assert found.models[Address(("current",))].diagnostics == ()


def test_every_refused_model_has_an_error_to_show() -> None:
    for text in ("", "SELECT", "SELECT 1", "FROM smelt.nothing", "FROM smelt.sources.customer_changes", "VALUES (1)"):
        for head in ("", "---\nrefresh: incremental\n---\n"):
            one = judged(**{MODEL: head + text}).models[Address(("customer_history",))]
            assert (one.kind == "refused") == any(found.is_error for found in one.diagnostics), (head, text)


def test_a_broken_source_leaves_its_models_without_a_shape() -> None:
    for source in ("", "columns: 5", "- a", "columns:\n  - {name: a}", "mutation_profile: append_only", ": ["):
        found = judged(**{SOURCE: source})
        one = found.models[Address(("customer_history",))]
        assert one.shape is None
        assert any(diagnostic.is_error for diagnostic in found.diagnostics)


def test_findings_come_in_one_order_each_once() -> None:
    found = judged(**{MODEL: default_files()[MODEL].replace("tier", "now() AS x, rowid AS y, nobody"), "smelt.yml": ""})
    assert found.diagnostics == in_order(found.diagnostics)
    places = [(d.location.file, d.location.span, d.code.name) for d in found.diagnostics]
    assert places == sorted(set(places))
    assert len(places) > 3


TEXT = default_files()[MODEL]


@given(
    st.integers(0, len(TEXT)), st.integers(0, 40), st.sampled_from(["", "(", "*", "LEAD(", "smelt.", "😀", "'", ";"])
)
def test_damaged_models_never_raise(at: int, length: int, word: str) -> None:
    found = judged(**{MODEL: TEXT[:at] + word + TEXT[at + length :]})
    for one in found.models.values():
        assert (one.shape is not None) <= (one.kind == "succession")
        if one.kind == "refused":
            assert any(diagnostic.is_error for diagnostic in found.diagnostics)


YAML = default_files()[SOURCE]


@given(st.integers(0, len(YAML)), st.integers(0, 60), st.sampled_from(["", "{", "- ", ":", "null", "\t", "'"]))
def test_damaged_sources_never_raise(at: int, length: int, word: str) -> None:
    judged(**{SOURCE: YAML[:at] + word + YAML[at + length :]})
