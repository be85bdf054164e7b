"""SARIF: valid under the standard's own schema, and every part where a reader looks for it.

``sarif-schema-2.1.0.json`` is the schema that OASIS publishes with the standard, to the letter.
"""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jsonschema
import pytest

from smelt.diagnostics import registry
from smelt.diagnostics.checked import Checked
from smelt.diagnostics.fingerprint import fingerprints
from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Related, Severity, report
from smelt.diagnostics.render_sarif import FINGERPRINT, sarif_object
from smelt.text.edits import Edit
from smelt.text.spans import Span

SCHEMA = json.loads(Path(__file__).with_name("sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
CODE = registry.entry("SuccessionDeleteFilterMisplaced").code
MODEL, SOURCE = "models/ä b?.sql", "models/a.yml"
TEXTS = {MODEL: "SELECT '😀', bad\nFROM t\n", SOURCE: "name: a\r\nfiles: b\r\n"}
BAD = Span(12, 15)


def _finding(**parts: Any) -> Diagnostic:
    return Diagnostic(CODE, Location(MODEL, BAD), "found `it`", "write that", **parts)


def _log(*findings: Diagnostic, base: str = "", texts: dict[str, str] | None = None) -> Any:
    log = sarif_object([Checked(findings, TEXTS if texts is None else texts, (MODEL, SOURCE), base=base)], "1.2.3")
    jsonschema.Draft7Validator(SCHEMA).validate(log)
    return json.loads(json.dumps(log))


def _results(*findings: Diagnostic, **options: Any) -> Any:
    return _log(*findings, **options)["runs"][0]["results"]


def test_the_schema_would_refuse_what_is_wrong() -> None:
    log = _log(_finding())
    log["runs"][0]["results"][0]["level"] = "grave"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(SCHEMA).validate(log)


def test_no_finding_is_a_run_without_results() -> None:
    (run,) = _log()["runs"]
    assert run["results"] == []
    assert run["tool"]["driver"] == {"name": "smelt", "version": "1.2.3", "rules": []}


def test_columns_are_the_declared_unit() -> None:
    (run,) = _log(_finding())["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1, "startColumn": 13, "endLine": 1, "endColumn": 16}


def test_a_byte_order_mark_is_no_column() -> None:
    found = Diagnostic(CODE, Location(MODEL, Span(1, 4)), "found")
    (result,) = _results(found, texts={MODEL: "\ufeffbad\n"})
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (1, 4)


def test_a_path_is_a_uri_from_the_repository_root() -> None:
    (result,) = _results(_finding(), base="billing/")
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "billing/models/%C3%A4%20b%3F.sql", "uriBaseId": "%SRCROOT%"}


def test_a_file_without_a_text_has_no_region() -> None:
    (result,) = _results(_finding(), texts={})
    assert "region" not in result["locations"][0]["physicalLocation"]


def test_a_rule_is_made_from_the_page() -> None:
    (rule,) = _log(_finding(), _finding(label="again"))["runs"][0]["tool"]["driver"]["rules"]
    page = registry.entry(CODE.name).page
    assert rule["id"] == CODE.name
    assert rule["help"]["markdown"] == page
    assert rule["shortDescription"]["text"] in " ".join(page.split())
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert urlsplit(rule["helpUri"]).scheme
    assert rule["helpUri"].endswith(CODE.name)


@pytest.mark.parametrize("name", registry.names())
def test_every_code_makes_a_valid_rule(name: str) -> None:
    code = registry.entry(name).code
    found = Diagnostic(code, Location(MODEL, BAD), "found")
    (rule,) = _log(found)["runs"][0]["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"]
    assert rule["shortDescription"]["text"] != code.message


def test_levels() -> None:
    codes = [Code(severity.name, severity, "found") for severity in Severity]
    results = _results(*(report(code, Location(MODEL, BAD)) for code in codes))
    assert [result["level"] for result in results] == ["error", "warning", "note"]
    assert [result["ruleIndex"] for result in results] == [0, 1, 2]


def test_the_fingerprint_is_that_of_the_baseline() -> None:
    finding = _finding()
    (result,) = _results(finding)
    assert result["partialFingerprints"] == {FINGERPRINT: fingerprints([finding], TEXTS)[0]}


def test_message_and_related_places() -> None:
    related = Related(Location(SOURCE, Span(9, 14)), "declared here")
    (result,) = _results(_finding(related=(related, related)))
    assert result["message"] == {"text": "found `it`\nwrite that"}
    (place,) = result["relatedLocations"]
    assert place["message"] == {"text": "declared here"}
    assert place["physicalLocation"]["region"]["startLine"] == 2


def test_fixes_are_sarif_fixes() -> None:
    edits = (FileEdit(MODEL, Edit(BAD, "good")), FileEdit(SOURCE, Edit(Span(0, 0), "x\n")))
    fixes = (Fix("mend", True, edits), Fix("force", False, edits[:1]), Fix("force", False, edits[:1]))
    (result,) = _results(_finding(fixes=fixes))
    assert [fix["description"]["text"] for fix in result["fixes"]] == ["mend", "force (unsafe)"]
    changes = result["fixes"][0]["artifactChanges"]
    assert [change["artifactLocation"]["uri"] for change in changes] == ["models/%C3%A4%20b%3F.sql", SOURCE]
    assert changes[0]["replacements"] == [
        {
            "deletedRegion": {"startLine": 1, "startColumn": 13, "endLine": 1, "endColumn": 16},
            "insertedContent": {"text": "good"},
        }
    ]
    assert [fix["properties"]["safe"] for fix in result["fixes"]] == [True, False]


def test_projects_share_one_run() -> None:
    projects = [Checked((_finding(),), TEXTS, (MODEL,), name, f"{name}/") for name in ("a", "b")]
    log: Any = sarif_object(projects, "1")
    jsonschema.Draft7Validator(SCHEMA).validate(log)
    (run,) = log["runs"]
    uris = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in run["results"]]
    assert [uri.partition("/")[0] for uri in uris] == ["a", "b"]
    assert len(run["tool"]["driver"]["rules"]) == 1
