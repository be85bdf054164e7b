"""Select items that were proven to depend on one row alone, by their text.

An edit changes one item of many. What was worked out of the others stands, wherever in the text they are now: a
meaning without a finding has no place in it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from smelt.facts.formula import Formula
from smelt.project.model import Source
from smelt.text.identifiers import fold


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an expression means, and what that depends on besides its text.

    Attributes:
        words: every word in it, folded.
        taken: those of them that meant something in the query.
        aliases: those of them that were an earlier item's alias, with its meaning.
    """

    formula: Formula
    words: frozenset[str]
    taken: frozenset[str]
    aliases: tuple[tuple[str, Formula], ...]


@dataclass(frozen=True, slots=True)
class Proven:
    """Meanings of expressions over one source, by their text.

    Attributes:
        source: the source, None if nothing is known.
        known_as: the name by which its columns are qualified.
    """

    source: Source | None = None
    known_as: str | None = None
    meanings: Mapping[str, Meaning] = field(default_factory=dict)

    def over(self, source: Source, known_as: str | None) -> Mapping[str, Meaning]:
        """What holds of expressions over this source under this name."""
        return self.meanings if self.source == source and self.known_as == known_as else {}


NOTHING_PROVEN = Proven()


def meaning(formula: Formula, words: Iterable[str], taken: frozenset[str], aliases: Mapping[str, Formula]) -> Meaning:
    """A meaning with what it depends on.

    Args:
        formula: what the expression means; nothing in it is unknown.
        words: the words of the expression as written.
        taken: folded names that mean something in the query.
        aliases: formulas of the aliases in scope, by folded name.
    """
    folded = frozenset(fold(word) for word in words)
    return Meaning(formula, folded, folded & taken, _used(folded, aliases))


def holds(known: Meaning, taken: frozenset[str], aliases: Mapping[str, Formula]) -> bool:
    """Whether the expression means the same among these names."""
    return known.words & taken == known.taken and _used(known.words, aliases) == known.aliases


def _used(words: frozenset[str], aliases: Mapping[str, Formula]) -> tuple[tuple[str, Formula], ...]:
    return tuple([(word, aliases[word]) for word in sorted(words & aliases.keys())])
