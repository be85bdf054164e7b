"""The kept outcome of a check: never another than that of looking anew, and not looking where nothing changed."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smelt.engines.binder import DuckDBBinder
from smelt.workspace.checking import Findings, findings_of, findings_with
from smelt.workspace.inventory import digest

SETUP = "name: shop\ntargets:\n  dev: {type: duckdb, database: 'target/${NAME}.duckdb'}\n"
FILES = {
    "smelt.yml": SETUP,
    "models/plans.yml": "name: raw.plans\ncolumns: [{name: id, type: INTEGER}, {name: plan, type: VARCHAR}]\n",
    "models/first.sql": "SELECT id, plan FROM smelt.plans\n",
    "models/second.sql": "SELECT id, lower(plan) AS plan FROM smelt.first\n",
    "models/deep/third.sql": "SELECT nothing FROM smelt.second\n",
}
ENVIRONMENT = {"NAME": "hush-hush"}
CACHE = ("target/.cache/check.json", "target/.cache/check-records.json")


@contextmanager
def binder() -> Iterator[DuckDBBinder]:
    opened = DuckDBBinder()
    try:
        yield opened
    finally:
        opened.close()


@contextmanager
def no_binder() -> Iterator[DuckDBBinder]:
    raise AssertionError("something is judged that was judged before")
    yield


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        write(tmp_path, path, text)
    return tmp_path


def write(root: Path, path: str, text: str) -> None:
    """A file at rest since long, as most are."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def at_rest(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files written just now count as at rest."""
    monkeypatch.setattr("smelt.workspace.inventory.TICK_NANOSECONDS", -(10**18))


def look(root: Path, environment: Mapping[str, str] = ENVIRONMENT) -> Findings:
    return findings_of(root, environment, binder)


def is_right(root: Path, found: Findings, environment: Mapping[str, str] = ENVIRONMENT) -> None:
    anew = findings_with(root, {}, environment, binder)
    assert [(one.code.name, one.severity) for one in found.findings] == [
        (one.code.name, one.severity) for one in anew.findings
    ]
    assert [(one.location, one.message, one.help, one.related, one.fixes) for one in found.findings] == [
        (one.location, one.message, one.help, one.related, one.fixes) for one in anew.findings
    ]
    assert (found.files, found.reads, found.folders) == (anew.files, anew.reads, anew.folders)
    assert {one.location.file: found.texts.get(one.location.file) for one in found.findings} == {
        one.location.file: anew.texts.get(one.location.file) for one in anew.findings
    }


def test_an_unchanged_project_is_not_judged_again(root: Path) -> None:
    is_right(root, look(root))
    is_right(root, findings_of(root, ENVIRONMENT, no_binder))


def test_an_unchanged_project_is_answered_without_the_parser(root: Path) -> None:
    look(root)
    program = (
        "import sys\nfrom pathlib import Path\nfrom smelt.workspace.checking import findings_of\n"
        f"found = findings_of(Path(sys.argv[1]), {ENVIRONMENT}, None)\n"
        "assert [one.code.name for one in found.findings] == ['UnknownColumn']\n"
        "print(sorted({'sqlglot', 'duckdb', 'pydantic', 'yaml'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(root)], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_files_at_rest_are_not_even_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_rest(root, monkeypatch)
    look(root)
    read: list[str] = []
    really = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path.name) or really(path))  # type: ignore[func-returns-value]
    findings_of(root, ENVIRONMENT, no_binder)
    assert sorted(read) == ["check.json", "smelt.yml"]


def test_a_touched_file_is_read_once_more_and_noted(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_rest(root, monkeypatch)
    look(root)
    os.utime(root / "models/first.sql")
    is_right(root, findings_of(root, ENVIRONMENT, no_binder))
    read: list[str] = []
    really = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path.name) or really(path))  # type: ignore[func-returns-value]
    findings_of(root, ENVIRONMENT, no_binder)
    assert sorted(read) == ["check.json", "smelt.yml"]


