"""Reading the fields of a JSON object with their types checked; every complaint says where. Pure."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TypeVar

from smelt.state.documents import JsonObject, MalformedDocument, kind_of
from smelt.text.intervals import Interval

T = TypeVar("T")


class Fields:
    """One JSON object at ``path`` of its document.

    Every method raises :class:`MalformedDocument` for a field of the wrong shape.
    """

    def __init__(self, value: object, path: str = "") -> None:
        if not isinstance(value, dict):
            raise MalformedDocument(path or "the document", f"expected an object, found {kind_of(value)}")
        self._value: JsonObject = value
        self._path = path

    def where(self, key: str) -> str:
        """The path of a field, as people write it."""
        return f"{self._path}.{key}" if self._path else key

    def refuse(self, key: str, problem: str) -> MalformedDocument:
        """The error to raise for a field."""
        return MalformedDocument(self.where(key), problem)

    def _get(self, key: str, wanted: type[T], words: str) -> T:
        if key not in self._value:
            raise self.refuse(key, f"expected {words}, found nothing")
        value = self._value[key]
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise self.refuse(key, f"expected {words}, found {kind_of(value)}")
        return value

    def text(self, key: str) -> str:
        """A string."""
        return self._get(key, str, "a string")

    def integer(self, key: str) -> int:
        """A whole number."""
        return self._get(key, int, "a whole number")

    def flag(self, key: str) -> bool:
        """A boolean."""
        return self._get(key, bool, "a boolean")

    def choice(self, key: str, allowed: tuple[T, ...]) -> T:
        """One of some strings."""
        found = self.text(key)
        for value in allowed:
            if value == found:
                return value
        raise self.refuse(key, f"expected one of {', '.join(map(str, allowed))}, found {found!r}")

    def optional(self, read: Callable[[str], T], key: str) -> T | None:
        """What ``read`` (a method of this object) makes of the field; None if it is missing or null."""
        return None if self._value.get(key) is None else read(key)

    def object(self, key: str) -> "Fields":
        """A nested object."""
        return Fields(self._get(key, dict, "an object"), self.where(key))

    def members(self, key: str) -> Iterator[tuple[str, "Fields"]]:
        """The members of a nested object whose values are objects."""
        for name, value in self._get(key, dict, "an object").items():
            yield name, Fields(value, f"{self.where(key)}.{name}")

    def names(self, key: str) -> tuple[str, ...]:
        """The keys of a nested object, in order."""
        return tuple(self._get(key, dict, "an object"))

    def items(self, key: str) -> Iterator["Fields"]:
        """The items of a list of objects."""
        for index, value in enumerate(self._get(key, list, "a list")):
            yield Fields(value, f"{self.where(key)}[{index}]")

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings."""
        values = self._get(key, list, "a list")
        for index, value in enumerate(values):
            if not isinstance(value, str):
                raise self.refuse(f"{key}[{index}]", f"expected a string, found {kind_of(value)}")
        return tuple(values)

    def time(self, key: str) -> datetime:
        """An ISO date or timestamp, as naive UTC."""
        found = self.text(key)
        try:
            value = datetime.fromisoformat(found)
        except ValueError as error:
            raise self.refuse(key, f"expected an ISO date or timestamp, found {found!r}") from error
        return value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo is not None else value

    def interval(self) -> Interval:
        """The half-open range that ``start`` and ``end`` of this object make."""
        start, end = self.time("start"), self.time("end")
        if end <= start:
            raise self.refuse("end", "expected a time after the start")
        return Interval(start, end)
