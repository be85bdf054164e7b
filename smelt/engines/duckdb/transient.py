"""Which of DuckDB's errors may be over when the same statement is run again."""

import duckdb

_PASSING_STATUS = frozenset((408, 425, 429))
_CONFLICTS = ("conflict", "deadlock", "could not serialize", "database is locked")
_LASTING = (
    "no files found",
    "no such file",
    "does not exist",
    "not a directory",
    "is a directory",
    "permission denied",
    "access denied",
    "read-only",
    "no space left",
    "disk full",
    "file too large",
    "quota exceeded",
    "not a valid",
    "invalid",
    "corrupt",
    "no magic bytes",
)
"""What is read again as it is now."""


def is_transient(error: duckdb.Error) -> bool:
    """Whether an error may pass: network, a lock, a conflict of transactions, a disk that did not answer.

    Nothing that is refused passes, nor what is wrong with values, files or a full disk.
    """
    text = str(error).lower()
    if isinstance(error, duckdb.HTTPException):
        status = getattr(error, "status_code", 0) or 0
        return status < 400 or status >= 500 or status in _PASSING_STATUS
    if isinstance(error, duckdb.IOException):
        return not any(sign in text for sign in _LASTING)
    return isinstance(error, duckdb.OperationalError) and any(sign in text for sign in _CONFLICTS)
