"""Where something stands in a text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range ``[start, end)`` of code points in one document."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def contains(self, offset: int) -> bool:
        """Whether ``offset`` lies in the range or at its end (as a cursor does)."""
        return self.start <= offset <= self.end

    def covers(self, other: "Span") -> bool:
        """Whether ``other`` lies wholly inside this range."""
        return self.start <= other.start and other.end <= self.end

    def join(self, other: "Span") -> "Span":
        """The smallest range that holds both."""
        return Span(min(self.start, other.start), max(self.end, other.end))

    def shift(self, by: int) -> "Span":
        """The same range ``by`` code points further on."""
        return Span(self.start + by, self.end + by)

    def of(self, text: str) -> str:
        """The text in the range."""
        return text[self.start : self.end]
