"""Comments that allow a finding: what they silence, what they do not, and what is said about them."""

import pytest

from smelt.analysis.allowances import allowances
from smelt.analysis.analyze import analyze
from smelt.analysis.reported import Reported, reported
from smelt.project.load import load_project
from smelt.project.model import Address
from smelt.text.edits import apply_edits
from tests.pages.reading import default_files

MODEL = "models/customer_history.sql"
SOURCE = "models/sources/customer_changes.yml"
CODE = "SuccessionDeleteFilterMisplaced"
HISTORY = """\
---
refresh: incremental
---
SELECT
    customer_id,
    effective_ts,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
"""


UNDESCRIBED = "".join(
    line for line in default_files()[SOURCE].splitlines(keepends=True) if not line.startswith("description:")
)


def _shown(files: dict[str, str]) -> Reported:
    texts = {**default_files(), **files}
    texts = {path: text for path, text in texts.items() if path.endswith((".sql", ".yml"))}
    return reported(analyze(load_project(texts, environment={})).diagnostics, texts)


def _codes(files: dict[str, str]) -> list[str]:
    return [finding.code.name for finding in _shown(files).findings]


def _model(above: str, line: str = "QUALIFY is_deleted = FALSE") -> dict[str, str]:
    return {MODEL: f"{HISTORY}{above}{line}\n"}


@pytest.mark.parametrize(
    "above",
    [
        f"-- smelt: allow {CODE} the flag is never NULL\n",
        f"  --smelt:allow {CODE}: the flag is never NULL\n",
        f"-- smelt: allow {CODE} – ja\r\n",
        f"-- SMELT: ALLOW {CODE} 7\n",
        f"--- smelt: allow {CODE} x   \n",
        f"-- another comment\n-- smelt: allow {CODE} x\n",
        f"-- smelt: allow {CODE} it's -- fine\n",
    ],
)
def test_it_silences_the_line_below(above: str) -> None:
    shown = _shown(_model(above))
    assert (shown.findings, shown.allowed) == ((), 1)


@pytest.mark.parametrize(
    ("above", "codes"),
    [
        (f"-- smelt: allow {CODE}\n", ["InvalidAllow", CODE]),
        (f"-- smelt: allow {CODE} --\n", ["InvalidAllow", CODE]),
        ("-- smelt: allow\n", ["InvalidAllow", CODE]),
        ("-- smelt: allow Succession x\n", ["InvalidAllow", CODE]),
        (f"-- smelt: allow {CODE.lower()} x\n", ["InvalidAllow", CODE]),
        ("-- smelt: allow SourceNullViolation x\n", ["InvalidAllow", CODE]),
        ("-- smelt: allow InternalError x\n", ["InvalidAllow", CODE]),
        ("-- smelt: allow InvalidAllow x\n", ["InvalidAllow", CODE]),
        ("-- smelt: allow UnusedAllow x\n", ["InvalidAllow", CODE]),
        ("-- smelt: allow UnknownColumn x\n", ["UnusedAllow", CODE]),
        (f"-- smelt: allow {CODE} x\n\n", ["UnusedAllow", CODE]),
        (f"-- smelt: allow {CODE} x\n-- why\n", ["UnusedAllow", CODE]),
        (f"/* smelt: allow {CODE} x */\n", [CODE]),
        (f"/*\n-- smelt: allow {CODE} x\n*/\n", [CODE]),
        (f"-- we do not smelt: allow {CODE} x\n", [CODE]),
        ("-- smelt: a note\n", [CODE]),
    ],
)
def test_what_silences_nothing(above: str, codes: list[str]) -> None:
    assert _codes(_model(above)) == codes


def test_a_comment_behind_code_allows_nothing() -> None:
    text = HISTORY.rstrip() + f" -- smelt: allow {CODE} x\nQUALIFY is_deleted = FALSE\n"
    assert _codes({MODEL: text}) == ["InvalidAllow", CODE]


def test_words_in_a_string_are_no_comment() -> None:
    text = HISTORY.replace("    customer_id,", f"    customer_id, '\n-- smelt: allow {CODE} x\n' AS note,")
    assert _codes({MODEL: text + "QUALIFY is_deleted = FALSE\n"}) == [CODE]


def test_several_stand_above_one_line() -> None:
    line = "WHERE NOT is_deleted QUALIFY is_deleted = FALSE"
    both = f"-- smelt: allow {CODE} one\n-- smelt: allow SuccessionPreFilterNegatesFlag two\n"
    assert sorted(_codes(_model("", line))) == [CODE, "SuccessionPreFilterNegatesFlag"]
    shown = _shown(_model(both, line))
    assert (shown.findings, shown.allowed) == ((), 2)


def test_one_comment_allows_every_finding_of_its_code_on_the_line() -> None:
    text = "-- smelt: allow UnknownReference they come later\nSELECT 1 AS one FROM smelt.a, smelt.b\n"
    assert _codes({"models/m.sql": text.partition("\n")[2]}) == ["UnknownReference", "UnknownReference"]
    assert _shown({"models/m.sql": text}).allowed == 2


