"""Opening a database: deterministic settings, named faults, one writer."""

import resource
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from smelt.engines.duckdb.errors import Redaction
from smelt.engines.duckdb.session import Session, connect
from smelt.engines.model import Failure, WarehouseError
from smelt.project.model import Target

MEMORY = Target("dev", database=":memory:")


def refused(root: Path, target: Target, redacted: tuple[str, ...] = ()) -> Failure:
    with pytest.raises(WarehouseError) as caught:
        connect(root, target, redacted=redacted)
    return caught.value.failure


def opened(root: Path, target: Target) -> Session:
    return connect(root, target)


def test_settings_that_change_results_are_smelts_unless_the_target_sets_them(tmp_path: Path) -> None:
    session = opened(tmp_path, MEMORY)
    assert session.result_settings()["TimeZone"] == "utc"
    assert session.run("SELECT x FROM (VALUES (1), (NULL), (2)) AS t(x) ORDER BY x") == [(1,), (2,), (None,)]
    session.connection.close()
    session = opened(tmp_path, replace(MEMORY, settings=(("TimeZone", "Asia/Kolkata"), ("threads", "1"))))
    assert session.result_settings()["TimeZone"] == "asia/kolkata"
    session.connection.close()


def test_the_folder_and_the_schema_are_made(tmp_path: Path) -> None:
    session = opened(tmp_path, Target("dev", database="deep/er/x.duckdb", schema="odd schema"))
    assert session.one("SELECT current_schema()") == ("odd schema",)
    assert (tmp_path / "deep" / "er" / "x.duckdb").exists()
    session.connection.close()


def test_reading_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(WarehouseError) as caught:
        connect(tmp_path, Target("dev", database="target/x.duckdb"), read_only=True)
    assert caught.value.failure.code == "WarehouseOpenFailed"
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize(
    ("target", "code"),
    [
        (replace(MEMORY, settings=(("thraeds", "4"),)), "WarehouseSettingInvalid"),
        (replace(MEMORY, settings=(("threads", "many"),)), "WarehouseSettingInvalid"),
        (replace(MEMORY, init_sql=("SET threads = 1", "SELEC 1")), "WarehouseInitSqlFailed"),
        (Target("dev", database="shop.duckdb", schema="shop"), "WarehouseOpenFailed"),
    ],
)
def test_what_cannot_be_prepared_is_named(tmp_path: Path, target: Target, code: str) -> None:
    assert refused(tmp_path, target).code == code


def test_an_unknown_extension_is_named(tmp_path: Path) -> None:
    repository = ("custom_extension_repository", str(tmp_path / "nowhere"))
    target = replace(MEMORY, settings=(repository,), extensions=("no_such_extension",))
    failure = refused(tmp_path, target)
    assert failure.code == "WarehouseExtensionUnavailable"
    assert "no_such_extension" in failure.message


def test_an_extension_that_is_there_is_loaded(tmp_path: Path) -> None:
    opened(tmp_path, replace(MEMORY, extensions=("json",))).connection.close()


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "x.duckdb").write_bytes(b"not a database " * 400)
    failure = refused(tmp_path, Target("dev", database="x.duckdb"))
    assert failure.code == "WarehouseOpenFailed"
    assert "x.duckdb" in failure.message


def test_a_database_held_by_another_process_names_it(tmp_path: Path) -> None:
    script = textwrap.dedent(
        """
        import duckdb, os, sys
        connection = duckdb.connect(sys.argv[1])
        print(os.getpid(), flush=True)
        sys.stdin.read()
        """
    )
    path = tmp_path / "x.duckdb"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        pid = int(holder.stdout.readline())
        failure = refused(tmp_path, Target("dev", database="x.duckdb"))
        assert holder.stdin is not None
        holder.stdin.close()
        holder.wait()
    assert (failure.code, failure.busy) == ("WarehouseLocked", True)
    assert failure.message == f"x.duckdb is held by PID {pid}"
    opened(tmp_path, Target("dev", database="x.duckdb")).connection.close()


def test_interpolated_values_are_never_printed(tmp_path: Path) -> None:
    target = replace(MEMORY, init_sql=("SELECT * FROM secret_word",))
    assert "secret_word" not in refused(tmp_path, target, ("secret_word",)).message


def test_redaction_takes_the_longest_first() -> None:
    assert Redaction(("abc", "abcdef", ""))("x abcdef abc") == "x *** ***"


def test_a_failed_transaction_leaves_nothing(tmp_path: Path) -> None:
    session = opened(tmp_path, MEMORY)

    def half() -> None:
        with session.transaction("model"):
            session.run("CREATE TABLE main.half AS SELECT 1 AS x")
            session.run("SELECT no_such_function(1)")

    with pytest.raises(WarehouseError) as caught:
        half()
    assert caught.value.failure.code == "WarehouseStatementFailed"
    assert caught.value.failure.message.startswith("model: ")
    assert "\n" not in caught.value.failure.message
    assert session.catalogue.kind("half") is None
    session.connection.close()


@pytest.mark.parametrize("room", [0, 200, 4096, 8000])
def test_a_disk_too_full_for_a_new_database_leaves_none_that_does_not_open(tmp_path: Path, room: int) -> None:
    target = Target("dev", database="x.duckdb")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        failure = refused(tmp_path, target)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert failure.code == "WarehouseDiskFull"
    opened(tmp_path, target).connection.close()


def test_too_little_memory_is_named(tmp_path: Path) -> None:
    settings = (("memory_limit", "10MB"), ("threads", "1"), ("max_temp_directory_size", "0KB"))
    session = opened(tmp_path, replace(MEMORY, settings=settings))
    with pytest.raises(WarehouseError) as caught, session.transaction("model"):
        session.run("CREATE TABLE main.big AS SELECT i, hash(i) AS h, i::VARCHAR AS s FROM range(5000000) AS t(i)")
    assert caught.value.failure.code in {"WarehouseOutOfMemory", "WarehouseDiskFull"}
    session.connection.close()
