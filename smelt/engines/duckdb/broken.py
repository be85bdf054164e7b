"""What is broken in a file and where, out of DuckDB's errors: without its advice, which names options of its own."""

import re
from dataclasses import dataclass

import duckdb

from smelt.text.counts import counted

_ADVICE = re.compile(r"\s*\n?\s*(?:Possible (?:fixes|[Ss]olutions?)|Try (?:setting|increasing)|LINE \d+:).*", re.DOTALL)
_KIND = re.compile(r"^[A-Z][A-Za-z ]* Error: ")
_CSV_LINE = re.compile(r"CSV Error on Line: (\d+)")
_CSV_FILE = re.compile(r"^\s*file = (.*?)\s*$", re.MULTILINE)
_CSV_WIDTH = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
_JSON = re.compile(r'in file "(.*?)",(?: at byte (\d+))? in (line|record/value) (\d+): (.*)', re.DOTALL)
_OTHER_FILE = re.compile(r"file ['\"](.*?)['\"]")
_CSV_REASONS = (
    ("unterminated quote", "a quote is not closed, or text stands beside a quoted value"),
    ("Invalid unicode", "the text is not UTF-8"),
    ("Maximum line size", "the line is too long"),
    ("state machine", "its lines end in different ways, or its quotes do not match"),
)


@dataclass(frozen=True, slots=True)
class Broken:
    """A place in a file that cannot be read.

    Attributes:
        file: as DuckDB was given it; None if it names none.
        line: where the row begins; None if DuckDB does not tell.
        reason: what is wrong, in words.
    """

    file: str | None
    line: int | None
    reason: str


def broken(error: duckdb.Error) -> Broken | None:
    """What an error says of a file; None if it is not about one."""
    text = str(error)
    if _CSV_FILE.search(text) and ("CSV" in text or "csv" in text):
        return _csv(text)
    said = _ADVICE.sub("", _KIND.sub("", text)).strip()
    json = _JSON.search(said)
    if json is not None:
        file, byte, unit, number, why = json.groups()
        line = int(number) if unit == "line" else None
        place = "" if line is not None else f"value {number}: "
        where = f" (byte {byte} of it)" if byte else ""
        return Broken(file, line, f"{place}{why.strip().rstrip('.')}{where}")
    other = _OTHER_FILE.search(said)
    return None if other is None else Broken(other.group(1), None, said.replace(other.group(0), "the file"))


def _csv(text: str) -> Broken:
    line, file = _CSV_LINE.search(text), _CSV_FILE.search(text)
    width = _CSV_WIDTH.search(text)
    if width is not None:
        wanted, found = (int(number) for number in width.groups())
        why = f"{counted(found, 'value')}, but the header names {counted(wanted, 'column')}"
    else:
        why = next((words for sign, words in _CSV_REASONS if sign in text), "")
        why = why or " ".join(_ADVICE.sub("", _KIND.sub("", text)).split())
    return Broken(file.group(1) if file else None, int(line.group(1)) if line else None, why)
