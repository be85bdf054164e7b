"""VS Code shows findings where they are, says what they are, and mends them."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from smelt.diagnostics import registry
from smelt.diagnostics.model import Diagnostic, Fix
from smelt.text.edits import apply_edits
from smelt.text.lines import LineIndex
from tests.editor import projects
from tests.pages.reading import default_files, findings, read_page
from tests.real_editors.conftest import Open, with_settings
from tests.real_editors.vscode.workbench import Squiggle, Workbench

pytestmark = pytest.mark.real_editor

SELECT = """---
refresh: incremental
---
SELECT
    customer_id,
    tier,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
"""
FILTERED = f"{SELECT}FROM smelt.sources.customer_changes /* 🙂 é */ WHERE NOT is_deleted\n"
SAFE = f"{SELECT}FROM smelt.sources.customer_changes\nQUALIFY is_deleted = FALSE\n"
"""Models: the first has an unsafe fix, the second a safe one."""

FLAT = """---
refresh: incremental
---
SELECT * FROM (
    SELECT
        customer_id,
        tier,
        effective_ts AS valid_from,
        is_deleted,
        LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
    FROM smelt.sources.customer_changes
)
WHERE NOT is_deleted
"""
