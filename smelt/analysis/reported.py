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
    valid: dict[Allowance, list[Diagnostic]] = {}
    said: list[Diagnostic] = []
    for comment in found:
        problem = invalid_allow.check(comment)
        if problem is None:
            valid[comment] = [finding for finding in by_file.get(comment.file, ()) if comment.allows(finding)]
        else:
            said.append(problem)
    allowed = frozenset(finding for mine in valid.values() for finding in mine)
    left = tuple(finding for finding in listed if finding not in allowed)
    idle = (comment for comment, mine in valid.items() if not mine)
    said += (unused for comment in idle if (unused := _unused(comment, left)) is not None)
    return Reported(in_order((*left, *said)), len(allowed))


def _unused(comment: Allowance, left: Iterable[Diagnostic]) -> Diagnostic | None:
    """The finding about a comment that allows nothing; None if what it is about may only not have been looked for.

    An error in another file can hide what this one holds: a model whose upstream is broken is not bound. One in the
    same file may be the very one that is meant, by a comment that stands in the wrong place; then it is not removed.
    """
    never = invalid_allow.check_unmatched(comment)
    if never is not None:
        return never
    errors = [finding for finding in left if finding.is_error]
    here = {finding.code.name for finding in errors if finding.location.file == comment.file}
    if any(finding.location.file != comment.file for finding in errors) or here & _BLOCKING:
        return None
    return unused_allow.misplaced(comment) if here else unused_allow.finding(comment)
