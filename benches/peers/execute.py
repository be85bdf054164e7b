"""Run SQL statements in a DuckDB file: ``python execute.py FILE``, a JSON list on stdin, the last rows as JSON out.

It is a script of its own because each tool brings its own DuckDB, and a newer one must not touch its file.
"""

import json
import sys

import duckdb


def main() -> None:
    rows = []
    with duckdb.connect(sys.argv[1]) as connection:
        for statement in json.load(sys.stdin):
            rows = connection.execute(statement).fetchall()
    print(json.dumps(rows, default=str))


if __name__ == "__main__":
    main()
