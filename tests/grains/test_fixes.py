"""What each fix writes, and whether it may be applied unasked."""

import pytest

from smelt.analysis.analyze import analyze
from smelt.diagnostics.model import Fix
from smelt.project.load import load_project
from smelt.text.edits import apply_edits
from tests.grains.literate import MODEL, SOURCE
from tests.pages.reading import default_files

HEAD = "---\nrefresh: incremental\n---\n"
W = "PARTITION BY customer_id ORDER BY effective_ts"
LEAD = f"LEAD(effective_ts) OVER ({W})"
FROM = "FROM smelt.sources.customer_changes"


def fixes(sql: str, source: str | None = None) -> dict[str, tuple[Fix, dict[str, str]]]:
    """Each fix by its title, with the files that it leaves."""
    files = {**default_files(), MODEL: HEAD + sql}
    if source is not None:
        files[SOURCE] = source
    texts = {path: text for path, text in files.items() if path.endswith((".sql", ".yml"))}
    found: dict[str, tuple[Fix, dict[str, str]]] = {}
    for diagnostic in analyze(load_project(texts, environment={})).diagnostics:
        for fix in diagnostic.fixes:
            after = dict(texts)
            for file in {edit.file for edit in fix.edits}:
                after[file] = apply_edits(after[file], [edit.edit for edit in fix.edits if edit.file == file])
            found[fix.title] = (fix, after)
    return found


@pytest.mark.parametrize(
    ("sql", "title", "safe", "after"),
    [
        (
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} QUALIFY is_deleted = FALSE",
            "Write NOT is_deleted",
            True,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} QUALIFY NOT is_deleted",
        ),
        (
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} QUALIFY (is_deleted IS NOT TRUE);",
            "Write NOT is_deleted",
            True,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} QUALIFY NOT is_deleted;",
        ),
        (
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} QUALIFY NOT is_deleted = FALSE",
            "Write NOT is_deleted",
            False,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} QUALIFY NOT is_deleted",
        ),
        (
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} QUALIFY is_deleted",
            "Write NOT is_deleted",
            False,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} QUALIFY NOT is_deleted",
        ),
        (
            f"SELECT customer_id, effective_ts, LEAD(effective_ts, 1) OVER ({W}) AS v {FROM}",
            "Drop the further arguments of LEAD",
            True,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM}",
        ),
        (
            f"SELECT customer_id, effective_ts, LEAD(effective_ts, 2, NULL) OVER ({W}) AS v {FROM}",
            "Drop the further arguments of LEAD",
            False,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM}",
        ),
        (
            f"SELECT customer_id, effective_ts, LEAD(effective_ts) OVER ({W} DESC) AS v {FROM}",
            "Drop DESC",
            False,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM}",
        ),
        (
            f"SELECT customer_id, effective_ts, LEAD(effective_ts) OVER ({W}, tier DESC, region) AS v {FROM}",
            "Drop the further sort keys",
            False,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM}",
        ),
        (
            f"SELECT customer_id, effective_ts, LEAD(effective_ts) OVER ({W} ROWS 1 PRECEDING) AS v {FROM}",
            "Remove the frame",
            False,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM}",
        ),
        (
            f"SELECT effective_ts, {LEAD} AS v {FROM}",
            "Project `customer_id`",
            False,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM}",
        ),
        (
            f"SELECT customer_id, effective_ts, CASE WHEN {LEAD} IS NULL THEN tier END AS v {FROM}",
            "Project `tier`",
            False,
            f"SELECT tier, customer_id, effective_ts, CASE WHEN {LEAD} IS NULL THEN tier END AS v {FROM}",
        ),
        (
            f"SELECT DISTINCT customer_id, effective_ts, {LEAD} AS v {FROM}",
            "Remove DISTINCT",
            False,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM}",
        ),
        (
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM}\nORDER BY 1\n",
            "Remove ORDER BY",
            True,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM}\n",
        ),
        (
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} ORDER BY 1 LIMIT 5",
            "Remove ORDER BY",
            False,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} LIMIT 5",
        ),
        (
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} LIMIT 5",
            "Remove LIMIT",
            False,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM}",
        ),
        (
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} WHERE NOT is_deleted",
            "Move the filter into QUALIFY",
            False,
            f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} QUALIFY NOT is_deleted",
        ),
        (
            f"SELECT customer_id, effective_ts, LEAD(effective_ts) OVER w AS v {FROM}\n"
            f"WHERE is_deleted = FALSE\nWINDOW w AS ({W})",
            "Move the filter into QUALIFY",
            False,
            f"SELECT customer_id, effective_ts, LEAD(effective_ts) OVER w AS v {FROM}\n"
            f"WINDOW w AS ({W})\nQUALIFY NOT is_deleted",
        ),
        (
            f"SELECT customer_id, teir, effective_ts, {LEAD} AS v {FROM}",
            "Write tier",
            True,
            f"SELECT customer_id, tier, effective_ts, {LEAD} AS v {FROM}",
        ),
    ],
)
def test_edits_of_the_model(sql: str, title: str, safe: bool, after: str) -> None:
    fix, files = fixes(sql)[title]
    assert fix.safe is safe
    assert files[MODEL] == HEAD + after


