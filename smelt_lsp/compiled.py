"""What attrs compiles for the protocol's classes, kept between starts as Python keeps the bytecode of modules.

attrs writes the methods of each class as a script and compiles it whenever the class is made. The protocol has more
than five hundred classes, and compiling them was a third of the time for which a client waits for its first answer.
"""

import hashlib
import importlib.util
import marshal
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType
from typing import Any

_DIGEST = 32


class Compiled:
    """Scripts with their code. A script that is not known is compiled; only those that were asked for are kept."""

    def __init__(self, path: Path | None) -> None:
        """What a file holds; nothing if it is not there, is damaged, or is of another Python.

        Args:
            path: the file; None where nothing can be kept.
        """
        self._path = path
        self._known = _read(path) if path is not None else {}
        self._used: dict[bytes, CodeType] = {}

    def compile(self, script: str, filename: str, mode: str, *rest: Any, **options: Any) -> Any:
        """What the built-in function of this name returns."""
        if rest or options or not isinstance(script, str):
            return compile(script, filename, mode, *rest, **options)
        name = hashlib.blake2b("\0".join((mode, filename, script)).encode(), digest_size=16).digest()
        code = self._known.get(name)
        if code is None:
            code = compile(script, filename, mode)
        self._used[name] = code
        return code

    def save(self) -> None:
        """Write down what was used, if that is not what was read. Never raises: the next start only takes longer."""
        if self._path is None or sys.dont_write_bytecode or self._used.keys() == self._known.keys():
            return
        content = marshal.dumps(self._used)
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            _replace(self._path, importlib.util.MAGIC_NUMBER + _digest(content) + content)


@contextmanager
def kept_compiled() -> Iterator[None]:
    """Let attrs take what it compiled at an earlier start for the classes that are made meanwhile."""
    from attr import _make

    compiled = Compiled(_beside_bytecode())
    _make.compile = compiled.compile  # type: ignore[attr-defined]
    try:
        yield
    finally:
        del _make.compile  # type: ignore[attr-defined]
    compiled.save()


def _beside_bytecode() -> Path | None:
    """Where the bytecode of this package is kept; None if this Python keeps none."""
    try:
        return Path(importlib.util.cache_from_source(__file__)).with_suffix(".protocol")
    except NotImplementedError:
        return None


def _read(path: Path) -> dict[bytes, CodeType]:
    try:
        found = path.read_bytes()
    except OSError:
        return {}
    magic = len(importlib.util.MAGIC_NUMBER)
    content = found[magic + _DIGEST :]
    # Python's own reader does not survive every damaged text: it is given none.
    if found[:magic] != importlib.util.MAGIC_NUMBER or found[magic : magic + _DIGEST] != _digest(content):
        return {}
    loaded = marshal.loads(content)
    return loaded if isinstance(loaded, dict) else {}


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()


def _replace(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; another server may start at the same time."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    written = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        written.replace(path)
    except OSError:
        written.unlink()
        raise
