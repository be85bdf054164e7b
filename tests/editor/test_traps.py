"""What other tools got wrong about the texts in an editor, each as a test of its own."""

from pathlib import Path

import pytest

from smelt.editor.actions import fix_all, quick_fixes
from smelt.editor.complete import completions
from smelt.editor.definition import definition
from smelt.editor.hints import hints
from smelt.editor.hover import hover
from smelt.editor.ranges import folds
from smelt.editor.rename import rename
from smelt.editor.session import Workspace
from smelt.editor.snapshot import Snapshot
from smelt.text.edits import apply_edits
from smelt.text.lines import LineIndex
from smelt.text.spans import Span
from tests.editor.projects import MODEL, SOURCE, codes, look, make

WRONG = "QUALIFY is_deleted = FALSE"
LINE_ENDS = pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])


def seen(tmp_path: Path, change: dict[str, str], end: str = "\n") -> Snapshot:
    """The default project with texts unsaved in an editor."""
    root = make(tmp_path)
    workspace = Workspace()
    for file, text in change.items():
        workspace.put(root / file, text.replace("\n", end), 1)
    return look(workspace, root)


def model(query: str) -> str:
    return f"---\nrefresh: incremental\n---\n{query}"


def history(qualify: str = "QUALIFY NOT is_deleted", comment: str = "") -> str:
    return model(
        f"SELECT customer_id, {comment} effective_ts,\n"
        "  LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to\n"
        f"FROM smelt.sources.customer_changes\n{qualify}\n"
    )


def under(snapshot: Snapshot, file: str = MODEL) -> list[str]:
    return [found.location.span.of(snapshot.texts[file]) for found in snapshot.of(file)]


def test_an_emoji_shifts_neither_squiggle_nor_fix_nor_hint(tmp_path: Path) -> None:
    text = history(f"{WRONG} /* 👩‍👩‍👧 */", "/* 😀 é 𝒳 */")
    snapshot = seen(tmp_path, {MODEL: text})
    assert under(snapshot) == ["is_deleted = FALSE"]
    every = fix_all(snapshot, MODEL)
    assert every is not None
    assert apply_edits(text, [edit.edit for edit in every.edits]) == text.replace(
        "is_deleted = FALSE", "NOT is_deleted"
    )
    shown = hints(snapshot, MODEL, Span(0, len(text)))
    assert [text[: hint.offset].rpartition(" ")[2].rstrip() for hint in shown] == [
        "customer_id,"[:-1],
        "effective_ts",
        "valid_to",
    ]


@LINE_ENDS
def test_frontmatter_moves_nothing_by_a_line(tmp_path: Path, end: str) -> None:
    text = history(WRONG).replace("refresh: incremental\n", "refresh: incremental\nowner: me\n\n# a comment\n")
    snapshot = seen(tmp_path, {MODEL: text}, end)
    (found,) = snapshot.of(MODEL)
    start, stop = LineIndex(snapshot.texts[MODEL]).range(found.location.span)
    assert (start.line, start.column, stop.line) == (10, 9, 10)
    assert folds(snapshot, MODEL)[0].last == 6


@LINE_ENDS
def test_line_ends_are_neither_added_nor_lost(tmp_path: Path, end: str) -> None:
    text = history(WRONG).replace("\n", end)
    snapshot = seen(tmp_path, {MODEL: history(WRONG)}, end)
    (fix, *_) = quick_fixes(snapshot, MODEL, snapshot.of(MODEL)[0].location.span)
    mended = apply_edits(text, [edit.edit for edit in fix.edits])
    assert mended == text.replace("is_deleted = FALSE", "NOT is_deleted")
    renaming = rename(snapshot, MODEL, text.index("valid_to") + 1, "ended")
    renamed = apply_edits(text, [edit.edit for edit in renaming.edits if edit.file == MODEL])
    assert renamed == text.replace("valid_to", "ended")
    assert LineIndex(text).count == 8


