"""What makes a finding the same finding after other lines moved.

A fingerprint holds the code, the file, the words of the line, and the names that the message tells apart. It holds
no position, so that lines may be added or removed around it, and none of the message's own words, so that a release
may phrase them better. Of findings that are alike in all of these, each has its number.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from smelt.diagnostics.model import Diagnostic
from smelt.diagnostics.ranges import Ranges

VERSION = 1
"""Raised when the same finding would get another fingerprint."""

_ENOUGH = 500
"""Characters of a line that tell it apart: a text of one endless line must not be read once for each finding."""
_NAME = re.compile(r"`([^`]*)`")


def fingerprints(findings: Iterable[Diagnostic], texts: Mapping[str, str]) -> tuple[str, ...]:
    """One fingerprint (32 hexadecimal digits) for each finding, in their order; no two are the same.

    Args:
        findings: all findings of a project, or all of some codes or files: fewer would shift the numbers.
        texts: the files' texts by project-relative path.
    """
    ranges = Ranges(texts)
    seen: Counter[str] = Counter()
    found: list[str] = []
    for finding in findings:
        facts = _facts(finding, texts, ranges)
        found.append(hashlib.sha256(f"{facts}\0{seen[facts]}".encode(errors="backslashreplace")).hexdigest()[:32])
        seen[facts] += 1
    return tuple(found)


def _facts(finding: Diagnostic, texts: Mapping[str, str], ranges: Ranges) -> str:
    location = finding.location
    start, end = location.span.start, location.span.end
    marked = texts.get(location.file, "")[start : min(end, start + _ENOUGH)]
    words = (_words(ranges.first_line(location)[:_ENOUGH]), _words(marked.lstrip().partition("\n")[0]))
    return "\0".join((finding.code.name, location.file, *words, *_NAME.findall(finding.message)))


def _words(line: str) -> str:
    """The line with blanks made one, so that it may be indented anew."""
    return " ".join(line.split())
