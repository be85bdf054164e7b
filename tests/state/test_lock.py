import fcntl
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from smelt.state.clock import SystemClock
from smelt.state.errors import StateError
from smelt.state.lock import Holder, Lock, parse_holder
from smelt.state.store import locked
from tests.state.children import HOLD, run, waiting
from tests.state.clocks import FakeClock


def hold(root: Path, timeout: float = 0, clock: FakeClock | None = None) -> None:
    with locked(root, "dev", "intervals", "smelt run", clock or FakeClock(), timeout, default_target="dev"):
        pass


def test_a_second_process_fails_at_once_and_names_the_first(tmp_path: Path) -> None:
    with waiting(HOLD, tmp_path) as child:
        with pytest.raises(StateError) as refused:
            hold(tmp_path)
        assert refused.value.exit_code == 4
        assert refused.value.code == "StateLocked"
        assert re.fullmatch(
            rf"state is locked by PID {child.pid} \(smelt run, started \d\d:\d\d:\d\d\)", refused.value.message
        )
        content = (tmp_path / ".smelt/lock").read_text()
        assert re.fullmatch(rf"{child.pid} \S+ \d{{4}}-\d\d-\d\dT[\d:.]+Z smelt run", content)


def test_a_killed_holder_leaves_no_lock(tmp_path: Path) -> None:
    with waiting(HOLD, tmp_path) as child:
        inode = (tmp_path / ".smelt/lock").stat().st_ino
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert (tmp_path / ".smelt/lock").read_text() != ""
        hold(tmp_path)
    assert (tmp_path / ".smelt/lock").stat().st_ino == inode
    assert (tmp_path / ".smelt/lock").read_text() == ""


SPAWN = """
import subprocess, sys
from pathlib import Path
from smelt.state.clock import SystemClock
from smelt.state.store import locked
with locked(Path(sys.argv[1]), "dev", "intervals", "smelt run", SystemClock(), 0, default_target="dev"):
    grandchild = subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE, close_fds=False
    )
    print(grandchild.pid, flush=True)
    sys.stdin.read()
"""


def test_a_program_that_the_holder_started_does_not_keep_the_lock(tmp_path: Path) -> None:
    """The grandchild inherits every descriptor that is not close-on-exec, and outlives the holder."""
    keep, write_end = os.pipe()
    os.set_inheritable(keep, True)
    script = SPAWN.replace("stdin=subprocess.PIPE", f"stdin={keep}")
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        pass_fds=(keep,),
    )
    try:
        assert holder.stdout is not None
        grandchild = int(holder.stdout.readline())
        holder.kill()
        holder.wait()
        os.kill(grandchild, 0)
        hold(tmp_path)
    finally:
        os.close(write_end)
        os.close(keep)
        holder.communicate()


def test_the_timeout_waits_until_the_lock_is_free(tmp_path: Path) -> None:
    clock = FakeClock()
    with waiting(HOLD, tmp_path) as child:

        def free() -> None:
            assert child.stdin is not None
            if not child.stdin.closed:
                child.stdin.close()
            child.wait()

        clock.while_asleep = free
        hold(tmp_path, timeout=10, clock=clock)
    assert len(clock.slept) == 1


def test_the_timeout_ends(tmp_path: Path) -> None:
    clock = FakeClock()
    with waiting(HOLD, tmp_path), pytest.raises(StateError, match="locked by PID"):
        hold(tmp_path, timeout=2, clock=clock)
    assert sum(clock.slept) == pytest.approx(2)


def test_a_backup_that_holds_the_lock_is_another_process(tmp_path: Path) -> None:
    hold(tmp_path)
    with (tmp_path / ".smelt/lock").open("r+") as backup:
        fcntl.flock(backup, fcntl.LOCK_EX)
        with pytest.raises(StateError, match="state is locked by another process") as refused:
            hold(tmp_path)
    assert refused.value.exit_code == 4


def test_a_backup_under_flock_waits_for_a_run(tmp_path: Path) -> None:
    """``flock .smelt/lock tar …`` is the live backup: both sides use the same lock."""
    backup = ["flock", "--nonblock", str(tmp_path / ".smelt/lock"), "true"]
    with waiting(HOLD, tmp_path):
        assert subprocess.run(backup, check=False).returncode == 1
    assert subprocess.run(backup, check=False).returncode == 0


def test_the_name_of_a_killed_holder_is_not_given_for_another(tmp_path: Path) -> None:
    with waiting(HOLD, tmp_path) as child:
        child.kill()
        child.wait()
        with (tmp_path / ".smelt/lock").open("r+") as backup:
            fcntl.flock(backup, fcntl.LOCK_EX)
            with pytest.raises(StateError, match="another process"):
                hold(tmp_path)


def test_one_that_wrote_its_name_late_is_named(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    clock = FakeClock()
    with path.open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        clock.while_asleep = lambda: (path.write_text(f"{os.getppid()} far 2025-01-01T08:09:10Z smelt build"), None)[1]
        expected = rf"PID {os.getppid()} on far \(smelt build, started 08:09:10\)"
        with pytest.raises(StateError, match=expected), Lock(path, "smelt run", "2025-01-01T00:00:00Z", clock, 0):
            pass


def test_a_file_system_without_locks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(StateError, match=r"\.smelt/lock cannot be locked: Function not implemented") as refused:
        hold(tmp_path)
    assert (refused.value.code, refused.value.exit_code) == ("StateLockUnsupported", 2)


@pytest.mark.parametrize("text", ["", "4242", "x y z w", "4242 host yesterday smelt run", "-1 host 2025-01-01 smelt"])
def test_a_line_that_names_nobody(text: str) -> None:
    assert parse_holder(text) is None


def test_a_holder_reads_as_it_was_written() -> None:
    holder = Holder(4242, "box", "2025-03-01T12:01:03.000Z", "smelt run")
    assert parse_holder(holder.line()) == holder
    assert holder.describe("box") == "PID 4242 (smelt run, started 12:01:03)"


RACE = """
import sys
from pathlib import Path
from smelt.state.clock import SystemClock
from smelt.state.errors import StateError
from smelt.state.store import locked
counter = Path(sys.argv[1]) / "counter"
print("ready", flush=True)
sys.stdin.readline()
for _ in range(25):
    with locked(Path(sys.argv[1]), "dev", "intervals", "smelt run", SystemClock(), 60, default_target="dev"):
        counter.write_text(str(int(counter.read_text()) + 1))
"""


def test_many_processes_take_turns(tmp_path: Path) -> None:
    """Each reads, adds and writes under the lock: one lost turn would show in the sum."""
    (tmp_path / "counter").write_text("0")
    with waiting(RACE, tmp_path) as one, waiting(RACE, tmp_path) as two, waiting(RACE, tmp_path) as three:
        for child in (one, two, three):
            assert child.stdin is not None
            child.stdin.write("go\n")
            child.stdin.close()
        for child in (one, two, three):
            assert child.wait(timeout=60) == 0
    assert (tmp_path / "counter").read_text() == "75"


def test_it_works_with_the_machines_clock(tmp_path: Path) -> None:
    code, _, err = run(HOLD, tmp_path)
    assert (code, err) == (0, "")
    with locked(tmp_path, "dev", "intervals", "smelt run", SystemClock(), 0, default_target="dev"):
        pass
