"""``check --watch``: files change while it waits, and no test waits with it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from smelt.cli import watching
from smelt.cli.watching import Stamps, changes, stamps
from tests.cli.shell import Said, Shell

MODEL = "models/customer_history.sql"
CLEAN = "nothing found in 4 files\nwaiting for a change; Ctrl-C ends\n"


class Ended(Exception):
    """The script of a test is over."""


def _script(*states: Stamps) -> tuple[Callable[[], Stamps], Callable[[], None]]:
    """A look that sees one state after another, each once it was waited for."""
    left = list(states)
    now = left.pop(0)

    def look() -> Stamps:
        return now

    def wait() -> None:
        nonlocal now
        if not left:
            raise Ended
        now = left.pop(0)

    return look, wait


def _yields(*states: Stamps) -> int:
    """How often a watch over these states says that something changed, the first time not counted."""
    return sum(1 for _ in _until_ended(changes(*_script(*states)))) - 1


def _until_ended(watch: Iterator[None]) -> Iterator[None]:
    try:
        yield from watch
    except Ended:
        return


A, B, C = ({"f": (number, 0, 0)} for number in range(3))


@pytest.mark.parametrize(
    ("states", "count"),
    [
        ([A], 0),
        ([A, A, A], 0),
        ([A, B, B], 1),
        ([A, B], 0),  # not at rest yet
        ([A, B, C, C], 1),
        ([A, B, B, A, A], 2),
        ([A, B, B, B, B], 1),
        ([A, {}, {}], 1),
    ],
)
def test_a_change_is_said_once_when_files_came_to_rest(states: list[Stamps], count: int) -> None:
    assert _yields(*states) == count


def test_a_change_during_the_work_is_noticed_after_it() -> None:
    state = {"now": A}
    seen: list[Stamps] = []

    def wait() -> None:
        if len(seen) == 2:
            raise Ended

    for _ in _until_ended(changes(lambda: state["now"], wait)):
        seen.append(state["now"])
        state["now"] = B
    assert seen == [A, B]


def test_stamps_tell_states_apart(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    before = stamps([tmp_path])
    model = tmp_path / "models/a.sql"
    model.write_text("SELECT 1")
    added = stamps([tmp_path])
    model.write_text("SELECT 12")
    grown = stamps([tmp_path])
    model.unlink()
    assert len({str(before), str(added), str(grown)}) == 3
    assert stamps([tmp_path]) == before


def test_what_no_check_reads_has_no_stamp(tmp_path: Path) -> None:
    for path in ("target/dev.duckdb", "target/a.sql", ".git/a.sql", "notes.txt"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("x")
    assert stamps([tmp_path]) == {}
    assert stamps([tmp_path / "gone"]) == {}


def _watched(shell: Shell, monkeypatch: pytest.MonkeyPatch, *steps: Callable[[], object]) -> Said:
    """Watch while the steps are taken, each followed by a pause in which nothing happens; then press Ctrl-C."""

    def script() -> Iterator[None]:
        for step in steps:
            step()
            yield
            yield

    running = script()

    def pause() -> None:
        try:
            next(running)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr(watching, "pause", pause)
    return shell("check", "--watch")


def test_it_ends_cleanly(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    said = _watched(shell, monkeypatch)
    assert (said.code, said.out, said.err) == (130, "", CLEAN)


def test_it_checks_again_when_a_file_changes(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    said = _watched(
        shell,
        monkeypatch,
        lambda: shell.edit(MODEL, "QUALIFY NOT is_deleted", "QUALIFY is_deleted = FALSE"),
        lambda: shell.edit(MODEL, "QUALIFY is_deleted = FALSE", "QUALIFY NOT is_deleted"),
    )
    assert said.code == 130
    assert said.out.count("error[SuccessionDeleteFilterMisplaced]") == 1
    assert said.err == CLEAN + CLEAN.replace("nothing found", "1 error") + CLEAN


def test_a_project_file_that_goes_and_comes_does_not_end_it(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (shell.root / "smelt.yml").read_text()
    said = _watched(shell, monkeypatch, (shell.root / "smelt.yml").unlink, lambda: shell.write("smelt.yml", text))
    assert said.code == 130
    assert said.err.startswith(CLEAN + "error[ProjectFileMissing]")
    assert said.err.endswith(CLEAN)


@pytest.mark.parametrize("more", [["--format", "json"], ["--fix"], ["--diff"], ["--baseline", "x", "--write-baseline"]])
def test_what_does_not_go_with_it(shell: Shell, more: list[str]) -> None:
    said = shell("check", "--watch", *more)
    assert (said.code, said.out) == (2, "")
    assert "--watch prints findings for a person, and changes nothing" in said.err
