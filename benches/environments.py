"""Virtual environments for what is measured: smelt as it stands here, and other tools, each by itself.

    python -m benches.environments DIR

A tool that cannot be installed is left out, with the reason; what uses it then does without.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DEFAULT = Path(tempfile.gettempdir()) / "smelt-benches"

SMELT, SMELT_FAST, SQLMESH, DBT, SMELT_SQL = "smelt", "smelt-fast", "sqlmesh", "dbt", "smelt-sql"
REQUIREMENTS: dict[str, tuple[str, ...]] = {
    SMELT: ("{source}",),
    SMELT_FAST: ("{source}[fast]",),
    SQLMESH: ("sqlmesh==0.236.4",),
    # dbt-core 1.12 depends on a package that downloads a binary while it is installed.
    DBT: ("dbt-core==1.11.16", "dbt-duckdb==1.11.1"),
    SMELT_SQL: ("smelt-sql==0.3.2",),
}
"""What each environment holds; peers by exact version, so that results can be repeated."""

_PROGRAMS = {SMELT: "smelt", SMELT_FAST: "smelt", SQLMESH: "sqlmesh", DBT: "dbt", SMELT_SQL: "smelt"}


def program(environments: Path, name: str) -> Path | None:
    """The program of an environment; None if it is not installed."""
    path = environments / name / "bin" / _PROGRAMS[name]
    return path if path.exists() else None


def make(environments: Path, name: str, source: Path = ROOT) -> str | None:
    """Make an environment, smelt's always anew from ``source``; the reason if it cannot be made."""
    wanted = [requirement.format(source=source) for requirement in REQUIREMENTS[name]]
    folder = environments / name
    if name in (SMELT, SMELT_FAST):
        shutil.rmtree(folder, ignore_errors=True)
    if program(environments, name) is not None:
        return None
    venv.create(folder, with_pip=True)
    pip = (str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input")
    done = subprocess.run([*pip, "install", "-q", *wanted], capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def make_all(environments: Path, names: tuple[str, ...] = tuple(REQUIREMENTS), source: Path = ROOT) -> None:
    """Make several, and say on stderr how that went."""
    for name in names:
        reason = make(environments, name, source)
        print(f"{name}: {reason or 'installed'}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=DEFAULT)
    parser.add_argument("--only", choices=tuple(REQUIREMENTS), action="append")
    parser.add_argument("--source", type=Path, default=ROOT, help="the checkout that smelt is installed from")
    arguments = parser.parse_args()
    make_all(arguments.folder, tuple(arguments.only or REQUIREMENTS), arguments.source)


if __name__ == "__main__":
    main()