def test_yaml_and_frontmatter() -> None:
    typo = "# smelt: allow UnknownKey a later release reads it\nowners: data\n"
    assert _codes({SOURCE: default_files()[SOURCE] + typo}) == []
    assert _codes({MODEL: HISTORY.replace("---\n", f"---\n{typo}", 1)}) == []
    assert _codes({MODEL: HISTORY.replace("---\n", f"---\n{typo.replace('#', '--')}", 1)}) != []


def test_words_in_a_yaml_text_are_no_comment() -> None:
    text = UNDESCRIBED + "description: |\n  one\n  # smelt: allow UnknownKey x\nowners: data\n"
    assert _codes({SOURCE: text}) == ["UnknownKey"]
    ended = UNDESCRIBED + "description: |\n  one\n# smelt: allow UnknownKey x\nowners: data\n"
    assert _codes({SOURCE: ended}) == []


def test_a_trailing_yaml_comment_allows_nothing() -> None:
    text = UNDESCRIBED + "description: one # smelt: allow UnknownKey x\nowners: data\n"
    assert _codes({SOURCE: text}) == ["InvalidAllow", "UnknownKey"]


def test_it_counts_in_its_own_file_alone() -> None:
    other = "-- smelt: allow UnknownReference x\nSELECT 1 AS one\n"
    assert _codes({"models/a.sql": other, "models/b.sql": "\nSELECT 1 AS one FROM smelt.c\n"}) == ["UnknownReference"]


def test_nothing_is_called_unused_while_another_file_is_broken() -> None:
    """It may be used again once that file is mended: what reads a broken file is not judged as a whole."""
    unused = _model(f"-- smelt: allow {CODE} x\n", "QUALIFY NOT is_deleted")
    assert _codes(unused) == ["UnusedAllow"]
    assert _codes({**unused, "models/other.sql": "SELECT ,"}) == ["SqlSyntax"]
    allowed = "-- smelt: allow UnknownReference it comes later\nSELECT 1 AS one FROM smelt.c\n"
    assert _codes({**unused, "models/other.sql": allowed}) == ["UnusedAllow"]


def test_one_that_may_only_be_misplaced_is_not_removed() -> None:
    unused, error = _shown(_model(f"-- smelt: allow {CODE} x\n\n")).findings
    assert (unused.code.name, unused.fixes, error.code.name) == ("UnusedAllow", (), CODE)


def test_nothing_is_called_unused_while_the_file_cannot_be_read() -> None:
    broken = _model(f"-- smelt: allow {CODE} x\n", "QUALIFY is_deleted = = FALSE")
    assert _codes(broken) == ["SqlSyntax"]
    assert _codes({SOURCE: "# smelt: allow UnknownKey x\nowners: [\n"})[:1] == ["YamlSyntax"]


def test_the_last_line_of_a_file() -> None:
    text = HISTORY + f"-- smelt: allow {CODE} x\nQUALIFY is_deleted = FALSE"
    assert _codes({MODEL: text}) == []
    assert _codes({MODEL: HISTORY + f"-- smelt: allow {CODE} x"}) == ["UnusedAllow"]


def test_an_unused_one_is_removed_by_a_safe_fix() -> None:
    text = _model(f"-- smelt: allow {CODE} x\r\n", "QUALIFY NOT is_deleted")[MODEL]
    (finding,) = _shown({MODEL: text}).findings
    (fix,) = finding.fixes
    assert fix.safe
    assert apply_edits(text, [edit.edit for edit in fix.edits]) == f"{HISTORY}QUALIFY NOT is_deleted\n"


def test_an_unknown_code_is_underlined_and_the_nearest_offered() -> None:
    text = _model("-- smelt: allow SuccessionDeleteFilterMisplacd x\n")[MODEL]
    finding = _shown({MODEL: text}).findings[0]
    assert finding.location.span.of(text) == "SuccessionDeleteFilterMisplacd"
    assert finding.help.startswith(f"did you mean `{CODE}`")


def test_a_refused_model_stays_refused() -> None:
    """The promise of every table: what a comment silences is still never folded."""
    files = {**default_files(), **_model(f"-- smelt: allow {CODE} x\n")}
    texts = {path: text for path, text in files.items() if path.endswith((".sql", ".yml"))}
    analysis = analyze(load_project(texts, environment={}))
    model = analysis.models[Address(("customer_history",))]
    assert (model.kind, model.shape, model.definition_hash) == ("refused", None, None)
    assert [finding.code.name for finding in analysis.diagnostics] == [CODE]


def test_a_file_without_such_a_comment_costs_nothing() -> None:
    assert allowances(MODEL, HISTORY) == ()
    assert allowances("seeds.yml", "\ufeff# smelt: allow UnknownKey x\na: 1\n")[0].reason == "x"
    assert allowances("odd.yml", "# smelt: allow UnknownKey x\na: \x00") == ()
