"""# ReservedRelationName

## What was found

A model or seed would build a relation whose name smelt keeps for its own tables, or the warehouse has a relation of
such a name that smelt did not make.

## Why it blocks

The hidden state of another model could be overwritten.

## Refused

```sql models/m.sql
---
name: _smelt_models
---
SELECT 1 AS one
```

## Accepted

```sql models/m.sql
---
name: models
---
SELECT 1 AS one
```
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from smelt.diagnostics.model import Code, Diagnostic, Severity, report
from smelt.project.relations import BuiltRelation
from smelt.text.identifiers import fold

CODE = Code(
    name="ReservedRelationName",
    severity=Severity.ERROR,
    message="the relation name `{relation}` is reserved",
    help="choose a name that neither begins with _smelt_ nor ends in __tombstones",
    witness="a table called x__tombstones would replace the ledger of the succession model x",
)
IN_A_WAREHOUSE = replace(
    CODE,
    message="{relation} is not the table that smelt keeps under this name: {why}",
    help="rename or drop it; smelt makes its own anew",
)
"""The same where a warehouse has such a relation already."""


def check(relations: Iterable[BuiltRelation]) -> Iterator[Diagnostic]:
    """Each model or seed whose physical name smelt keeps for itself."""
    for built in relations:
        name = fold(built.relation)
        if name.startswith("_smelt_") or name.endswith("__tombstones"):
            yield report(CODE, built.location, relation=built.relation)
