"""What git says changed. It is asked as a program, never through a shell."""

import os
import shutil
import subprocess
from pathlib import Path

from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.workspace.files import printable

_SETTINGS = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false")
"""A file system monitor is a program that the repository's settings name; this look needs none."""

_OF_A_HOOK = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"})


def changed_since(folder: Path, ref: str) -> frozenset[str]:
    """The files below a folder that differ from where ``ref`` and the present commit parted; new ones too.

    Committed, staged and unstaged changes count, and files that git does not know yet but does not ignore.
    Paths are relative to the folder, with ``/``.

    Raises:
        Stop: there is no git, no repository, or no such commit.
    """
    git = _Git.at(folder)
    inside = git.run("rev-parse", "--is-inside-work-tree")
    if inside.returncode != 0 or inside.stdout.strip() != b"true":
        raise Stop(
            Exit.USAGE,
            _first_line(inside, f"{folder} is in no git repository"),
            "--changed-since asks git what changed",
        )
    tip = git.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    if tip.returncode != 0:
        raise Stop(
            Exit.USAGE, f"git knows no commit {ref}", "a shallow clone lacks it: fetch it, or the whole history, first"
        )
    base = git.run("merge-base", tip.stdout.decode().strip(), "HEAD")
    if base.returncode != 0:
        raise Stop(
            Exit.USAGE, f"{ref} and HEAD have no commit in common", "a shallow clone lacks it: fetch the whole history"
        )
    options = ("--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative")
    tracked = git.output("diff", *options, base.stdout.decode().strip(), "--")
    untracked = git.output("ls-files", "-z", "--others", "--exclude-standard")
    return frozenset(printable(os.fsdecode(name)) for name in (tracked + untracked).split(b"\0") if name)


class _Git:
    """The program, asked in one folder."""

    def __init__(self, program: str, folder: Path) -> None:
        self._command = (program, *_SETTINGS)
        self._folder = folder
        # Inside a hook git sets these for the folder that the hook runs in, which need not be this one.
        inherited = {name: value for name, value in os.environ.items() if name not in _OF_A_HOOK}
        # No lock is taken to refresh the index, so that a `git commit` beside this look is not disturbed.
        self._environment = {**inherited, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}

    @classmethod
    def at(cls, folder: Path) -> "_Git":
        """The installed git.

        Raises:
            Stop: there is none.
        """
        program = shutil.which("git")
        if program is None:
            raise Stop(Exit.USAGE, "git is not installed", "--changed-since asks git what changed")
        return cls(program, folder)

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
        """Ask, and take whatever comes."""
        return subprocess.run(
            [*self._command, *arguments],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )

    def output(self, *arguments: str) -> bytes:
        """Ask, and take the answer.

        Raises:
            Stop: git fails.
        """
        ended = self.run(*arguments)
        if ended.returncode != 0:
            raise Stop(Exit.FAILED, _first_line(ended, f"git {arguments[0]} failed"))
        return ended.stdout


def _first_line(ended: "subprocess.CompletedProcess[bytes]", otherwise: str) -> str:
    """What git says went wrong, unless it only says that there is no repository."""
    said = ended.stderr.decode(errors="replace").strip().partition("\n")[0]
    return f"git: {said}" if said and "not a git repository" not in said else otherwise
