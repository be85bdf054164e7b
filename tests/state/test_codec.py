from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smelt.state.codec import (
    manifest_from_json,
    manifest_to_json,
    report_of,
    report_to_json,
    schema_from_json,
    schema_to_json,
)
from smelt.state.documents import JsonObject, MalformedDocument, decode, encode
from smelt.state.records import ErrorRecord, Manifest, ModelRecord, SchemaColumn, SchemaRecord

count = st.none() | st.integers(0, 10**12)
records = st.builds(
    ModelRecord,
    outcome=st.sampled_from(("success", "failed", "skipped")),
    strategy=st.sampled_from(("view", "table", "seed", "succession-build", "succession-patch", "none")),
    row_count=count,
    duration_ms=st.integers(0, 10**9),
    definition_hash=st.none() | st.text(),
    retry_count=st.integers(0, 9),
    time_range=st.none() | st.just(("2025-01-01", "2025-02-01")),
    rows_inserted=count,
    rows_patched=count,
    tombstones=count,
    re_presented=count,
    error=st.none() | st.builds(ErrorRecord, st.text(), st.text()),
    skip_reason=st.none() | st.sampled_from(("upstream_failed", "resumed", "cancelled", "not_reached")),
)
manifests = st.builds(
    Manifest,
    run_id=st.text(),
    sequence=st.integers(1, 10**6),
    command=st.sampled_from(("run", "build", "seed")),
    smelt_version=st.text(),
    started_at=st.text(),
    target=st.text(),
    selection=st.lists(st.text(), max_size=3).map(tuple),
    completed_at=st.none() | st.text(),
    status=st.sampled_from(("running", "completed", "cancelled")),
    window=st.none() | st.just(("2025-01-01T05:00:00", "2025-01-01T06:00:00")),
    full_refresh=st.booleans(),
    resumed_from=st.none() | st.text(),
    models=st.dictionaries(st.text(), records, max_size=3),
    tests=st.dictionaries(st.text(), st.sampled_from(("passed", "failed", "skipped")), max_size=3),
)


@given(manifests)
def test_a_manifest_reads_as_it_was_written(manifest: Manifest) -> None:
    assert manifest_from_json(decode(encode(manifest_to_json(manifest)))) == manifest


@given(manifests)
def test_a_report_counts_what_the_manifest_tells(manifest: Manifest) -> None:
    report = report_to_json(report_of(manifest))
    assert report["outcome_counts"] == {
        name: sum(record.outcome == name for record in manifest.models.values())
        for name in ("success", "failed", "skipped")
    }
    failures = report["failures"]
    assert isinstance(failures, list)
    assert [failure["model"] for failure in failures] == [
        name for name, record in manifest.models.items() if record.outcome == "failed" and record.error is not None
    ]
    assert report["duration_ms"] == sum(record.duration_ms for record in manifest.models.values())


MANIFEST = Manifest(
    run_id="20250301-120103-00000a",
    sequence=10,
    command="run",
    smelt_version="0.4.0",
    started_at="2025-03-01T12:01:03.000Z",
    target="dev",
    selection=("silver.orders",),
    models={
        "silver.orders": ModelRecord(outcome="failed", error=ErrorRecord("SuccessionClockTie", "two events")),
        "silver.items": ModelRecord(outcome="skipped", skip_reason="upstream_failed"),
        "bronze": ModelRecord(outcome="success", strategy="view", duration_ms=4),
    },
)


def test_the_fields_of_a_manifest_are_the_published_ones() -> None:
    document = manifest_to_json(MANIFEST)
    assert set(document) == {
        "run_id", "sequence", "command", "smelt_version", "started_at", "completed_at", "status", "target",
        "selection", "window", "full_refresh", "resumed_from",
        "exit_code", "models", "tests",
    }  # fmt: skip
    models = document["models"]
    assert isinstance(models, dict)
    common = {
        "outcome", "strategy", "row_count", "duration_ms", "definition_hash", "retry_count", "time_range",
        "rows_inserted", "rows_patched", "tombstones", "re_presented",
    }  # fmt: skip
    assert set(models["bronze"]) == common
    assert set(models["silver.orders"]) == common | {"error"}
    assert set(models["silver.items"]) == common | {"skip_reason"}
    assert models["silver.orders"]["error"] == {"code": "SuccessionClockTie", "message": "two events"}


def test_fields_of_a_later_smelt_are_no_fault() -> None:
    document = manifest_to_json(MANIFEST)
    assert manifest_from_json({**document, "later": [1, 2]}) == MANIFEST


def damaged(**changes: object) -> JsonObject:
    return {**manifest_to_json(MANIFEST), **changes}


@pytest.mark.parametrize(
    ("document", "position", "problem"),
    [
        ({}, "tests", "expected an object, found nothing"),
        (damaged(sequence="10"), "sequence", "expected a whole number, found a string"),
        (damaged(sequence=True), "sequence", "found a boolean"),
        (damaged(full_refresh=1), "full_refresh", "expected a boolean, found a number"),
        (damaged(selection=["a", 1]), "selection[1]", "expected a string, found a number"),
        (damaged(selection="a"), "selection", "expected a list, found a string"),
        (damaged(status="done"), "status", "expected one of running, completed, cancelled, found 'done'"),
        (damaged(models=[]), "models", "expected an object, found a list"),
        (damaged(models={"a": None}), "models.a", "expected an object, found null"),
        (damaged(models={"a": {"outcome": "success"}}), "models.a.strategy", "expected a string, found nothing"),
        (damaged(window={"start": "2025-01-02", "end": "2025-01-01"}), "window.end", "a time after the start"),
        (damaged(window={"start": "soon", "end": "2025-01-01"}), "window.start", "expected an ISO date"),
        (damaged(tests={"t": "maybe"}), "tests.t", "found 'maybe'"),
    ],
)
def test_a_wrong_shape_is_named_with_its_place(document: JsonObject, position: str, problem: str) -> None:
    with pytest.raises(MalformedDocument) as found:
        manifest_from_json(document)
    assert found.value.position == position
    assert problem in found.value.problem


def test_a_schema_reads_as_it_was_written() -> None:
    record = SchemaRecord(
        deployed_at="2025-03-01T12:01:03.000Z",
        definition_hash="abc",
        definition='{"key": ["k"]}',
        grain="succession",
        columns=(SchemaColumn("k", "INTEGER", nullable=False), SchemaColumn("valid_to", "TIMESTAMP")),
    )
    assert schema_from_json(decode(encode(schema_to_json(record)))) == record
    assert schema_to_json(replace(record, grain=None))["grain"] is None
