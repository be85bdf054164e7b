"""A forked program is a process as any other."""

import os
import signal
from pathlib import Path

from tests import forked


def test_it_has_what_it_was_given_and_nothing_else(tmp_path: Path) -> None:
    script = "import os, sys; print(sys.argv[1:], os.getcwd(), dict(os.environ), os.getpid(), sys.stdin.read() == '')"
    ended = forked.run(script, "one", "two words", cwd=tmp_path, environment={"A": "b"})
    other = forked.run(script, "one", "two words", cwd=tmp_path, environment={"A": "b"})
    assert ended.stdout.startswith(f"['one', 'two words'] {tmp_path} {{'A': 'b'}} ")
    assert ended.stdout.endswith(" True\n")
    assert ended.stdout != other.stdout  # another process each time


def test_how_it_ends_is_told(tmp_path: Path) -> None:
    script = "import sys; print('out'); sys.stdout.flush(); print('wrong', file=sys.stderr); raise SystemExit(7)"
    apart = forked.run(script, cwd=tmp_path, environment={})
    assert (apart.returncode, apart.stdout, apart.stderr) == (7, "out\n", "wrong\n")
    together = forked.run(script, cwd=tmp_path, environment={}, together=True)
    assert (together.returncode, together.stdout, together.stderr) == (7, "out\nwrong\n", "")
    killed = forked.run("import os; os.kill(os.getpid(), 9)", cwd=tmp_path, environment={})
    assert killed.returncode == -signal.SIGKILL
    raised = forked.run("1 / 0", cwd=tmp_path, environment=os.environ)
    assert raised.returncode == 1
    assert "ZeroDivisionError" in raised.stderr


def test_much_that_is_given_arrives(tmp_path: Path) -> None:
    given = {"GIVEN": "x" * 120_000, "TOO": "y" * 120_000}
    ended = forked.run("import os; print(*map(len, os.environ.values()))", cwd=tmp_path, environment=given)
    assert ended.stdout == "120000 120000\n"


def test_much_that_is_written_stops_nobody(tmp_path: Path) -> None:
    script = "import sys; [print('x' * 999, file=stream) for _ in range(999) for stream in (sys.stdout, sys.stderr)]"
    ended = forked.run(script, cwd=tmp_path, environment={})
    assert (len(ended.stdout), len(ended.stderr)) == (999_000, 999_000)
