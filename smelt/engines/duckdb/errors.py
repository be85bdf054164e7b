"""DuckDB's exceptions as named failures: the boundary beyond which no ``duckdb.Error`` goes."""

import errno
import os
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import duckdb

from smelt.engines.duckdb.transient import is_transient
from smelt.engines.errors import fault
from smelt.engines.model import WarehouseError
from smelt.engines.rules import (
    warehouse_disk_full,
    warehouse_interrupted,
    warehouse_locked,
    warehouse_open_failed,
    warehouse_out_of_memory,
    warehouse_statement_failed,
)
from smelt.project.model import Target

_PID = re.compile(r"PID (\d+)")
_ADVICE = (
    "LINE ",
    "See also",
    "For more info",
    "* SET",
    "Possible solution",
    "Possible fix",
    "* Try",
    "Try ",
    "file = ",
)
_KIND = re.compile(r"^[A-Z][A-Za-z ]* Error: ")
_NO_SPACE = (os.strerror(errno.ENOSPC).lower(), "no space left", "disk full", os.strerror(errno.EFBIG).lower())


@dataclass(frozen=True, slots=True)
class Redaction:
    """Values that came from the environment and must never be printed."""

    values: Collection[str] = ()

    def __call__(self, text: str) -> str:
        """The text with every such value blanked, the longest first."""
        for value in sorted((one for one in self.values if one), key=len, reverse=True):
            text = text.replace(value, "***")
        return text


def reason(error: duckdb.Error, redact: Redaction) -> str:
    """What DuckDB says, on one line: without its kind, the statement's text and links."""
    lines = [line.strip() for line in str(error).splitlines()]
    told = []
    for line in lines:
        if line.startswith(_ADVICE):
            break
        if line:
            told.append(line)
    return redact(_KIND.sub("", " ".join(told)).strip() or type(error).__name__)


def statement_error(error: duckdb.Error, name: str, database: str, redact: Redaction) -> WarehouseError:
    """The failure that a statement's exception stands for.

    Args:
        error: what DuckDB raised.
        name: the model, seed or source that the statement belongs to.
        database: the target's database as the project writes it.
        redact: blanks interpolated values.
    """
    text = str(error).lower()
    if isinstance(error, duckdb.InterruptException):
        return fault(warehouse_interrupted.CODE, name=name)
    if any(sign in text for sign in _NO_SPACE):
        return fault(warehouse_disk_full.CODE, name=name, database=redact(database))
    if isinstance(error, duckdb.OutOfMemoryException):
        return fault(warehouse_out_of_memory.CODE, name=name, reason=reason(error, redact))
    why = reason(error, redact)
    return fault(warehouse_statement_failed.CODE, transient=is_transient(error), name=name, reason=why)


def open_error(error: duckdb.Error, target: Target, redact: Redaction) -> WarehouseError:
    """The failure to open a database: held by another program, or unusable."""
    text = str(error)
    database = redact(target.database)
    if "Could not set lock on file" in text or "already open" in text or "is being used by another process" in text:
        pid = _PID.search(text)
        holder = f"PID {pid.group(1)}" if pid else "another program"
        return fault(warehouse_locked.CODE, busy=True, database=database, holder=holder)
    if any(sign in text.lower() for sign in _NO_SPACE):
        return fault(warehouse_disk_full.CODE, name=f"target {target.name}", database=database)
    # What lies elsewhere may be there again later, what lies here is not what the project says it is.
    setting = () if "://" in target.database or target.database.startswith("md:") else ("database",)
    why = reason(error, redact)
    return fault(warehouse_open_failed.CODE, setting=setting, database=database, target=target.name, reason=why)


@contextmanager
def named(name: str, database: str, redact: Redaction) -> Iterator[None]:
    """Inside, an exception of DuckDB becomes a :class:`WarehouseError` about ``name``."""
    try:
        yield
    except duckdb.Error as error:
        raise statement_error(error, name, database, redact) from error
