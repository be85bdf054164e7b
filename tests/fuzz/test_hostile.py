"""Hostile files through the real command line, in a process that may take a minute of processor and 3 GB at most."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import forked

SETUP = "name: shop\ntargets:\n  dev: {type: duckdb, database: target/dev.duckdb}\n"
GOOD = "SELECT 1 AS one"
WIDE = "name: raw.t\ncolumns:\n" + "".join(f"  - {{name: c{n}, type: INTEGER}}\n" for n in range(10_000))
BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30)
)
_PROCESSOR = 60
_MEMORY = 3 << 30


def check(root: Path, *arguments: str) -> tuple[int, str]:
    """Exit code and report of ``smelt check``; a process killed for what it takes has a negative one."""
    limits = f"import resource as r; r.setrlimit(r.RLIMIT_AS, ({_MEMORY},) * 2)"
    limits += f"; r.setrlimit(r.RLIMIT_CPU, ({_PROCESSOR},) * 2)"
    script = f"{limits}; {forked.SMELT}"
    ended = forked.run(script, "check", *arguments, cwd=root, environment=os.environ)
    said = ended.stdout + ended.stderr
    assert said.encode("utf-8").decode("utf-8") == said
    assert "Traceback" not in said
    assert "smelt itself failed" not in said
    return ended.returncode, said


def project(root: Path, files: dict[str, str | bytes]) -> Path:
    for path, content in {"smelt.yml": SETUP, "models/good.sql": GOOD, **files}.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return root


# One project with many hostile files each: what is measured is that the process comes back, and what it says of each.
TEXTS: dict[str, str | bytes] = {
    "models/m01.sql": "SELECT " + "(" * 5000 + "1" + ")" * 5000,
    "models/m02.sql": "SELECT " + "CASE WHEN TRUE THEN " * 5000 + "1" + " END" * 5000,
    "models/m03.sql": "SELECT * FROM " + "(SELECT * FROM " * 5000 + "smelt.good" + ")" * 5000,
    "models/m04.sql": "WITH a AS (" * 800 + GOOD + ") SELECT * FROM a" * 800,
    "models/m05.sql": "SELECT " + "{'a': " * 5000 + "1" + "}" * 5000,
    "models/m06.sql": "SELECT '" + "x" * 2_000_000,
    "models/m07.sql": "SELECT " + "x" * 2_000_000,
    "models/m08.sql": "--\n" * 500_000 + GOOD,
    "models/m09.sql": "SELECT 1 AS a" + " " * 11_000_000,
    "models/m10.sql": "SELECT " + "a AS, " * 2000 + "1 AS b",
    "models/m11.sql": "SELECT * FROM (a JOIN " * 800,
    "models/m12.sql": "SELECT 1\0 AS a",
    "models/m13.sql": GOOD.encode("utf-16"),
    "models/m14.sql": b"SELECT '\xe9' AS a",
    "models/m15.sql": "SELECT /*" * 10_000,
    "models/y01.yml": BOMB,
    "models/y02.yml": "a: " + "[" * 5000 + "]" * 5000,
    "models/y03.yml": "a: [" + "a," * 250_000 + "]",
    "models/y04.yml": "name: a\0b",
    "models/y05.yml": "name: t".encode("utf-16"),
    "models/y06.yml": "- " * 100_000,
    "models/y07.yml": "".join(f"k{n}: 1\n" for n in range(500)),
}


def test_every_hostile_text_is_told_and_the_process_comes_back(tmp_path: Path) -> None:
    code, said = check(project(tmp_path, TEXTS))
    assert code == 1, said[-2000:]
    silent = [path for path in TEXTS if f"--> {path}" not in said]
    assert silent == []
    assert "models/good.sql" not in said


@pytest.mark.parametrize(
    "text",
    [SETUP + BOMB, SETUP + "\0", SETUP.encode("utf-16"), "[" * 5000, "", SETUP + "models: {" + "a: {}, " * 5000 + "}"],
    ids=["bomb", "nul", "utf-16", "deep", "empty", "many keys"],
)
def test_a_hostile_project_file_is_told(text: str | bytes, tmp_path: Path) -> None:
    code, said = check(project(tmp_path, {"smelt.yml": text}))
    assert code == 1
    assert "--> smelt.yml" in said


def test_a_source_of_ten_thousand_columns_is_read(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"models/s.yml": WIDE, "models/m.sql": "SELECT *, c9999 AS x FROM smelt.s"}
    code, said = check(project(tmp_path, files))
    assert (code, said) == (0, "nothing found in 4 files\n")


def _loops(models: Path) -> None:
    (models / "a").mkdir()
    (models / "a" / "b").symlink_to(models)
    (models / "up").symlink_to("..")
    (models / "self.sql").symlink_to("self.sql")
    (models / "gone.sql").symlink_to("nowhere.sql")


def _devices(models: Path) -> None:
    os.mkfifo(models / "f.sql")
    os.mkfifo(models / "f.yml")
    os.mkfifo(models / "seed.csv")
    (models / "z.sql").symlink_to("/dev/zero")
    (models / "r.yml").symlink_to("/dev/random")


def _names(models: Path) -> None:
    for name in (b"a\nb.sql", b"q'u\"o.sql", b"\xff\xfe.sql", b"\xff.yml", b"\xff.csv", b"-rf.sql", b"a\x1b[31m.sql"):
        Path(os.fsdecode(os.fsencode(models) + b"/" + name)).write_bytes(b"x")


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (_loops, ["models/self.sql", "models/gone.sql"]),
        (_devices, ["models/f.sql", "models/f.yml", "models/z.sql", "models/r.yml"]),
        (_names, ["models/a\ufffdb.sql", "models/?.yml", "models/a\ufffd[31m.sql"]),
    ],
)
def test_what_is_no_plain_file_is_told_and_never_waited_for(
    make: Callable[[Path], None], told: list[str], tmp_path: Path
) -> None:
    root = project(tmp_path, {})
    make(root / "models")
    code, said = check(root)
    assert code == 1
    assert [name for name in told if name not in said] == []


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir], ids=["fifo", "folder"])
def test_a_project_file_that_is_no_file_is_none(make: Callable[[Path], None], tmp_path: Path) -> None:
    root = project(tmp_path, {})
    (root / "smelt.yml").unlink()
    make(root / "smelt.yml")
    assert check(root)[0] == 2


@pytest.mark.parametrize(
    "named", ["/dev/zero", "data/fifo", "data/*", "data/loop", "\\0", "~/x", "https://host.invalid/x"]
)
def test_what_files_names_is_never_opened(named: str, tmp_path: Path) -> None:
    source = f'files: "{named}"\ncolumns:\n  - {{name: id, type: INTEGER}}\n'
    root = project(tmp_path, {"models/s.yml": source, "models/m.sql": "SELECT id FROM smelt.s"})
    (root / "data").mkdir()
    os.mkfifo(root / "data" / "fifo")
    (root / "data" / "loop").symlink_to("loop")
    hook = (
        "import sys\n"
        "def opening(event, arguments):\n"
        "    events = ('open', 'os.listdir', 'os.scandir', 'socket.connect')\n"
        f"    if event in events and {str(root / 'data')!r} in repr(arguments):\n"
        "        raise AssertionError(arguments)\n"
        "sys.addaudithook(opening)\n"
    )
    ended = forked.run(hook + forked.SMELT, "check", cwd=root, environment=os.environ)
    assert "AssertionError" not in ended.stdout + ended.stderr
    assert ended.returncode in (0, 1)
    assert ended.returncode == 0 or "models/s.yml" in ended.stdout
