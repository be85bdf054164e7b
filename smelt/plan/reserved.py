"""Names in a warehouse that smelt keeps for itself."""

MODELS_TABLE = "_smelt_models"
FRONTIER_TABLE = "_smelt_frontier"
RECONCILIATION_TABLE = "_smelt_ledger"
RECORDS = (MODELS_TABLE, FRONTIER_TABLE, RECONCILIATION_TABLE)
"""All tables of record."""
LEDGER_SUFFIX = "__tombstones"


def ledger_of(relation: str) -> str:
    """The tombstone ledger beside a presented table."""
    return relation + LEDGER_SUFFIX
