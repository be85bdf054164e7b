"""What goes wrong outside of any project: smelt itself, the pipe, the terminal."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from smelt.cli.main import cli
from tests.cli.shell import Shell

PROGRAM = [sys.executable, "-c", "from smelt.cli.main import main; main()"]


@pytest.fixture
def broken(shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shell:
    """A smelt with a fault of its own, and a folder for what it leaves behind."""

    def fail(project: object) -> None:
        raise ZeroDivisionError("an inner fault")

    monkeypatch.setattr("smelt.cli.commands.explain.graph_text", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return shell


def test_a_fault_of_smelt_itself_leaves_its_traceback_in_a_named_file(broken: Shell) -> None:
    said = broken("explain")
    assert (said.code, said.out) == (70, "")
    found = re.fullmatch(
        r"error\[InternalFault\]: smelt itself failed: ZeroDivisionError; the traceback is in (\S+)\n = help: .*\n",
        said.err,
    )
    assert found is not None
    told = Path(found[1]).read_text()
    assert told.startswith("smelt explain\n")
    assert "ZeroDivisionError: an inner fault" in told


def test_a_traceback_that_cannot_be_written_is_said(broken: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(broken.root / "nowhere"))
    said = broken("explain")
    assert said.code == 70
    assert "its traceback could not be written: No such file or directory\n" in said.err


def test_debug_shows_the_traceback(broken: Shell) -> None:
    for arguments in (["explain", "--debug"], ["--debug", "explain"]):
        said = broken(*arguments)
        assert said.code == 70
        assert said.err.startswith("Traceback (most recent call last):\n")


def test_ctrl_c_is_no_traceback(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(project: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("smelt.cli.commands.explain.graph_text", interrupt)
    assert shell("explain").code == 130


@pytest.mark.parametrize("code", [0, 1])
def test_a_reader_that_goes_away_is_no_fault(shell: Shell, code: int) -> None:
    """The exit code stays the command's own."""
    if code:
        shell.edit("models/customer_history.sql", "QUALIFY NOT is_deleted", "QUALIFY is_deleted = FALSE")
    read, write = os.pipe()
    os.close(read)
    arguments = ["check", "--format", "json"]
    with os.fdopen(write, "wb") as pipe:
        ended = subprocess.run(
            [*PROGRAM, *arguments], cwd=shell.root, stdout=pipe, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (ended.returncode, ended.stderr) == (code, "")


def test_progress_that_nobody_reads_does_not_stop_a_run(shell: Shell) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        ended = subprocess.run(
            [*PROGRAM, "run", "--json"], cwd=shell.root, stdout=subprocess.PIPE, stderr=pipe, text=True, check=False
        )
    assert ended.returncode == 0
    assert '"rows_inserted": 8' in ended.stdout
    assert shell.manifests()[-1]["status"] == "completed"


def test_what_the_terminal_cannot_say_is_escaped(shell: Shell) -> None:
    shell.write("models/word.sql", "SELECT '漢' AS word\n")
    assert shell("run", "word").code == 0
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ended = subprocess.run(
        [*PROGRAM, "show", "word"], cwd=shell.root, env=environment, capture_output=True, check=False
    )
    assert ended.returncode == 0
    assert b"\\u6f22" in ended.stdout


def on_a_terminal(*arguments: str, cwd: Path, **environment: str) -> tuple[int, str]:
    """Run the program with both streams on a pseudo-terminal; what it wrote, and its exit code."""
    main, side = pty.openpty()
    plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    with subprocess.Popen(
        [*PROGRAM, *arguments],
        cwd=cwd,
        stdin=side,
        stdout=side,
        stderr=side,
        env={**plain, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40", **environment},
    ) as process:
        os.close(side)
        written = b""
        while True:
            try:
                chunk = os.read(main, 65536)
            except OSError:  # the other side is closed: how Linux says that a pseudo-terminal has ended
                break
            if not chunk:
                break
            written += chunk
        os.close(main)
    return process.returncode, written.decode("utf-8").replace("\r\n", "\n")


def test_a_terminal_gets_a_live_table_and_colours(shell: Shell) -> None:
    code, written = on_a_terminal("run", cwd=shell.root)
    assert code == 0
    assert "\x1b[32mdone" in written
    assert "8 inserted, 0 patched, 1 tombstone" in written
    assert "2 models: 2 done" in written.splitlines()[-1]
    code, written = on_a_terminal("show", "customer_history", cwd=shell.root)
    assert code == 0
    assert "\x1b[1mcustomer_id" in written


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["run", "--no-color"], {}),
        (["--no-color", "show", "customer_history"], {}),
        (["check"], {"NO_COLOR": "1"}),
        (["check"], {"TERM": "dumb"}),
    ],
)
def test_colours_can_be_refused(built: Shell, arguments: list[str], environment: dict[str, str]) -> None:
    built.edit("models/customer_history.sql", "QUALIFY NOT is_deleted", "QUALIFY is_deleted = FALSE")
    _, written = on_a_terminal(*arguments, cwd=built.root, **environment)
    assert written
    assert "\x1b" not in written


def test_a_frame_on_a_terminal_has_colours(shell: Shell) -> None:
    shell.edit("models/customer_history.sql", "QUALIFY NOT is_deleted", "QUALIFY is_deleted = FALSE")
    code, written = on_a_terminal("check", cwd=shell.root)
    assert code == 1
    assert "\x1b[1;31merror[SuccessionDeleteFilterMisplaced]\x1b[0m" in written


def test_lsp_speaks_the_protocol_on_stdio(tmp_path: Path) -> None:
    def message(method: str, **fields: object) -> bytes:
        body = json.dumps({"jsonrpc": "2.0", "method": method, **fields}).encode()
        return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    spoken = (
        message("initialize", id=1, params={"processId": None, "rootUri": None, "capabilities": {}})
        + message("initialized", params={})
        + message("shutdown", id=2)
        + message("exit")
    )
    ended = subprocess.run([*PROGRAM, "lsp", "--stdio"], cwd=tmp_path, input=spoken, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith(b"Content-Length: ")
    assert b'"hoverProvider"' in ended.stdout


def test_the_group_is_what_the_console_script_runs() -> None:
    assert cli.name == "smelt"
