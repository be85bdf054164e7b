"""One project for every kind of quick fix, and what the fix makes of it."""

from dataclasses import dataclass
from pathlib import Path

from smelt.diagnostics import registry
from smelt.diagnostics.model import Diagnostic, Fix
from smelt.text.edits import apply_edits
from tests.editor import projects
from tests.pages.reading import default_files, findings, read_page

# The refused examples of the codes' pages show these.
SHOWN = {
    ("UnknownDeclaredColumn", "Write tier"),
    ("UnknownKey", "Write refresh"),
    ("FrontmatterUnclosed", "Close the frontmatter before the query"),
    ("YamlSyntax", "Close the bracket"),
    ("UnknownReference", "Write smelt.sources.customer_changes"),
    ("RefreshViewConflict", "Write table"),
    ("UnknownColumn", "Write tier"),
    ("UnknownColumn", "Declare `teir` in `sources.customer_changes`"),
    ("SuccessionWindowFunctionNotLead", "Drop the further arguments of LEAD"),
    ("SuccessionPartitionKeyMismatch", "Partition by the same columns as the other windows"),
    ("SuccessionOrderNotMonotoneClock", "Drop DESC"),
    ("SuccessionIdentityNotProjected", "Project `customer_id`"),
    ("SuccessionDrivingSourceNotAppendOnly", "Declare the source append-only"),
    ("PartitionColumnNullable", "Declare `ingested_date` NOT NULL in the source"),
    ("SuccessionDeleteFilterMisplaced", "Write NOT is_deleted"),
    ("SuccessionPreFilterNegatesFlag", "Move the filter into QUALIFY"),
    ("UnusedAllow", "Remove the comment"),
}

# Kinds that no page shows, each with a model.
OTHERS = {
    ("SuccessionSingleSourceOnly", "Flatten the query"): """---
refresh: incremental
---
SELECT * FROM (
    SELECT
        customer_id,
        effective_ts,
        is_deleted,
        LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
    FROM smelt.sources.customer_changes
)
WHERE NOT is_deleted
""",
}

KINDS = sorted({*SHOWN, *OTHERS})


@dataclass(frozen=True, slots=True)
class Fixable:
    """A project with one finding and one of the fixes it carries."""

    files: dict[str, str]
    finding: Diagnostic
    fix: Fix

    @property
    def title(self) -> str:
        """What the menu calls the fix."""
        return self.fix.title if self.fix.safe else f"{self.fix.title} (unsafe)"

    def mended(self) -> dict[str, str]:
        """The files that the fix changes, as it leaves them."""
        changed = {edit.file for edit in self.fix.edits}
        return {
            file: apply_edits(self.files[file], (edit.edit for edit in self.fix.edits if edit.file == file))
            for file in changed
        }


def fixable(code: str, title: str) -> Fixable:
    """The project of a kind."""
    model = OTHERS.get((code, title))
    files = (
        {**default_files(), projects.MODEL: model} if model else read_page(registry.entry(code).page).example("Refused")
    )
    found = [(finding, fix) for finding in findings(files) for fix in finding.fixes if fix.title == title]
    assert len(found) == 1, (code, title)
    return Fixable(files, *found[0])


def of_the_pages() -> set[tuple[str, str]]:
    """Every fix that a page's refused example is offered."""
    pages = [read_page(entry.page) for entry in map(registry.entry, registry.names()) if entry.code.stage == "check"]
    found = [finding for page in pages for finding in findings(page.example("Refused"))]
    return {(finding.code.name, fix.title) for finding in found for fix in finding.fixes}


def write(root: Path, files: dict[str, str]) -> None:
    """The files on disk."""
    for file, text in files.items():
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
