"""The code frame, against texts in ``frames/``: what a person must see, to the letter."""

from pathlib import Path

import pytest

from smelt.diagnostics.cells import harmless, layout, width_of
from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Related, Severity, report
from smelt.diagnostics.render import COLOR, plain_text, text
from smelt.text.edits import Edit
from smelt.text.spans import Span

FRAMES = Path(__file__).parent / "frames"
MODEL = "models/customer_history.sql"
MISPLACED = Code(
    "SuccessionDeleteFilterMisplaced",
    Severity.ERROR,
    "QUALIFY must be exactly NOT <boolean column>",
    "write QUALIFY NOT is_deleted",
)
BARE = Code("Bare", Severity.WARNING, "{what}")
SPEC = (
    "---\nrefresh: incremental\n---\nSELECT\n    customer_id,\n    tier,\n    region,\n"
    "    effective_ts AS valid_from,\n"
    "    LEAD(effective_ts) OVER w AS valid_to\nFROM smelt.sources.customer_changes\nQUALIFY is_deleted = FALSE\n"
)


def find(source: str, first: str, last: str | None = None) -> Span:
    start = source.index(first)
    return Span(start, source.index(last, start) + len(last) if last else start + len(first))


def misplaced(source: str, *, fix_is_safe: bool | None = None, **more: object) -> Diagnostic:
    span = find(source, "is_deleted = FALSE")
    fixes = (
        [] if fix_is_safe is None else [Fix("negate", fix_is_safe, (FileEdit(MODEL, Edit(span, "NOT is_deleted")),))]
    )
    label = "compares the delete flag instead of negating it"
    return report(MISPLACED, Location(MODEL, span), label=label, fixes=fixes, **more)  # type: ignore[arg-type]


def bare(source: str, first: str, last: str | None = None, label: str = "here") -> Diagnostic:
    return report(BARE, Location(MODEL, find(source, first, last)), label=label, what="found")


def expected(name: str) -> str:
    return (FRAMES / f"{name}.txt").read_text(encoding="utf-8")


def test_the_frame_of_the_specification() -> None:
    assert text([misplaced(SPEC, fix_is_safe=True)], {MODEL: SPEC}) == expected("specification")


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_do_not_move_a_frame(line_end: str) -> None:
    source = SPEC.replace("\n", line_end)
    assert text([misplaced(source, fix_is_safe=True)], {MODEL: source}) == expected("specification")


def test_an_unsafe_fix_asks_for_unsafe() -> None:
    frame = text([misplaced(SPEC, fix_is_safe=False)], {MODEL: SPEC})
    assert frame.splitlines()[-1] == "   = fix available: smelt check --fix --unsafe"


def test_a_byte_order_mark_takes_no_cell() -> None:
    source = "\ufeffSELECT oops\n"
    frame = text([bare(source, "oops")], {MODEL: source})
    assert frame.splitlines()[3:] == ["1 | SELECT oops", "  |        ^^^^ here"]


@pytest.mark.parametrize(
    ("name", "source", "first", "last"),
    [
        ("tabs", "SELECT\n\ta,\tbad\tAS x\nFROM t\n", "bad", None),
        ("wide", "SELECT '漢字', bad FROM t\n", "bad", None),
        ("wide-inside", "SELECT '漢字' AS x FROM t\n", "'漢字'", None),
        ("emoji", "SELECT '👩‍👩‍👧', '👍🏽', '❤️', '🇩🇪', bad FROM t\n", "bad", None),
        ("combining", "SELECT 'e\u0301', bad FROM t\n", "bad", None),
        ("control", "SELECT '\x1b[31m\u202e', bad FROM t\n", "bad", None),
        ("block", "SELECT a\n  FROM (\n    SELECT b\n  ) AS x\n", "SELECT a", "AS x"),
        ("block-inside", "SELECT a, (\n\tSELECT b\n) AS x\n", "(\n", ")"),
        ("block-long", "SELECT\n  a,\n  b,\n  c,\n  d,\n  e,\n  f\nFROM t\n", "SELECT", "FROM t"),
        ("block-six", "SELECT\n  a,\n  b,\n  c,\n  d\nFROM t\n", "SELECT", "FROM t"),
        ("trailing-space", "SELECT a   \n\nFROM t\n", "a   \n\n", None),
        ("leading-lines", "\n  \n  a: 1\nb: 2\n", "\n  \n  a: 1\nb: 2", None),
        ("leading-line-end", "SELECT\n  a\n", "\n  a", None),
    ],
)
def test_ranges(name: str, source: str, first: str, last: str | None) -> None:
    assert text([bare(source, first, last)], {MODEL: source}) == expected(name)


LONG = "SELECT " + ", ".join(f"column_{number}" for number in range(40)) + " FROM smelt.sources.changes\n"


@pytest.mark.parametrize(
    ("name", "source", "first", "last"),
    [
        ("clip-start", LONG, "column_0", None),
        ("clip-middle", LONG, "column_20", None),
        ("clip-end", LONG, "smelt.sources.changes", None),
        ("clip-long-range", LONG, "column_20", "column_39"),
        ("clip-wide", "SELECT '" + "漢" * 60 + "', bad, '" + "漢" * 60 + "'\n", "bad", None),
        ("clip-block", LONG + "WHERE a\n", "column_20", "WHERE a"),
    ],
)
def test_a_line_longer_than_the_screen_shows_the_part_around_the_range(
    name: str, source: str, first: str, last: str | None
) -> None:
    frame = text([bare(source, first, last)], {MODEL: source}, width=60)
    assert frame == expected(name)
    assert all(width_of(line) <= 60 for line in frame.splitlines())


