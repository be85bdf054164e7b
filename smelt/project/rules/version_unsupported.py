"""# VersionUnsupported

## What was found

`require:` in `smelt.yml` does not admit the installed version.

## Why it blocks

Another version may read the project in another way.

## Refused

```yaml smelt.yml
name: shop
version: 1
paths: [models]
targets:
  dev: {type: duckdb, database: target/dev.duckdb}
default_target: dev
require: ">=99"
```

## Accepted

```yaml smelt.yml
name: shop
version: 1
paths: [models]
targets:
  dev: {type: duckdb, database: target/dev.duckdb}
default_target: dev
require: ">=0.1"
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="VersionUnsupported",
    severity=Severity.ERROR,
    message="the project asks for smelt {wanted}, and this is {have}",
    help="install a version that fits, or change `require:`",
    witness="none can show it: nothing can be built from such a file",
)