@LINE_ENDS
def test_a_blank_line_ends_no_statement(tmp_path: Path, end: str) -> None:
    text = history().replace("FROM", "\n\n  \nFROM").replace("QUALIFY", "\n\nQUALIFY").replace("\n", end)
    snapshot = seen(tmp_path, {MODEL: text})
    assert codes(snapshot, MODEL) == []
    place = definition(snapshot, MODEL, text.rindex("is_deleted") + 2)
    assert [one.file for one in place] == [SOURCE]
    cut = text.index("is_deleted") + len("is_d")
    half = seen(tmp_path / "half", {MODEL: text[:cut]})
    assert [one.label for one in completions(half, MODEL, cut) if one.label.startswith("is_d")] == ["is_deleted"]


@pytest.mark.parametrize("comment", ["-- it's a key\n", "/* it's, isn't it? */", '-- "half a name\n', "/* ; */"])
def test_an_apostrophe_in_a_comment_opens_no_string(tmp_path: Path, comment: str) -> None:
    text = history(WRONG, comment)
    snapshot = seen(tmp_path, {MODEL: text})
    assert under(snapshot) == ["is_deleted = FALSE"]
    told = hover(snapshot, MODEL, text.index("is_deleted") + 1)
    assert told is not None
    assert told.span.of(text) == "is_deleted"


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("SELECT tier\nFROM smelt.sources.customer_changes\nWHERE tier = (\n", "("),
        ("SELECT nope\nFROM smelt.sources.customer_changes\n", "nope"),
        ("SELECT tier\nFROM smelt.sources.gone\n", "smelt.sources.gone"),
        ("SELECT tier + 1 AS more\nFROM smelt.sources.customer_changes\n", "+"),
        ("SELECT no_such(tier)\nFROM smelt.sources.customer_changes\n", "no_such(tier)"),
    ],
)
def test_no_error_is_anchored_at_the_start_of_the_file(tmp_path: Path, query: str, wanted: str) -> None:
    text = f"---\nowner: me\n---\n{query}"
    snapshot = seen(tmp_path, {"models/m.sql": text})
    (found,) = snapshot.of("models/m.sql")
    assert found.location.span.start >= text.index("SELECT")
    assert found.location.span.of(text) == wanted


def test_not_only_the_first_error_is_shown(tmp_path: Path) -> None:
    text = (
        history(WRONG)
        .replace("SELECT", "SELECT DISTINCT")
        .replace("ts) AS", "ts DESC) AS")
        .replace("customer_id,", "nope,", 1)
    )
    snapshot = seen(tmp_path, {MODEL: text, SOURCE: "fles: data/changes.csv\nmutation_profile: append\n"})
    assert len(codes(snapshot, SOURCE)) > 1
    both = seen(tmp_path / "both", {MODEL: text})
    assert {"UnknownColumn", "SuccessionPatternUnrecognized", "SuccessionOrderNotMonotoneClock"} <= set(
        codes(both, MODEL)
    )
    assert "SuccessionDeleteFilterMisplaced" in codes(both, MODEL)


def test_a_deleted_file_keeps_neither_findings_nor_names(tmp_path: Path) -> None:
    root = make(tmp_path)
    workspace = Workspace()
    workspace.put(root / MODEL, history(WRONG), 1)
    workspace.put(root / "models/reader.sql", "SELECT valid_to FROM smelt.customer_history\n", 1)
    assert codes(look(workspace, root), MODEL) == ["SuccessionDeleteFilterMisplaced"]
    workspace.drop(root / MODEL)
    (root / MODEL).unlink()
    workspace.touch(root / MODEL)
    snapshot = look(workspace, root)
    assert MODEL not in snapshot.findings
    assert codes(snapshot, "models/reader.sql") == ["UnknownReference"]
    offered = completions(snapshot, "models/reader.sql", len("SELECT valid_to FROM smelt."))
    assert [one.label for one in offered] == ["sources.customer_changes"]
    assert definition(snapshot, "models/reader.sql", len("SELECT valid_to FROM smelt.cust")) == ()


@pytest.mark.parametrize("emptied", ["", "\n", "\ufeff", " \r\n\t"])
def test_an_emptied_file_keeps_no_findings_and_can_be_begun_anew(tmp_path: Path, emptied: str) -> None:
    snapshot = seen(tmp_path, {MODEL: emptied})
    assert codes(snapshot, MODEL) == []
    assert "succession over sources.customer_changes" in {
        one.label for one in completions(snapshot, MODEL, len(emptied))
    }
    assert hints(snapshot, MODEL, Span(0, len(emptied))) == ()
