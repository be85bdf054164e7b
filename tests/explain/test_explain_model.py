"""What ``smelt explain`` says of a model, as text and as JSON."""

import json
from dataclasses import replace

import pytest

from smelt.analysis.definition import Definition
from smelt.analysis.model import ModelAnalysis
from smelt.diagnostics.model import Code, Location, Severity, report
from smelt.diagnostics.render import text
from smelt.explain.graph import graph_json, graph_text
from smelt.explain.model import explain_json, explain_text
from smelt.project.model import Address
from smelt.text.spans import Span
from tests.explain.values import CHANGES, HISTORY, SQL, analysis, model, refused, shape, succession

# The founding document's words. Never to be changed to fit the code.
WORKED_EXAMPLE = """\
model customer_history  (emits: event history keyed by [customer_id], event-addressed by (customer_id, effective_ts))
  grain: succession
  identity: (customer_id, effective_ts)
  technique: succession-patch
  run axis: ingested_date (arrival-partitioned)
  clock: effective_ts
  posture: re-run tolerant; order-independent but serial
  internal state: tombstone ledger customer_history__tombstones (customer_id, effective_ts) \
— not part of the model's public schema
"""
WORKED_EXAMPLE_JSON = """
{"model": "customer_history", "relation": "customer_history", "grain": "succession",
 "identity": ["customer_id", "effective_ts"], "identity_columns": ["customer_id", "valid_from"],
 "technique": "succession-patch",
 "succession": {"key_columns": ["customer_id"], "clock_column": "effective_ts", "run_axis": "ingested_date",
   "partitioning": "arrival",
   "lead_columns": ["valid_to", "is_current"], "lag_columns": [],
   "delete_flag": "is_deleted", "pre_window_filter": null,
   "tombstone_ledger": {"table": "customer_history__tombstones", "columns": ["customer_id", "effective_ts"]},
   "rerun_tolerant": true, "order_independent": true, "concurrent": false},
 "delta_signature": {"shape": "keyed_succession", "addressing": "event", "keys": ["customer_id"], "axis": "valid_from"},
 "refusals": []}
"""
REFUSAL = Code("SuccessionSingleSourceOnly", Severity.ERROR, "a join", "remove it")
WARNING = Code("Advice", Severity.WARNING, "maybe")


def test_the_worked_example_to_the_letter() -> None:
    assert explain_text(succession(shape()), {}) == WORKED_EXAMPLE


def test_the_worked_example_as_json() -> None:
    assert explain_json(succession(shape()), {}) == json.loads(WORKED_EXAMPLE_JSON)


def test_json_keys_keep_the_order_of_the_specification() -> None:
    assert json.dumps(explain_json(succession(shape()), {})) == json.dumps(json.loads(WORKED_EXAMPLE_JSON))


def test_a_composite_key_is_listed() -> None:
    said = explain_text(succession(shape(key=("a", "b"))), {})
    assert "keyed by [a, b], event-addressed by (a, b, effective_ts))" in said
    assert "  identity: (a, b, effective_ts)\n" in said
    assert "customer_history__tombstones (a, b, effective_ts)" in said


def test_without_a_flag_there_is_no_ledger() -> None:
    bare = succession(shape(flag=None))
    assert "internal state" not in explain_text(bare, {})
    found = explain_json(bare, {})["succession"]
    assert isinstance(found, dict)
    assert (found["delete_flag"], found["tombstone_ledger"]) == (None, None)


def test_the_filter_follows_the_posture() -> None:
    lines = explain_text(succession(shape(pre_filter_text="tier <> 'x'")), {}).splitlines()
    at = lines.index("  posture: re-run tolerant; order-independent but serial")
    assert lines[at + 1] == "  pre-window filter: tier <> 'x'"
    assert lines[at + 2].startswith("  internal state: ")


def test_a_filter_over_several_lines_loses_nothing() -> None:
    said = explain_text(succession(shape(pre_filter_text="a > 1 -- why\n  AND b > 2")), {})
    assert "  pre-window filter: a > 1 -- why\n    AND b > 2\n" in said


