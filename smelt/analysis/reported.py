"""What of an analysis is shown, by ``smelt check`` and in an editor alike.

A comment can allow a finding (:mod:`smelt.analysis.allowances`). That silences what is shown and nothing else: a
model that is refused stays refused, and no run folds it. Hence this stands beside the analysis, whose findings are
always all there are, and nothing that runs models reads it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from smelt.analysis.allowances import Allowance, allowances
from smelt.analysis.rules import invalid_allow, unused_allow
from smelt.diagnostics.model import Diagnostic, in_order

_BLOCKING = frozenset({"SqlSyntax", "YamlSyntax", "FrontmatterUnclosed", "FileUnreadable"})
"""While a file has one of these, not everything else in it can be found, and no comment is known to be unused."""


@dataclass(frozen=True, slots=True)
class Reported:
    """What is shown of the findings, in order, and how many are allowed."""

    findings: tuple[Diagnostic, ...]
    allowed: int = 0


def reported(findings: Iterable[Diagnostic], texts: Mapping[str, str]) -> Reported:
    """The findings without those that a comment allows, and with those about such comments.

    Args:
        findings: all findings of a project.
        texts: the files' texts by path.
    """
    return without(findings, (one for file, text in texts.items() for one in allowances(file, text)))


def without(findings: Iterable[Diagnostic], comments: Iterable[Allowance]) -> Reported:
    """The same, for comments that were found before."""
    listed, found = tuple(findings), tuple(comments)
    if not found:
        return Reported(listed)
    by_file: dict[str, list[Diagnostic]] = {}
    for finding in listed:
        by_file.setdefault(finding.location.file, []).append(finding)
    allowed: set[Diagnostic] = set()
    said: list[Diagnostic] = []
    for comment in found:
        here = by_file.get(comment.file, [])
        problem = invalid_allow.check(comment)
        mine = [finding for finding in here if comment.allows(finding)] if problem is None else []
        allowed.update(mine)
        if problem is not None:
            said.append(problem)
        elif not mine and not any(finding.code.name in _BLOCKING for finding in here):
            said.append(unused_allow.finding(comment))
    shown = (finding for finding in listed if finding not in allowed)
    return Reported(in_order((*shown, *said)), len(allowed))
