"""Models that several scenarios open, over the default project of the pages."""

_SELECT = """---
refresh: incremental
---
SELECT
    customer_id,
    tier,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
"""
RIGHT = f"{_SELECT}FROM smelt.sources.customer_changes\nQUALIFY NOT is_deleted\n"
"""Has no finding."""

FILTERED = f"{_SELECT}FROM smelt.sources.customer_changes /* 🙂 é */ WHERE NOT is_deleted\n"
FILTERED_MENDED = FILTERED.replace("WHERE", "QUALIFY")
"""Has a warning on line 9, under ``NOT is_deleted`` behind an emoji, and an unsafe fix."""

COMPARED = f"{_SELECT}FROM smelt.sources.customer_changes\nQUALIFY is_deleted = FALSE\n"
COMPARED_MENDED = RIGHT
"""Has an error on line 10, under ``is_deleted = FALSE``, and a safe fix."""