def test_event_time_partitioning() -> None:
    found = succession(shape(partitioning="event_time"))
    assert "  run axis: effective_ts (event-time-partitioned)\n" in explain_text(found, {})
    described = explain_json(found, {})["succession"]
    assert isinstance(described, dict)
    assert described["partitioning"] == "event_time"


def test_the_ledger_has_the_physical_name() -> None:
    assert "tombstone ledger dim_customer__tombstones (" in explain_text(succession(shape(), name="dim_customer"), {})


@pytest.mark.parametrize(("kind", "expected"), [("view", "technique: view"), ("table", "technique: full-refresh")])
def test_a_model_without_a_grain(kind: str, expected: str) -> None:
    found = ModelAnalysis(model(HISTORY, reads=(CHANGES,)), kind, None, Definition(lambda: "{}"), ())  # type: ignore[arg-type]
    said = explain_text(found, {})
    assert "  grain: none\n" in said
    assert f"  {expected}\n" in said
    assert "  reads: sources.customer_changes\n" in said
    assert explain_json(found, {})["succession"] is None


def test_a_refused_model_is_its_refusals() -> None:
    file = model(HISTORY).file
    refusal = report(REFUSAL, Location(file, Span(7, 18)))
    found = refused(refusal, report(WARNING, Location(file, Span(0, 6))))
    assert explain_text(found, {file: SQL}) == text([refusal], {file: SQL})
    described = explain_json(found, {file: SQL})
    assert (described["grain"], described["technique"]) == (None, None)
    refusals = described["refusals"]
    assert isinstance(refusals, list)
    assert [entry["code"] for entry in refusals] == ["SuccessionSingleSourceOnly"]


def test_a_table_with_a_name_of_its_own_says_it() -> None:
    assert explain_text(succession(shape(), name="dim_customer"), {}).splitlines()[-1] == "  relation: dim_customer"
    orders = ModelAnalysis(model(Address(("silver", "orders"))), "view", None, Definition(lambda: "{}"), ())
    assert explain_text(orders, {}).splitlines()[-1] == "  relation: silver_orders"
    assert explain_json(orders, {})["relation"] == "silver_orders"


def test_a_key_with_another_name_in_the_table_says_both() -> None:
    renamed = succession(replace(shape(), key_outputs=("id",)))
    said = explain_text(renamed, {})
    assert "  identity: (customer_id, effective_ts)\n" in said
    assert said.endswith("  relation: customer_history, identity in it: (id, valid_from)\n")
    described = explain_json(renamed, {})
    assert (described["identity"], described["identity_columns"]) == (
        ["customer_id", "effective_ts"],
        ["id", "valid_from"],
    )


def test_the_graph_says_why_a_model_is_refused() -> None:
    file = model(HISTORY).file
    found = refused(report(REFUSAL, Location(file, Span(7, 18))), report(WARNING, Location(file, Span(0, 6))))
    assert graph_text(analysis(found)).splitlines()[-1] == (
        "customer_history          refused  SuccessionSingleSourceOnly; reads sources.customer_changes"
    )


def test_the_graph_lists_inputs_before_models() -> None:
    view = ModelAnalysis(
        model(Address(("silver", "current")), reads=(HISTORY,)), "view", None, Definition(lambda: "{}"), ()
    )
    said = graph_text(analysis(succession(shape()), view))
    assert said == (
        "sources.customer_changes  source            "
        "append-only, clock effective_ts, one partition a day of ingested_date\n"
        "customer_history          succession-patch  reads sources.customer_changes\n"
        "silver.current            view              reads customer_history\n"
    )


def test_the_graph_as_json_has_its_edges() -> None:
    view = ModelAnalysis(
        model(Address(("silver", "current")), reads=(HISTORY,)), "view", None, Definition(lambda: "{}"), ()
    )
    found = graph_json(analysis(succession(shape()), view))
    assert found["sources"] == ["sources.customer_changes"]
    assert found["edges"] == [
        {"from": "sources.customer_changes", "to": "customer_history"},
        {"from": "customer_history", "to": "silver.current"},
    ]