def test_an_edit_of_the_same_length_with_the_old_time_is_seen(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_rest(root, monkeypatch)
    look(root)
    file = root / "models/deep/third.sql"
    status = file.stat()
    file.write_text("SELECT notting FROM smelt.second\n")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    found = look(root)
    assert "notting" in found.findings[0].message
    is_right(root, found)


def test_a_file_that_changed_in_the_tick_it_was_noted_in_is_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smelt.workspace.inventory.TICK_NANOSECONDS", 10**18)  # however long the first look takes
    look(root)
    noted = {path: stamp for path, stamp, _ in json.loads((root / CACHE[0]).read_bytes().partition(b"\n")[2])["files"]}
    assert noted["models/first.sql"] is None


@pytest.mark.parametrize("name", CACHE)
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-3],
        lambda data: data.replace(b"{", b"[", 1),
        lambda data: b"\0" * len(data),
        lambda data: with_digest(b"[1, 2]"),
        lambda data: with_digest(b"{}"),
        lambda data: with_digest(data.partition(b"\n")[2].replace(b'"UnknownColumn"', b'"NoSuchCode"')),
        lambda data: with_digest(data.partition(b"\n")[2].replace(b'"models/first.sql"', b"7")),
    ],
)
def test_a_damaged_cache_is_as_good_as_none(root: Path, name: str, damage: object) -> None:
    look(root)
    file = root / name
    file.write_bytes(damage(file.read_bytes()))  # type: ignore[operator]
    write(root, "models/first.sql", "SELECT id, plan || '!' AS plan FROM smelt.plans\n")
    is_right(root, look(root))
    is_right(root, findings_of(root, ENVIRONMENT, no_binder))


def with_digest(body: bytes) -> bytes:
    return digest(body).encode() + b"\n" + body


def test_what_comes_from_the_environment_decides_and_is_not_written_down(root: Path) -> None:
    write(root, "smelt.yml", SETUP + "default_target: ${NAME}\n")
    found = look(root)
    assert [one.code.name for one in found.findings] == ["UnknownColumn", "UnknownTarget"]
    assert found.hidden == {"hush-hush"}
    assert not any(b"hush-hush" in file.read_bytes() for file in root.rglob("*") if file.is_file())
    with pytest.MonkeyPatch.context() as patch:  # as if a message quoted it
        patch.setattr("smelt.workspace.checking.words", lambda finding: ("is hush-hush",))
        (root / CACHE[0]).unlink()
        look(root)
    assert not (root / CACHE[0]).exists()
    other = look(root, {"NAME": "dev"})
    assert [one.code.name for one in other.findings] == ["UnknownColumn"]
    is_right(root, look(root, {"NAME": "dev"}), {"NAME": "dev"})


def test_a_project_that_cannot_be_written_goes_without(root: Path) -> None:
    (root / "target").write_text("no folder")
    is_right(root, look(root))
    is_right(root, look(root))
    assert (root / "target").read_text() == "no folder"


def test_odd_files_are_looked_at_each_time(root: Path) -> None:
    (root / "models/link.sql").symlink_to(root / "nowhere.sql")
    (root / "models/latin.sql").write_bytes(b"SELECT '\xfc'")
    is_right(root, look(root))
    is_right(root, look(root))


TEXTS = (
    None,
    "SELECT id, plan FROM smelt.plans",
    "SELECT id, plan FROM smelt.first",
    "SELECT id, FROM",
    "SELECT id, upper(plan) AS plan FROM smelt.plans",
)
STEPS = st.lists(
    st.tuples(st.sampled_from(["models/first.sql", "models/second.sql", "models/deep/x.sql"]), st.sampled_from(TEXTS)),
    min_size=1,
    max_size=6,
)


@given(STEPS)
@settings(max_examples=25)
def test_after_any_change_it_is_what_looking_anew_finds(steps: list[tuple[str, str | None]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, text in FILES.items():
            write(root, path, text)
        for path, text in steps:
            if text is None:
                (root / path).unlink(missing_ok=True)
            else:
                write(root, path, text)
            is_right(root, look(root))
