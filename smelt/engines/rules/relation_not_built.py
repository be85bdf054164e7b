"""# RelationNotBuilt

## What was found

A query reads a seed that was never loaded, or a model that was never built, in this target.

## Why it blocks

There is nothing to read. `smelt run` brings models up to date; seeds are loaded by `smelt seed` and `smelt build`.

## Refused

```console
$ smelt run current_customers
error[RelationNotBuilt]: current_customers reads tiers, and main.tiers was never built
```

## Accepted

Seeds, models and tests in one command:

```console
$ smelt build
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="RelationNotBuilt",
    severity=Severity.ERROR,
    message="{model} reads {address}, and {relation} was never built",
    help="build what it reads first: smelt build +{model}",
    stage="fault",
    witness="Nothing can be read, so there is no data to differ on.",
)