def test_a_long_help_is_broken_between_words() -> None:
    code = Code("Demo", Severity.ERROR, "found", "one two three four five six seven eight nine ten eleven twelve")
    frame = text([report(code, Location(MODEL, Span(0, 1)))], {MODEL: "x"}, width=44)
    assert frame.splitlines()[-2:] == [
        "  = help: one two three four five six seven",
        "          eight nine ten eleven twelve",
    ]


def test_a_screen_wide_enough_clips_nothing() -> None:
    findings = [bare(LONG, "column_20")]
    assert text(findings, {MODEL: LONG}, width=2000) == text(findings, {MODEL: LONG})


def test_of_an_endless_line_a_report_shows_the_part_around_each_range() -> None:
    source = "SELECT " + ", ".join(f"column_{number:05}" for number in range(10_000))
    report_ = text([bare(source, f"column_{number:05}") for number in (0, 5_000, 9_999)], {MODEL: source})
    assert max(map(len, report_.splitlines())) < 1_100
    for name in ("column_00000", "column_05000", "column_09999"):
        shown = next(line for line in report_.splitlines() if name in line)
        marks = report_.splitlines()[report_.splitlines().index(shown) + 1]
        assert marks.index("^") == shown.index(name)
        assert marks.count("^") == len(name)
    assert "…" in report_


def test_of_a_range_from_far_in_an_endless_line_to_another_both_beginnings_are_shown() -> None:
    source = "a" * 5_000 + " b\n" + "c" * 5_000 + " d\n"
    frame = text([bare(source, "b", "d")], {MODEL: source})
    assert "aaa" in frame
    assert "ccc" in frame
    assert max(map(len, frame.splitlines())) < 1_100


def test_of_an_endless_value_a_message_holds_the_beginning() -> None:
    finding = report(BARE, Location(MODEL, Span(0, 1)), what="x" * 100_000)
    assert finding.message.startswith("xxx")
    assert finding.message.endswith("…")
    assert len(finding.message) <= 2_000


def test_an_empty_range_at_the_end_has_one_mark() -> None:
    finding = report(BARE, Location(MODEL, Span(9, 9)), what="nothing to read")
    assert text([finding], {MODEL: "SELECT 1\n"}) == expected("end-of-file")


def test_a_range_beyond_the_text_is_clamped() -> None:
    finding = report(BARE, Location(MODEL, Span(400, 900)), what="nothing to read")
    assert text([finding], {MODEL: "SELECT 1\n"}) == expected("end-of-file")


def test_related_places_share_the_gutter() -> None:
    yaml = "\n" * 9 + "name: main.changes\n"
    related = Related(Location("models/sources/changes.yml", find(yaml, "main.changes")), "is declared here")
    source = "SELECT 1\nFROM smelt.sources.changes\n"
    finding = report(
        Code("Demo", Severity.ERROR, "the source is not append-only", "declare it\nor choose another"),
        Location(MODEL, find(source, "smelt.sources.changes")),
        related=[related],
    )
    assert text([finding], {MODEL: source, "models/sources/changes.yml": yaml}) == expected("related")


def test_a_file_without_text_has_a_header_and_no_frame() -> None:
    finding = report(MISPLACED, Location("models/gone.sql", Span(0, 4)), label="unreadable")
    assert text([finding], {}) == expected("no-text")


def test_findings_are_parted_by_a_blank_line() -> None:
    one = text([misplaced(SPEC)], {MODEL: SPEC})
    assert text([misplaced(SPEC), misplaced(SPEC)], {MODEL: SPEC}) == f"{one}\n{one}"


def test_nothing_found_is_nothing_said() -> None:
    assert text([], {}) == ""


def test_colour_adds_escapes_and_changes_no_text() -> None:
    import re

    coloured = text([misplaced(SPEC, fix_is_safe=True)], {MODEL: SPEC}, COLOR)
    assert "\x1b[1;31m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == expected("specification")


def test_a_message_cannot_steer_the_terminal() -> None:
    finding = report(BARE, Location(MODEL, Span(0, 1)), what="\x1b[2Jgone")
    assert "\x1b" not in text([finding], {MODEL: "x"})


def test_text_without_a_place() -> None:
    assert plain_text(Severity.ERROR, "StateLocked", "state is locked", "try again later") == (
        "error[StateLocked]: state is locked\n = help: try again later\n"
    )
    assert plain_text(Severity.WARNING, None, "no code, no help") == "warning: no code, no help\n"


@pytest.mark.parametrize(
    ("written", "width"),
    [
        ("", 0),
        ("abc", 3),
        ("\t", 4),
        ("ab\t", 4),
        ("漢", 2),
        ("ｱ", 1),
        ("Ａ", 2),
        ("é", 1),
        ("e\u0301", 1),
        ("👩‍👧", 2),
    ],
)
def test_width(written: str, width: int) -> None:
    assert width_of(written) == width


def test_columns_have_an_entry_for_the_end() -> None:
    assert layout("a漢\tb").columns == (0, 1, 3, 4, 5)


def test_harmless_keeps_lines_and_tabs() -> None:
    assert harmless("a\r\nb\tc\x07") == "a\nb\tc␇"
