"""Names in a warehouse that smelt keeps for itself."""

MODELS_TABLE = "_smelt_models"
FRONTIER_TABLE = "_smelt_frontier"
RECONCILIATION_TABLE = "_smelt_ledger"
LEDGER_SUFFIX = "__tombstones"
WORK_PREFIX = "__smelt_"
"""Temporary tables and columns of a fold begin with it."""


def ledger_of(relation: str) -> str:
    """The tombstone ledger beside a presented table."""
    return relation + LEDGER_SUFFIX
