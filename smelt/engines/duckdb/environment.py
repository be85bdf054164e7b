"""What outside of a definition can change what its query gives, in a form to be stored and compared.

These are the target's settings, extensions and ``init_sql``: a macro made there may shadow a function that a model
calls. What only concerns speed, memory, access or messages is left out.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping

from smelt.engines.duckdb.errors import Redaction
from smelt.project.model import Target
from smelt.sql.canonical import canonical
from smelt.text.identifiers import fold

_HARMLESS = frozenset(
    (
        "checkpoint_threshold",
        "custom_user_agent",
        "enable_external_file_cache",
        "enable_http_metadata_cache",
        "enable_logging",
        "enable_object_cache",
        "enable_progress_bar",
        "enable_progress_bar_print",
        "extension_directory",
        "external_threads",
        "home_directory",
        "max_memory",
        "max_temp_directory_size",
        "memory_limit",
        "operator_memory_limit",
        "parquet_metadata_cache",
        "pin_threads",
        "preserve_insertion_order",
        "progress_bar_time",
        "secret_directory",
        "storage_compatibility_version",
        "temp_directory",
        "temp_file_encryption",
        "threads",
        "wal_autocheckpoint",
        "worker_threads",
    )
)
_HARMLESS_PREFIXES = ("allocator_", "azure_", "hf_", "http_", "log_", "logging_", "profil", "s3_")
_INIT_SQL = "init_sql"
_EXTENSIONS = "extensions"


def environment(target: Target, effective: Mapping[str, str], redact: Redaction) -> str:
    """The JSON that is stored with a table.

    Args:
        target: where it is built.
        effective: the values of the settings that smelt itself fixes, as they are after ``init_sql``.
        redact: tells which texts may not be written down; of these a digest is.
    """
    settings = {fold(name): _kept(value, redact) for name, value in target.settings if not is_harmless(name)}
    known = {fold(name) for name in effective}
    told = {**effective, **{name: value for name, value in settings.items() if name not in known}}
    statements = [_kept(sql, redact) for sql in map(_formless, target.init_sql) if not _is_silent(sql)]
    loaded = sorted({fold(name) for name in target.extensions})
    return json.dumps({**told, _INIT_SQL: statements, _EXTENSIONS: loaded}, sort_keys=True)


def what_changed(before: str | None, now: str) -> list[str]:
    """Each difference in words. What an older smelt did not write down differs in nothing."""
    return list(_changes(json.loads(before), json.loads(now))) if before is not None else []


def _changes(old: Mapping[str, object], new: Mapping[str, object]) -> Iterator[str]:
    names = old.keys() | new.keys() if _INIT_SQL in old else old.keys() & new.keys()
    for name in sorted(names - {_INIT_SQL, _EXTENSIONS}):
        before, after = old.get(name, "none"), new.get(name, "none")
        if before != after:
            yield f"setting {name} changed from {before} to {after}"
    if old.get(_EXTENSIONS, new[_EXTENSIONS]) != new[_EXTENSIONS]:
        yield f"the target's extensions changed from {_listed(old[_EXTENSIONS])} to {_listed(new[_EXTENSIONS])}"
    if old.get(_INIT_SQL, new[_INIT_SQL]) != new[_INIT_SQL]:
        yield "the target's init_sql changed, and may have made another function of the same name"


def _formless(sql: str) -> str:
    return canonical(sql).removesuffix(" ;")


def _is_silent(sql: str) -> bool:
    """Whether a statement can change no result: it sets what is harmless, or gives access to something."""
    words = [word for word in sql.split(" ", 6)[:6] if word not in ("or", "replace", "persistent", "temporary", "temp")]
    if words[:1] == ["set"]:
        names = [word for word in words[1:] if word not in ("global", "session", "local")]
        return bool(names) and is_harmless(names[0])
    return words[:2] == ["create", "secret"]


def is_harmless(name: str) -> bool:
    """Whether a setting can change no result: it is about speed, memory, access or messages."""
    return fold(name) in _HARMLESS or fold(name).startswith(_HARMLESS_PREFIXES)


def _kept(text: str, redact: Redaction) -> str:
    return text if redact(text) == text else f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _listed(names: object) -> str:
    return ", ".join(str(name) for name in names) or "none" if isinstance(names, list) else str(names)
