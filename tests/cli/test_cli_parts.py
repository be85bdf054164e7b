"""The pure parts of the command line: bounds, tables, fixes, words."""

from datetime import datetime

import pytest

from smelt.cli.faults import Stop
from smelt.cli.fixing import difference, fix_all
from smelt.cli.outcome import detail, seconds
from smelt.cli.tables import csv_table, is_numeric, plain_table
from smelt.cli.terminal import Terminal
from smelt.cli.window import parse_window
from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.state.records import ErrorRecord, ModelRecord
from smelt.text.counts import counted
from smelt.text.edits import Edit
from smelt.text.intervals import Interval
from smelt.text.spans import Span

FOUND = Code("Found", Severity.ERROR, "found")


@pytest.mark.parametrize(
    ("start", "end", "window"),
    [
        (None, None, None),
        ("2025-01-01", "2025-01-02", Interval(datetime(2025, 1, 1), datetime(2025, 1, 2))),
        ("2025-01-01T01:00+02:00", "2025-01-01", Interval(datetime(2024, 12, 31, 23), datetime(2025, 1, 1))),
        ("2025-01-01 00:00:00Z", "2025-01-01T06", Interval(datetime(2025, 1, 1), datetime(2025, 1, 1, 6))),
    ],
)
def test_windows(start: str | None, end: str | None, window: Interval | None) -> None:
    assert parse_window(start, end) == window


def test_a_bound_outside_of_the_calendar() -> None:
    with pytest.raises(Stop, match="outside the calendar"):
        parse_window("0001-01-01T00:00+02:00", "2025-01-01")


def test_tables_are_aligned_by_cells() -> None:
    assert plain_table(("a", "b"), [("漢字", "1"), ("x", "10")], (False, True)) == (
        "a      b\n----  --\n漢字   1\nx     10\n"
    )


@pytest.mark.parametrize(
    ("kind", "numeric"),
    [
        ("INTEGER", True),
        ("UBIGINT", True),
        ("DECIMAL(10,2)", True),
        ("INTEGER[]", False),
        ("STRUCT(a INTEGER)", False),
        ("INTERVAL", False),
        ("POINT_2D", False),
        ("DOUBLE", True),
    ],
)
def test_which_types_are_numbers(kind: str, numeric: bool) -> None:
    assert is_numeric(kind) is numeric


def test_csv_quotes_what_needs_it() -> None:
    assert csv_table(("a",), [(None,), ("",), (" x",), ("y",), ('"',)]) == 'a\n\n""\n" x"\ny\n""""\n'


@pytest.mark.parametrize(
    ("milliseconds", "said"), [(0, "0.0 s"), (1_250, "1.2 s"), (59_999, "60.0 s"), (61_000, "1 min 01 s")]
)
def test_durations(milliseconds: int, said: str) -> None:
    assert seconds(milliseconds) == said


def test_counts() -> None:
    assert [counted(number, "row") for number in (0, 1, 1234)] == ["0 rows", "1 row", "1,234 rows"]


_REST = "inserted, 3 patched, 1 tombstone"


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (ModelRecord("success", rows_inserted=1200, rows_patched=3, tombstones=1), f"1,200 {_REST}"),
        (ModelRecord("success", rows_inserted=0, rows_patched=0, tombstones=0), "nothing new"),
        (ModelRecord("success", strategy="table", row_count=1), "1 row"),
        (ModelRecord("success", row_count=1), "nothing new"),
        (ModelRecord("success"), ""),
        (ModelRecord("failed", error=ErrorRecord("SuccessionClockTie", "tie")), "SuccessionClockTie"),
        (ModelRecord("skipped", skip_reason="upstream_failed"), "what it reads failed"),
    ],
)
def test_details(record: ModelRecord, said: str) -> None:
    assert detail(record) == said


def finding(start: int, end: int, text: str, *, safe: bool = True, file: str = "a") -> Diagnostic:
    fix = Fix("mend", safe, (FileEdit(file, Edit(Span(start, end), text)),))
    return report(FOUND, Location(file, Span(start, end)), fixes=[fix])


def test_fixes_are_applied_round_by_round_until_none_is_left() -> None:
    """The second finding shows only once the first is mended."""

    def look(changed: dict[str, str]) -> tuple[tuple[Diagnostic, ...], dict[str, str]]:
        texts = {"a": "one", **changed}
        findings = {"one": (finding(0, 3, "two"),), "two": (finding(0, 3, "three"),)}.get(texts["a"], ())
        return findings, texts

    fixed = fix_all(look, lambda fix: fix.safe)  # type: ignore[arg-type]
    assert (fixed.texts, fixed.count) == ({"a": "three"}, 2)


def test_fixes_that_clash_wait_for_the_next_round() -> None:
    seen: list[str] = []

    def look(changed: dict[str, str]) -> tuple[tuple[Diagnostic, ...], dict[str, str]]:
        texts = {"a": "abcdef", **changed}
        seen.append(texts["a"])
        return ((finding(0, 3, "x"), finding(2, 4, "y")) if len(seen) == 1 else ()), texts

    assert fix_all(look, lambda fix: True).texts == {"a": "xdef"}  # type: ignore[arg-type]
    assert seen == ["abcdef", "xdef"]


def test_unwanted_fixes_are_left() -> None:
    fixed = fix_all(lambda changed: ((finding(0, 1, "x", safe=False),), {"a": "abc"}), lambda fix: fix.safe)
    assert (fixed.texts, fixed.count) == ({}, 0)


def test_fixes_that_undo_each_other_come_to_an_end() -> None:
    fixed = fix_all(lambda changed: ((finding(0, 1, "x"),), {"a": "a", **changed}), lambda fix: True)
    assert fixed.texts == {"a": "x"}
    assert fixed.count == 10


def test_a_diff_of_a_file_without_a_last_line_end() -> None:
    assert difference("a.sql", "x\ny", "x\nz").splitlines()[-4:] == [
        "-y",
        "\\ No newline at end of file",
        "+z",
        "\\ No newline at end of file",
    ]


def test_short_values_are_no_secrets() -> None:
    import io

    out, err = io.StringIO(), io.StringIO()
    terminal = Terminal(out, err, plain=True)
    terminal.hide(["4", "", "hunter2", "hunter2longer"])
    terminal.say("4 rows of hunter2longer and hunter2")
    assert err.getvalue() == "4 rows of *** and ***\n"
