"""What DuckDB said of queries, for whoever asks again in another process.

A query that binds gives the same columns whenever it is bound over inputs of the same columns. What was refused is
asked about again: what excuses an error lies outside of the query.
"""

import hashlib
import json
from collections.abc import Mapping

from smelt.analysis.binding import BoundColumn, Columns, statement, stub_of
from smelt.project.model import Address, Model


class Answers:
    """The columns of queries, by a digest of all that they depend on but the build of smelt and DuckDB."""

    def __init__(self, earlier: Mapping[str, Columns]) -> None:
        """What was said ``earlier``, by this build."""
        self._earlier = earlier
        self.given: dict[str, Columns] = {}
        """What was asked for since."""

    @property
    def has_news(self) -> bool:
        """Whether something else was asked for than earlier."""
        return self.given.keys() != self._earlier.keys()

    def find(self, model: Model, read: Mapping[Address, Columns]) -> Columns | None:
        """The columns that a model's query gave over these inputs; None if that is not known."""
        key = _key(model, read)
        columns = self._earlier.get(key)
        if columns is not None:
            self.given[key] = columns
        return columns

    def note(self, model: Model, read: Mapping[Address, Columns], columns: Columns) -> None:
        """Keep what a model's query gives over these inputs."""
        self.given[_key(model, read)] = columns


def written(answers: Mapping[str, Columns]) -> Mapping[str, object]:
    """Answers as JSON values."""
    return {key: [[column.name, column.type] for column in columns] for key, columns in answers.items()}


def read_back(values: Mapping[str, object]) -> Mapping[str, Columns]:
    """Answers from JSON values; those that are none are left out."""
    return {
        key: tuple(BoundColumn(name, kind) for name, kind in columns)
        for key, columns in values.items()
        if isinstance(columns, list) and all(map(_is_column, columns))
    }


def _is_column(value: object) -> bool:
    return isinstance(value, list) and [type(one) for one in value] == [str, str]


def _key(model: Model, read: Mapping[Address, Columns]) -> str:
    inputs = sorted((stub_of(address), [(one.name, one.type) for one in columns]) for address, columns in read.items())
    return hashlib.sha256(json.dumps([statement(model).text, inputs]).encode()).hexdigest()
