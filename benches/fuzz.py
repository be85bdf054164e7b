"""Fuzz the front end for as long as wanted: python benches/fuzz.py --minutes 10 [--kind sql|yaml] [--engine atheris].

Projects a few changes away from those of the test suite are loaded, analysed, bound, reported and fixed; see
tests/fuzz/promises.py for what must hold of each. Every different way to fail is made as small as it gets and written
to a folder. The exit code is 1 if there was one. The same seed tries the same projects.

The engine `atheris` is guided by the coverage of smelt's own code; it needs `pip install atheris` (Linux and macOS).
"""

import argparse
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

_SECONDS = 20
"""Processor time after which one project counts as hanging; the slowest takes a tenth of it."""
_MEMORY = 4 << 30
_BINDER_LIFE = 500
"""After so many projects the database in memory is made anew, as an editor would not keep one for so many."""


class Hang(Exception):
    """One project took longer than any may."""


def _hung(number: int, frame: FrameType | None) -> None:
    raise Hang


class Trial:
    """Tries projects and remembers each way to fail once."""

    def __init__(self, kind: str, found: Path) -> None:
        from smelt.engines.binder import DuckDBBinder

        self.kind = kind
        self.found = found
        self.known: set[str] = set()
        self.count = 0
        self.slowest = 0.0
        self.binder = DuckDBBinder()

    def run(self, project: Any) -> None:
        """Try one project; a new way to fail is made small and written down."""
        self.count += 1
        if self.count % _BINDER_LIFE == 0:
            self.binder.close()
        begun = time.process_time()
        failure = self.failure(project)
        self.slowest = max(self.slowest, time.process_time() - begun)
        if failure is not None and failure not in self.known:
            self.known.add(failure)
            self.keep(self.smaller(project, failure), failure)

    def failure(self, project: Any) -> str | None:
        """Where and how a project fails, or None."""
        from tests.fuzz.promises import keeps

        signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
        try:
            keeps(project, self.binder)
        except Exception as error:  # noqa: BLE001 - whatever is raised is what is looked for
            frames = [frame for frame in traceback.extract_tb(error.__traceback__) if str(ROOT) in frame.filename]
            places = [f"{Path(frame.filename).name}:{frame.name}" for frame in frames[-3:]]
            said = str(error).split(" stands at ")[0][:60] if isinstance(error, AssertionError) else ""
            return f"{type(error).__name__} {said} in {' > '.join(places)}"
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return None

    def smaller(self, project: Any, failure: str) -> Any:
        """The same failure with less text: pieces are taken out, ever smaller ones."""
        from tests.fuzz.mutation import Mutant

        files = dict(project.files)
        for path in [path for path in files if path != "smelt.yml"]:
            rest = {other: text for other, text in files.items() if other != path}
            if self.failure(Mutant(rest, project.changed)) == failure:
                files = rest
        for path in [path for path in project.changed if path in files]:

            def fails(text: str, path: str = path) -> bool:
                return self.failure(Mutant({**files, path: text}, project.changed)) == failure

            files[path] = _smallest(files[path], fails)
        return Mutant(files, project.changed)

    def keep(self, project: Any, failure: str) -> None:
        """Write a failing project down."""
        self.found.mkdir(parents=True, exist_ok=True)
        text = "".join(f"--- {path}\n{project.files[path]}\n" for path in project.changed if path in project.files)
        place = self.found / f"{self.kind}-{len(self.known)}.txt"
        place.write_bytes(f"{failure}\nfiles: {', '.join(project.files)}\n{text}".encode("utf-8", "surrogatepass"))
        print(f"{place}: {failure}", flush=True)


def _smallest(text: str, fails: Callable[[str], bool]) -> str:
    size = max(len(text) // 2, 1)
    budget = 400
    while size and budget > 0:
        at = 0
        while at < len(text) and budget > 0:
            shorter = text[:at] + text[at + size :]
            budget -= 1
            if fails(shorter):
                text = shorter
            else:
                at += size
        size //= 2
    return text


def _by_mutation(trial: Trial, seed: int, minutes: float) -> None:
    from tests.fuzz.mutation import mutant

    end = time.monotonic() + minutes * 60
    number = 0
    while time.monotonic() < end:
        trial.run(mutant(Random(f"{seed} {number}"), trial.kind))  # type: ignore[arg-type]
        number += 1


def _by_atheris(trial: Trial, seed: int, minutes: float) -> None:
    """libFuzzer changes raw texts, led by coverage; a model or a source of the default project holds each."""
    try:
        import atheris
    except ImportError:
        sys.exit("atheris is not installed: pip install atheris")
    with atheris.instrument_imports(include=["smelt"]):
        from tests.fuzz.corpus import bases, texts
        from tests.fuzz.mutation import Mutant

    project = bases()[0].files
    path = "models/customer_history.sql" if trial.kind == "sql" else "models/sources/customer_changes.yml"
    corpus = trial.found / "corpus" / trial.kind
    corpus.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(texts(trial.kind)):  # type: ignore[arg-type]
        (corpus / f"{number:05}").write_bytes(text.encode("utf-8"))

    def one(data: bytes) -> None:
        trial.run(Mutant({**project, path: data.decode("utf-8", "replace")}, (path,)))

    end = time.monotonic() + minutes * 60

    def until(data: bytes) -> None:
        if time.monotonic() > end:
            _finish(trial)
        one(data)

    atheris.Setup([sys.argv[0], str(corpus), f"-seed={seed}", "-max_len=4096", "-timeout=0"], until)
    atheris.Fuzz()


def _finish(trial: Trial) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{trial.kind}: {trial.count} projects, {len(trial.known)} ways to fail; the slowest took "
        f"{trial.slowest:.2f} s, memory peaked at {peak} MB",
        flush=True,
    )
    trial.binder.close()
    sys.exit(1 if trial.known else 0)


def main() -> None:
    """Read the arguments and fuzz."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--kind", choices=["sql", "yaml"], default="sql", help="which files are changed")
    parser.add_argument("--engine", choices=["mutation", "atheris"], default="mutation")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--found", type=Path, default=ROOT / "target" / "fuzz", help="where failures are written")
    chosen = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    signal.signal(signal.SIGVTALRM, _hung)
    trial = Trial(chosen.kind, chosen.found)
    engine = _by_atheris if chosen.engine == "atheris" else _by_mutation
    engine(trial, chosen.seed, chosen.minutes)
    _finish(trial)


if __name__ == "__main__":
    main()
