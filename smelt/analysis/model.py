"""What smelt knows of a whole project after reading it: one value for CLI, server and docs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from smelt.analysis.binding import BoundColumn
from smelt.analysis.definition import Definition
from smelt.diagnostics.model import Diagnostic
from smelt.grains.succession.proven import NOTHING_PROVEN, Proven
from smelt.grains.succession.shape import SuccessionShape
from smelt.project.model import Address, Model, Project

Kind = Literal["view", "table", "succession", "refused"]


@dataclass(frozen=True, slots=True)
class Summary:
    """A model in short.

    Attributes:
        kind: how it is kept.
        identity: the columns of its source that name a row of a history; empty for every other kind.
    """

    kind: Kind
    identity: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelAnalysis:
    """One model.

    Attributes:
        kind: how it is kept; ``refused`` if any of its findings is an error.
        shape: for ``succession``: all that a plan needs.
        definition: what its table means; None if refused.
        diagnostics: findings in this model's file, in order.
        columns: the output columns with DuckDB's types; None without a binder, or if it refused the query.
        own: what judging and binding this model found, in whichever file it stands.
        row_local: what was proven of its items; kept only of a model that is judged alone, for its next text.
    """

    model: Model
    kind: Kind
    shape: SuccessionShape | None
    definition: Definition | None
    diagnostics: tuple[Diagnostic, ...]
    columns: tuple[BoundColumn, ...] | None = None
    own: tuple[Diagnostic, ...] = ()
    row_local: Proven = NOTHING_PROVEN

    @property
    def definition_hash(self) -> str | None:
        """The hash of the canonical definition; None if refused."""
        return self.definition.hash if self.definition is not None else None

    @property
    def canonical(self) -> str | None:
        """The canonical definition as JSON text: what a table of record stores and compares; None if refused."""
        return self.definition.text if self.definition is not None else None

    @property
    def summary(self) -> Summary:
        """The model in short."""
        return Summary(self.kind, (*self.shape.key, self.shape.clock) if self.shape is not None else ())


@dataclass(frozen=True, slots=True)
class Analysis:
    """A project with its models judged. ``diagnostics`` are all findings of all files, in order."""

    project: Project
    models: Mapping[Address, ModelAnalysis]
    diagnostics: tuple[Diagnostic, ...]
