"""``smelt`` as a person types it, in this process or in one of its own."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from smelt.cli.main import cli
from tests import forked


@dataclass(frozen=True, slots=True)
class Said:
    """What a command wrote, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Shell:
    """A project's folder to type in."""

    root: Path

    def __call__(self, *arguments: str) -> Said:
        """Run a command in this process, which already stands in the folder."""
        result = CliRunner().invoke(cli, arguments)
        return Said(result.exit_code, result.stdout, result.stderr)

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8"))
        return file

    def edit(self, path: str, old: str, new: str) -> None:
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")

    def manifests(self) -> list[dict[str, Any]]:
        return [json.loads(path.read_text()) for path in sorted(self.root.glob(".smelt/targets/*/runs/*.json"))]


def in_a_process(*arguments: str, cwd: Path, **environment: str) -> Said:
    """Run ``smelt``; ``environment`` is added to a plain one."""
    plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    ended = forked.run(forked.SMELT, *arguments, cwd=cwd, environment={**plain, **environment})
    return Said(ended.returncode, ended.stdout, ended.stderr)