FLOW = """\
timeseries: {event_time_column: effective_ts, partition_column: ingested_date, granularity: day}
columns:
  - {name: customer_id, type: INTEGER}
  - {name: effective_ts, type: TIMESTAMP, nullable: true}
  - {name: is_deleted, nullable: false, type: BOOLEAN}
  - {name: ingested_date, type: DATE, nullable: false}
"""
BLOCK = """\
mutation_profile: append_only
timeseries: {event_time_column: effective_ts, partition_column: ingested_date, granularity: day}
columns:
  - name: customer_id
    type: INTEGER # an identifier
    description: who
  - name: effective_ts
    type: TIMESTAMP
    nullable: false
  - name: is_deleted
    type: BOOLEAN
  - name: ingested_date
    type: DATE
    nullable: false
"""
MODEL_SQL = f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} QUALIFY NOT is_deleted"


@pytest.mark.parametrize(
    ("source", "title", "changed"),
    [
        (FLOW, "Declare the source append-only", ("timeseries:", "mutation_profile: append_only\ntimeseries:")),
        (FLOW, "Declare `customer_id` NOT NULL in the source", ("INTEGER}", "INTEGER, nullable: false}")),
        (FLOW, "Declare `effective_ts` NOT NULL in the source", ("nullable: true", "nullable: false")),
        (
            BLOCK,
            "Declare `customer_id` NOT NULL in the source",
            ("# an identifier\n", "# an identifier\n    nullable: false\n"),
        ),
        (BLOCK, "Declare `is_deleted` NOT NULL in the source", ("BOOLEAN\n", "BOOLEAN\n    nullable: false\n")),
        (
            BLOCK.replace("\n", "\r\n"),
            "Declare `is_deleted` NOT NULL in the source",
            ("BOOLEAN\r\n", "BOOLEAN\r\n    nullable: false\r\n"),
        ),
    ],
)
def test_edits_of_the_source_state_facts_and_are_never_applied_unasked(
    source: str, title: str, changed: tuple[str, str]
) -> None:
    fix, files = fixes(MODEL_SQL, source)[title]
    assert not fix.safe
    assert files[SOURCE] == source.replace(*changed)


def test_no_fix_is_offered_that_would_not_do() -> None:
    nullable = FLOW.replace("nullable: false, type: BOOLEAN", "type: BOOLEAN")
    assert "Write NOT is_deleted" not in fixes(MODEL_SQL.replace("NOT is_deleted", "is_deleted = FALSE"), nullable)
    filtered = f"SELECT customer_id, effective_ts, {LEAD} AS v {FROM} WHERE NOT is_deleted"
    assert "Move the filter into QUALIFY" not in fixes(filtered, nullable)
    taken = f"SELECT tier AS customer_id, effective_ts, {LEAD} AS v {FROM}"
    assert "Project `customer_id`" not in fixes(taken)
