"""What must be right before a run begins. Pure."""

from smelt.analysis.model import Analysis
from smelt.diagnostics.model import Diagnostic

_OF_THE_PROJECT = frozenset({"DuplicateAddress", "DuplicateRelation", "ReservedRelationName", "CircularReference"})
_OF_ONE_MODEL = frozenset({"MaterializedViewUnsupported"})


def project_faults(analysis: Analysis) -> tuple[Diagnostic, ...]:
    """The findings that stop a run before it starts (exit 2, no manifest): faults of the project itself.

    These are errors in any YAML (what a model's frontmatter says included), names that clash, and cycles. An
    error in a model's SQL and the refusal of a model are none: that model fails in the run, and the manifest
    tells of it.
    """
    queries = {model.file: model.sql_span.start for model in analysis.project.models.values()}
    declared = frozenset(analysis.project.diagnostics)

    def is_fault(finding: Diagnostic) -> bool:
        if finding.code.name in _OF_THE_PROJECT:
            return True
        query = queries.get(finding.location.file)
        if query is None:
            return True
        in_frontmatter = finding in declared and finding.location.span.start < query
        return in_frontmatter and finding.code.name not in _OF_ONE_MODEL

    return tuple(finding for finding in analysis.diagnostics if finding.is_error and is_fault(finding))
