"""What an earlier reading of a file still tells, without its syntax tree: enough to link a project around it."""

from dataclasses import dataclass

from smelt.project.model import Address, Frontmatter, Marks, Model, Source
from smelt.sql.model import Parsed, Relation, RelationKind
from smelt.text.spans import Span

LINKED_KEYS = ("name", "target")
"""Frontmatter keys that the rules of the whole project look at."""


@dataclass(frozen=True, slots=True)
class KnownRelation:
    """A relation that a query reads, without its alias; equal to one that says the same."""

    kind: RelationKind
    span: Span
    name_span: Span
    parts: tuple[str, ...]

    def relation(self) -> Relation:
        """The relation, without its alias."""
        return Relation(self.kind, self.span, self.name_span, self.parts, None)


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model as the rules of the whole project see it.

    Attributes:
        name: ``name:`` of the frontmatter, if it has one.
        target: its ``target:``, likewise.
        marks: where :data:`LINKED_KEYS` stand.
        whole: where the frontmatter stands.
        relations: what the query reads.
    """

    sql_span: Span
    name: str | None
    target: str | None
    marks: tuple[tuple[str, Span], ...]
    whole: Span
    relations: tuple[KnownRelation, ...]

    @classmethod
    def of(cls, model: Model) -> "KnownModel":
        """What is worth keeping of a model that was read."""
        values = model.marks.values
        return cls(
            sql_span=model.sql_span,
            name=model.frontmatter.name,
            target=model.frontmatter.target,
            marks=tuple((key, values[(key,)]) for key in LINKED_KEYS if (key,) in values),
            whole=model.marks.whole,
            relations=tuple(
                KnownRelation(one.kind, one.span, one.name_span, one.parts) for one in model.parsed.relations
            ),
        )

    def model(self, address: Address, file: str) -> Model:
        """The model, without its text and its query."""
        return Model(
            address=address,
            file=file,
            text="",
            sql_span=self.sql_span,
            frontmatter=Frontmatter(name=self.name, target=self.target),
            marks=Marks(file, values={(key,): span for key, span in self.marks}, whole=self.whole),
            parsed=Parsed(None, (), tuple(one.relation() for one in self.relations)),
        )


@dataclass(frozen=True, slots=True)
class KnownSource:
    """A source as the rules of the whole project see it: that it can be used, and under which name a seed is built."""

    relation: str | None

    @classmethod
    def of(cls, source: Source) -> "KnownSource":
        """What is worth keeping of a source that was read."""
        return cls(source.relation)

    def source(self, address: Address, file: str, seed_file: str | None) -> Source:
        """The source, without its columns."""
        return Source(address, Marks(file), relation=self.relation, seed_file=seed_file)


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What is known of one file; neither model nor source if it could not be used."""

    model: KnownModel | None = None
    source: KnownSource | None = None
