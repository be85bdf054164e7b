"""What the features ask of a look at a project again and again: worked out when first asked for, and kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from smelt.analysis.binding import Columns
from smelt.editor.snapshot import Snapshot
from smelt.project.addresses import AddressBook
from smelt.project.frontmatter import Split, split
from smelt.project.model import Address, Marks, Model, Project
from smelt.project.yaml import YamlFile, read_mapping
from smelt.sql.model import Query
from smelt.sql.outline import Outline, outline, outline_of
from smelt.sql.parse import parse
from smelt.text.spans import Span

_NAME = "index"
_NAMES_ADDRESSES = "relationships"


@dataclass(frozen=True, slots=True)
class Index:
    """Ways into one look at a project.

    Attributes:
        book: every address, found as a query finds it.
        readers: by address the models that read it, in order.
    """

    snapshot: Snapshot
    project: Project
    book: AddressBook
    readers: dict[Address, tuple[Model, ...]]
    _outlines: dict[str, Outline]
    _queries: dict[str, Query | None]
    _yaml: dict[str, YamlFile]

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Index | None":
        """The index of a look; None if nothing is known of the project."""
        found = snapshot.kept.get(_NAME)
        if isinstance(found, Index):
            return found
        project = snapshot.project
        if project is None:
            return None
        made = cls(snapshot, project, AddressBook.of(project.addresses()), _readers(project), {}, {}, {})
        snapshot.kept[_NAME] = made
        return made

    def text(self, file: str) -> str:
        """A file's text."""
        return self.snapshot.texts.get(file, "")

    def parts(self, file: str) -> Split:
        """Where a model's frontmatter and its query stand."""
        return split(self.text(file))

    def outline(self, file: str) -> Outline:
        """The queries of a model's file."""
        found = self._outlines.get(file)
        if found is None:
            model = self.model_at(file)
            read = model.parsed.query if model is not None and model.text == self.text(file) else None
            tokens = read.tokens if read is not None else None
            found = outline_of(tokens) if tokens is not None else outline(self.text(file), self.parts(file).sql)
            self._outlines[file] = found
        return found

    def query(self, file: str) -> Query | None:
        """The query of a model's file; None while it cannot be read. A file that is not open is not judged for it."""
        model = self.model_at(file)
        if model is not None and model.parsed.query is not None and model.text == self.text(file):
            return model.parsed.query
        if file not in self._queries:
            self._queries[file] = parse(self.text(file), self.parts(file).sql).query
        return self._queries[file]

    def yaml(self, file: str) -> YamlFile:
        """What stands in a YAML file, or in a model's frontmatter; empty while that cannot be read."""
        found = self._yaml.get(file)
        if found is None:
            text = self.text(file)
            span = self.parts(file).yaml or Span(0, 0) if is_sql(file) else Span(0, len(text))
            found = self._yaml[file] = read_mapping(file, text, span)
        return found

    def marks(self, file: str) -> Marks:
        """Where the keys and values of a YAML file or a frontmatter stand."""
        return self.yaml(file).marks

    def model_at(self, file: str) -> Model | None:
        """The model that a file holds."""
        address = self.snapshot.addresses.get(file)
        model = self.project.models.get(address) if address is not None else None
        return model if model is not None and model.file == file else None

    def file_of(self, address: Address) -> str | None:
        """The file that says what an address is: a model, a source's or a seed's YAML, else the seed."""
        if address in self.project.models:
            return self.project.models[address].file
        if address in self.project.sources:
            return self.project.sources[address].marks.file
        return self.project.seeds[address].file if address in self.project.seeds else None

    def columns(self, address: Address) -> Columns | None:
        """What a model gives or a source declares; None where that is not known."""
        return self.snapshot.columns.get(address)

    def downstream(self, address: Address) -> tuple[Model, ...]:
        """Every model that reads an address, at any distance."""
        found: dict[Address, Model] = {}
        waiting = [address]
        while waiting:
            for model in self.readers.get(waiting.pop(), ()):
                if model.address not in found:
                    found[model.address] = model
                    waiting.append(model.address)
        return tuple(found.values())

    def naming(self) -> Iterator[str]:
        """The models whose frontmatter may name an address: tests of one column against another do."""
        for model in self.project.models.values():
            if _NAMES_ADDRESSES in self.text(model.file):
                yield model.file


def is_sql(file: str) -> bool:
    """Whether a file holds a query."""
    return file.lower().endswith(".sql")


def _readers(project: Project) -> dict[Address, tuple[Model, ...]]:
    found: dict[Address, dict[Address, Model]] = {}
    for model in project.models.values():
        for reference in model.references:
            found.setdefault(reference.address, {})[model.address] = model
    return {address: tuple(chain(models.values())) for address, models in found.items()}
