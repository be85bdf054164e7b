"""What must be right before a run begins. Pure."""

from smelt.analysis.model import Analysis
from smelt.diagnostics.model import Diagnostic

_OF_THE_PROJECT = frozenset({"DuplicateAddress", "CircularReference"})


def project_faults(analysis: Analysis) -> tuple[Diagnostic, ...]:
    """The findings that stop a run before it starts (exit 2, no manifest): faults of the project itself.

    These are errors in any YAML (a model's frontmatter included), two files with one address, and cycles. An
    error in a model's SQL is none: that model fails in the run, so that the manifest tells of it.
    """
    return tuple(finding for finding in analysis.diagnostics if finding.is_error and not _in_sql(analysis, finding))


def _in_sql(analysis: Analysis, finding: Diagnostic) -> bool:
    if finding.code.name in _OF_THE_PROJECT:
        return False
    models = analysis.project.models.values()
    return any(
        model.file == finding.location.file and finding.location.span.start >= model.sql_span.start for model in models
    )
