"""# StateModeUnavailable

## What was found

`smelt.yml` asks for `state: {mode: environments}`, which is not available yet.

## Why it blocks

Under that posture a run would also have to record snapshots for reuse across environments. Running without them would
promise what is not there.

## Refused

```yaml smelt.yml
name: shop
targets:
  dev: {type: duckdb, database: target/dev.duckdb}
default_target: dev
state: {mode: environments}
```

## Accepted

```yaml smelt.yml
name: shop
targets:
  dev: {type: duckdb, database: target/dev.duckdb}
default_target: dev
state: {mode: intervals}
```

`stateless` works too: then only `meta.json` and `lock` are written under `.smelt/`.
"""

from smelt.diagnostics.model import Code, Severity
from smelt.state.errors import StateError, fault

CODE = Code(
    name="StateModeUnavailable",
    severity=Severity.ERROR,
    message="`state.mode: {mode}` is not available yet",
    help="write `mode: intervals` or `mode: stateless` in smelt.yml",
    stage="fault",
    witness="No data shows it: the posture is about records, not about rows.",
)


def error(mode: str) -> StateError:
    """The posture ``mode`` is not built yet."""
    return fault(CODE, 2, mode=mode)
