"""# InvalidAllow

## What was found

A comment means to allow a finding, and does not say which one or why, or does not stand on a line of its own.

## Why it matters

It allows nothing. A comment of this kind is an exception that someone decided on: whoever reads the model later needs
its reason, and a code that exists.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    tier,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
-- smelt: allow SuccessionPreFilterNegatesFlag
QUALIFY NOT is_deleted
```

## Accepted

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    tier,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
-- smelt: allow SuccessionPreFilterNegatesFlag the flag marks test accounts
WHERE NOT is_deleted
```
"""

import re

from smelt.analysis.allowances import Allowance
from smelt.diagnostics import registry
from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.text.identifiers import did_you_mean
from smelt.text.spans import Span

CODE = Code(
    name="InvalidAllow",
    severity=Severity.WARNING,
    message="{problem}",
    help="{suggestion}",
    witness="none is needed: a comment changes no table",
)
_FORM = "write `smelt: allow CODE reason` behind the mark of the comment"
_OWN = ("InvalidAllow", "UnusedAllow")


def check(comment: Allowance) -> Diagnostic | None:
    """What keeps a comment from allowing anything; None if nothing does."""
    name = comment.code
    if not name:
        return _finding(comment, comment.span, "the comment names no code", _FORM)
    if name not in registry.CODES:
        known = did_you_mean(name, registry.names())
        return _finding(comment, comment.code_span, f"there is no code `{name}`", known or "`smelt docs` lists them")
    if name in _OWN:
        return _not_to_allow(comment)
    if re.search(r"\w", comment.reason) is None:
        return _finding(comment, comment.span, f"`{name}` is allowed without a reason", "say why, behind the code")
    if comment.line is None:
        problem = "the comment stands behind something else"
        return _finding(comment, comment.span, problem, "give it a line of its own, above the one that it is about")
    return None


def check_unmatched(comment: Allowance) -> Diagnostic | None:
    """What keeps a comment that allows nothing from ever allowing something; None if nothing does.

    It loads the module that declares the code, and with it maybe the parser, which a comment in use does not need.
    """
    return _not_to_allow(comment) if registry.entry(comment.code).code.stage != "check" else None


def _not_to_allow(comment: Allowance) -> Diagnostic:
    problem = f"`{comment.code}` is nothing that a comment can allow"
    return _finding(comment, comment.code_span, problem, "name a code that `smelt check` finds")


def _finding(comment: Allowance, span: Span, problem: str, suggestion: str) -> Diagnostic:
    return report(CODE, Location(comment.file, span), problem=problem, suggestion=suggestion)
