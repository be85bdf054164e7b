"""Neovim and Emacs, driven without a screen: diagnostics, hover, a quick fix and its undoing."""

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.editor import projects
from tests.real_editors import tools

HERE = Path(__file__).parent
FILTERED = "FROM smelt.sources.customer_changes /* 🙂 é */ WHERE NOT is_deleted\n"
MENDED = "FROM smelt.sources.customer_changes /* 🙂 é */ QUALIFY NOT is_deleted\n"
MODEL = f"""---
refresh: incremental
---
SELECT
    customer_id,
    tier,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
{FILTERED}"""

pytestmark = pytest.mark.real_editor


@dataclass(frozen=True, slots=True)
class Editor:
    """How an editor is started with one of the documented configurations and the script that drives it."""

    program: Callable[[], Path]
    configuration: str

    def command(self, file: Path) -> list[str]:
        configuration = str(tools.CONFIGURATIONS / self.configuration)
        if self.configuration.endswith(".el"):
            return [
                str(self.program()),
                "-q",
                "--batch",
                "-l",
                configuration,
                "-l",
                str(HERE / "drive_emacs.el"),
                str(file),
            ]
        return [
            *(str(self.program()), "--headless", "-i", "NONE", "-n", "-u", configuration),
            *(str(file), "-S", str(HERE / "drive_neovim.lua")),
        ]


EDITORS = {
    "Neovim": Editor(tools.neovim, "neovim.lua"),
    "Neovim before 0.11": Editor(tools.neovim_before_0_11, "neovim-before-0.11.lua"),
    "Emacs": Editor(tools.emacs, "emacs.el"),
}


@pytest.mark.parametrize("editor", EDITORS.values(), ids=EDITORS)
def test_a_person_reads_a_finding_mends_it_and_thinks_again(editor: Editor, tmp_path: Path) -> None:
    root = projects.make(tmp_path, {projects.MODEL: MODEL})
    record = _drive(editor.command(root / projects.MODEL), root, tmp_path)

    assert record["text"] == MODEL
    (finding,) = record["findings"]
    assert (finding["line"], finding["under"]) == (9, "NOT is_deleted")
    assert "WHERE drops the rows in which `is_deleted` is true before the windows see them" in finding["message"]
    assert "SuccessionPreFilterNegatesFlag" in finding.get("code", finding["message"])
    assert "identity: (customer_id, effective_ts)" in record["hover"]
    assert record["offered"] == ["Move the filter into QUALIFY (unsafe)"]
    assert record["mended"] == MODEL.replace(FILTERED, MENDED)
    assert record["undone"] == MODEL


def _drive(command: list[str], folder: Path, home: Path) -> dict:
    """What the script in the editor noted, at the end of an editor that has nothing but the given configuration."""
    kept = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    environment = {**os.environ, **kept, "HOME": str(home), "PATH": tools.search_path()}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return json.loads(done.stdout)
