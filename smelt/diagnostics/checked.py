"""What ``smelt check`` found in one project: what every format is made from."""

from collections.abc import Mapping
from dataclasses import dataclass

from smelt.diagnostics.model import Diagnostic


@dataclass(frozen=True, slots=True)
class Checked:
    """One project's findings.

    Attributes:
        findings: in the order to show.
        texts: the files' texts by project-relative path.
        files: the project-relative paths of the files looked at, sorted.
        project: the project's folder as it is called from where the command stands; ``.`` is that folder itself.
        base: what stands before a project-relative path to count it from the repository's root; empty, or with a
            ``/`` at its end. Formats that a code host reads need it.
    """

    findings: tuple[Diagnostic, ...]
    texts: Mapping[str, str]
    files: tuple[str, ...]
    project: str = "."
    base: str = ""
