"""Further connections to an open database, each prepared like the first one.

What a target's settings and ``init_sql`` did holds in part for the whole database (``ATTACH``, ``LOAD``, secrets, what
was created there) and in part for one connection (``SET``, ``USE``, temporary relations and macros, variables). Only
the second part is done again. Afterwards both connections are compared, so that nothing is missed in silence.
"""

from collections.abc import Iterator

import duckdb

from smelt.engines.duckdb.catalogue import Catalogue
from smelt.engines.duckdb.environment import is_harmless
from smelt.engines.duckdb.session import RESULT_SETTINGS, Session
from smelt.engines.model import SingleConnection
from smelt.sql.canonical import canonical
from smelt.text.identifiers import fold, quote, quote_literal

_OF_A_CONNECTION = frozenset(("set", "reset", "use", "pragma"))
_TEMPORARY = frozenset(("temp", "temporary"))
_SEEN = (
    "SELECT 'setting', name, value FROM duckdb_settings()",
    "SELECT 'variable', name, value FROM duckdb_variables()",
    "SELECT 'table', table_name, sql FROM duckdb_tables() WHERE database_name = 'temp'",
    "SELECT 'view', view_name, sql FROM duckdb_views() WHERE database_name = 'temp' AND NOT internal",
    "SELECT 'macro', function_name, macro_definition FROM duckdb_functions() WHERE database_name = 'temp'",
    "SELECT 'sequence', sequence_name, sql FROM duckdb_sequences() WHERE database_name = 'temp'",
    "SELECT 'type', type_name, NULL FROM duckdb_types() WHERE database_name = 'temp' AND NOT internal",
)
"""What a query may meet that belongs to one connection."""


def beside(session: Session) -> Session:
    """Another connection to the same database, with a catalogue that learns of the first one's commits.

    Raises:
        SingleConnection: it cannot be made to give the same results.
    """
    connection = session.connection.cursor()
    try:
        catalogue = Catalogue(connection, session.target.schema, session.catalogue.commits)
        other = Session(connection, session.target, session.redact, catalogue)
        _prepare(session, other)
        _compare(session, other)
    except BaseException:
        connection.close()
        raise
    return other


def _prepare(session: Session, other: Session) -> None:
    try:
        for name, value in (*RESULT_SETTINGS, *session.target.settings):
            other.run(f"SET {quote(name)} = {quote_literal(value)}")
        for sql in _to_repeat(session):
            other.run(sql)
        place = session.one("SELECT current_database(), current_schema()")
        other.run("USE " + ".".join(quote(str(name)) for name in place))
    except duckdb.Error as error:
        raise SingleConnection(f"a statement works only once: {session.redact(str(error).splitlines()[0])}") from error


def _to_repeat(session: Session) -> Iterator[str]:
    """The statements of ``init_sql`` whose effect one connection alone sees."""
    rows = session.run(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = 'temp'\n"
        "UNION ALL SELECT view_name FROM duckdb_views() WHERE database_name = 'temp' AND NOT internal"
    )
    temporary = {fold(str(row[0])) for row in rows}
    for sql in session.target.init_sql:
        for statement in duckdb.extract_statements(sql):
            words = canonical(statement.query).split(" ")
            creates = words[0] == "create" and not _TEMPORARY.isdisjoint(words[1:4])
            if words[0] in _OF_A_CONNECTION or creates or not temporary.isdisjoint(words):
                yield statement.query


def _compare(session: Session, other: Session) -> None:
    mine, others = _seen(session), _seen(other)
    for kind, name in sorted(mine.keys() | others.keys()):
        if kind == "setting" and is_harmless(name):
            continue
        if mine.get((kind, name)) != others.get((kind, name)):
            raise SingleConnection(f"init_sql leaves another {kind} {name} in each connection")


def _seen(session: Session) -> dict[tuple[str, str], object]:
    found: dict[tuple[str, str], object] = {}
    for sql in _SEEN:
        found.update({(str(kind), str(name)): value for kind, name, value in session.run(sql)})
    for kind, name in [key for key in found if key[0] == "table"]:
        [(count,)] = session.run(f"SELECT count(*) FROM temp.{quote(name)}")
        found[kind, name] = (found[kind, name], count)
    return found
