"""# DefinitionDeltaPending

## What was found

The model, or a fact of its source, means something else than when its table was built.

## Why it blocks

Stored rows were derived under the old meaning. Folding new events beside them would give a table that no SQL describes.

## Refused

```console
$ smelt run
error[DefinitionDeltaPending]: customer_history changed since its table was built: key changed from (k) to (k, v)
$ echo $?
3
```

## Accepted

A rebuild under the new definition:

```console
$ smelt repair customer_history
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="DefinitionDeltaPending",
    severity=Severity.ERROR,
    message="{model} changed since its table was built: {changes}",
    help="rebuild it: smelt repair {model}",
    stage="fault",
    witness="With another key, rows that were last of the old key stay open for ever.",
)
