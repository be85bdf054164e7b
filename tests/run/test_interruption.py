import json
import signal
import subprocess
from pathlib import Path

import pytest

from smelt.state.clock import SystemClock
from smelt.state.store import locked
from tests.state.children import run, waiting

INTERRUPTED_RUN = """
import sys, threading
from pathlib import Path
from smelt.engines.model import Built, Failure, WarehouseError
from smelt.run.model import RunRequest
from smelt.run.runner import execute
from tests.run.projects import FakeWarehouse, Listening, ModelSpec, address, make

reaction = sys.argv[2]
stopped = threading.Event()
calls = []

def wait_to_be_stopped():
    print("folding", flush=True)
    while not stopped.wait(0.01):
        pass
    if reaction == "commits":
        return Built("table", 1)
    raise WarehouseError(Failure("WarehouseInterrupted", "interrupted"))

class Stopping(FakeWarehouse):
    def interrupt(self):
        calls.append(1)
        if len(calls) == 1:
            print("interrupted", flush=True)
        if reaction != "deaf" and (reaction != "late" or len(calls) > 1):
            stopped.set()

project, analysis = make({"a": ModelSpec(), "b": ModelSpec(reads=("a",)), "c": ModelSpec(reads=("b",))})
warehouse = Stopping(script={"b": wait_to_be_stopped})
request = RunRequest("run", "smelt run", "dev", tuple(project.models))
summary = execute(
    Path(sys.argv[1]), project, analysis, request, Listening(), open_warehouse=lambda *_: warehouse
)
assert warehouse.closed == 1
sys.exit(summary.exit_code)
"""


def manifest(root: Path) -> dict[str, object]:
    [path] = (root / ".smelt/targets/dev/runs").iterdir()
    found = json.loads(path.read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def outcomes(root: Path) -> dict[str, str]:
    models = manifest(root)["models"]
    assert isinstance(models, dict)
    return {name: record.get("skip_reason") or record["outcome"] for name, record in models.items()}


def assert_lock_is_free(root: Path) -> None:
    with locked(root, "dev", "intervals", "smelt run", SystemClock(), 0, default_target="dev"):
        pass


def next_line(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_first_signal_ends_in_an_orderly_way(tmp_path: Path, number: signal.Signals, code: int) -> None:
    with waiting(INTERRUPTED_RUN, tmp_path, "stops") as child:
        child.send_signal(number)
        assert next_line(child) == "interrupted"
        assert child.wait(timeout=30) == code
    assert outcomes(tmp_path) == {"a": "success", "b": "cancelled", "c": "not_reached"}
    assert manifest(tmp_path)["status"] == "cancelled"
    assert manifest(tmp_path)["completed_at"] is not None
    assert_lock_is_free(tmp_path)


def test_a_signal_between_two_statements_stops_the_next_one(tmp_path: Path) -> None:
    with waiting(INTERRUPTED_RUN, tmp_path, "late") as child:
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=30) == 130
    assert outcomes(tmp_path) == {"a": "success", "b": "cancelled", "c": "not_reached"}


def test_a_model_that_committed_before_the_signal_reached_it_is_a_success(tmp_path: Path) -> None:
    with waiting(INTERRUPTED_RUN, tmp_path, "commits") as child:
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=30) == 130
    assert outcomes(tmp_path) == {"a": "success", "b": "success", "c": "not_reached"}
    assert manifest(tmp_path)["status"] == "cancelled"


def test_the_second_signal_stops_at_once_and_still_says_cancelled(tmp_path: Path) -> None:
    with waiting(INTERRUPTED_RUN, tmp_path, "deaf") as child:
        child.send_signal(signal.SIGINT)
        assert next_line(child) == "interrupted"
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=30) == 130
    assert outcomes(tmp_path) == {"a": "success", "b": "cancelled"}
    assert manifest(tmp_path)["status"] == "cancelled"
    assert_lock_is_free(tmp_path)


SIGNALLED_WAIT = """
import signal, sys, threading
from pathlib import Path
from smelt.run.model import RunRequest
from smelt.run.runner import execute
from smelt.state.clock import SystemClock
from tests.run.projects import FakeWarehouse, Listening, ModelSpec, make

class Announcing(SystemClock):
    def sleep(self, seconds):
        print("waiting", flush=True)
        super().sleep(seconds)

project, analysis = make({"a": ModelSpec()})
request = RunRequest("run", "smelt run", "dev", tuple(project.models), lock_timeout=60)
execute(
    Path(sys.argv[1]), project, analysis, request, Listening(),
    clock=Announcing(), open_warehouse=lambda *_: FakeWarehouse(),
)
"""


def test_a_signal_while_waiting_for_the_lock_ends_the_wait(tmp_path: Path) -> None:
    with (
        locked(tmp_path, "dev", "intervals", "smelt run", SystemClock(), 0, default_target="dev"),
        waiting(SIGNALLED_WAIT, tmp_path) as child,
    ):
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=30) == 130
    assert not (tmp_path / ".smelt/targets").exists()


HANDLERS = """
import signal, sys
from pathlib import Path
from smelt.run.model import RunRequest
from smelt.run.runner import execute
from tests.run.projects import FakeWarehouse, Listening, ModelSpec, make, building, TABLE

signal.signal(signal.SIGINT, signal.SIG_IGN)
mine = signal.getsignal(signal.SIGTERM)

def look():
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGTERM) is not mine
    return TABLE

project, analysis = make({"a": ModelSpec()})
request = RunRequest("run", "smelt run", "dev", tuple(project.models))
warehouse = FakeWarehouse(script={"a": look})
summary = execute(Path(sys.argv[1]), project, analysis, request, Listening(), open_warehouse=lambda *_: warehouse)
assert signal.getsignal(signal.SIGTERM) is mine
sys.exit(summary.exit_code)
"""


def test_an_ignored_signal_stays_ignored_and_handlers_are_put_back(tmp_path: Path) -> None:
    code, _, err = run(HANDLERS, tmp_path)
    assert (code, err) == (0, "")
