"""VS Code served on this machine, with the packed extension and nothing else of a person's own."""

import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from urllib.parse import quote

from tests.real_editors import tools

SECONDS = 60.0

QUIET = {
    "breadcrumbs.enabled": False,
    "chat.disableAIFeatures": True,
    "editor.inlayHints.enabled": "offUnlessPressed",
    "editor.minimap.enabled": False,
    "extensions.autoCheckUpdates": False,
    "extensions.autoUpdate": "off",
    "extensions.ignoreRecommendations": True,
    "files.autoSave": "off",
    "git.enabled": False,
    "remote.autoForwardPorts": False,
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "window.autoDetectColorScheme": True,
    "window.restoreWindows": "none",
    "workbench.enableExperiments": False,
    "workbench.reduceMotion": "on",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
}


class CodeServer:
    """One served VS Code.

    Attributes:
        pid: the process, and the session of all processes that it started.
    """

    def __init__(self, home: Path, path: str) -> None:
        """Serve from an empty folder; ``path`` is the ``PATH`` of the extension's processes."""
        self.home = home
        self._environment = {**os.environ, "HOME": str(home), "PATH": path}
        for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
            self._environment[f"XDG_{kind}_HOME"] = str(home / kind.lower())
        self._settings = home / "user" / "User" / "settings.json"
        self._settings.parent.mkdir(parents=True)
        self.set()
        subprocess.run(
            [*self._command(), "--install-extension", str(tools.extension())],
            env=self._environment,
            check=True,
            capture_output=True,
            timeout=SECONDS,
        )
        self.port = _free_port()
        self._log = (home / "code-server.log").open("wb")
        self._process = subprocess.Popen(
            [*self._command(), *_serving(self.port)],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.pid = self._process.pid
        self._await_answer()

    def set(self, **settings: object) -> None:
        """Write the person's settings: the quiet ones, and these."""
        self._settings.write_text(json.dumps({**QUIET, **settings}), encoding="utf-8")

    def language_servers(self) -> list[int]:
        """The processes of smelt's language server, of all windows."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                command = (process / "cmdline").read_bytes().split(b"\0")
                if b"smelt_lsp.main" in command and os.getsid(int(process.name)) == self.pid:
                    found.append(int(process.name))
            except OSError:  # it has just ended
                continue
        return found

    def url(self, workspace: Path, file: Path | None = None) -> str:
        """Where a folder, or a ``.code-workspace`` file, is open, with one of its files in an editor."""
        kind = "workspace" if workspace.suffix == ".code-workspace" else "folder"
        address = f"http://127.0.0.1:{self.port}/?{kind}={quote(str(workspace))}"
        if file is None:
            return address
        opened = [["openFile", f"vscode-remote://127.0.0.1:{self.port}{file}"]]
        return f"{address}&payload={quote(json.dumps(opened))}"

    def stop(self) -> None:
        """End VS Code and every process it started."""
        os.killpg(self._process.pid, signal.SIGTERM)
        self._process.wait(timeout=SECONDS)
        self._log.close()

    def _command(self) -> list[str]:
        kept = ["--user-data-dir", str(self.home / "user"), "--extensions-dir", str(self.home / "extensions")]
        return [str(tools.node()), str(tools.code_server()), *kept]

    def _await_answer(self) -> None:
        end = time.monotonic() + SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
            except OSError:
                assert self._process.poll() is None, (self.home / "code-server.log").read_text()
                assert time.monotonic() < end, "code-server does not answer"
                time.sleep(0.05)
            else:
                return


def _serving(port: int) -> list[str]:
    options = ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--reconnection-grace-time", "5"]
    unasked = ("telemetry", "update-check", "workspace-trust", "getting-started-override")
    return [*options, *(f"--disable-{name}" for name in unasked)]


def _free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        return port
