"""What is wrong inside the ``{}`` and ``[]`` of YAML that cannot be read."""

import re

from smelt.project.quoting import in_quotes, is_free_text
from smelt.project.yaml_stop import CLOSING, KEY, Fault, Repair, Stop, closed, excerpt
from smelt.text.edits import Edit
from smelt.text.spans import Span


def unclosed_bracket(stop: Stop) -> Fault | None:
    """A bracket or brace without an end, or with the end of another."""
    opened = _open_bracket(stop)
    if opened is None:
        return None
    bracket, closing = stop.text[opened], CLOSING[stop.text[opened]]
    here = stop.line(stop.at)
    if stop.text[stop.at : stop.at + 1] in ("]", "}"):
        if stop.text[stop.at] == closing:
            return None
        repair = Repair(f"Write `{closing}`", (Edit(Span(stop.at, stop.at + 1), closing),))
        problem = f"`{stop.text[stop.at]}` cannot close what `{bracket}` opened"
        return Fault(Span(stop.at, stop.at + 1), problem, f"close `{bracket}` with `{closing}`", repair)
    of_it = stop.line(opened)
    outside = here.start > of_it.start and here.begins and len(here.indent) <= len(of_it.indent)
    if stop.at < len(stop.text.rstrip()) and not outside:
        return None
    above = stop.before(here) if outside else (here if here.content else stop.before(here))
    return closed(stop, opened, "bracket", above.value.end if above is not None else None)


def _open_bracket(stop: Stop) -> int | None:
    depth = stop.open(stop.at)
    return depth[-1] if depth else None


def no_comma(stop: Stop) -> Fault | None:
    """An item behind another, without a comma between them."""
    before = stop.text[: stop.at].rstrip()
    if (
        _open_bracket(stop) is None
        or before[-1:] not in ("}", "]")
        or stop.text[stop.at : stop.at + 1] not in ("{", "[")
    ):
        return None
    repair = Repair("Put a comma between the items", (Edit(Span(len(before), len(before)), ","),))
    span = Span(stop.at, stop.at + 1)
    return Fault(span, "before this item stands no comma", "put a comma between items", repair)


def text_in_flow(stop: Stop) -> Fault | None:
    """A text inside ``{}`` or ``[]`` with a sign that ends it there."""
    opened = _open_bracket(stop)
    if opened is None:
        return None
    sign = stop.text[stop.at : stop.at + 1]
    found = [
        one for one in _IN_FLOW.finditer(stop.text, *_near(stop, opened)) if one.start() < stop.at <= one.end("value")
    ]
    if not found or found[-1]["key"] is None:
        return None
    item = found[-1]
    span = Span(*item.span("value"))
    comma = _NEXT_KEY.search(stop.text, span.start, stop.at) if sign == ":" else None
    if comma is not None and (_BREAK.search(comma[0]) is not None or comma["key"] in _LIKELY):
        at = comma.start("space")
        repair = Repair(f"Put a comma before `{comma['key']}`", (Edit(Span(at, at), ","),))
        problem = f"before the key `{comma['key']}` stands no comma"
        return Fault(Span(*comma.span("key")), problem, "put a comma between keys", repair)
    word = {":": "holds `: `", "[": "holds a bracket", "{": "holds a brace"}.get(sign)
    written = span.of(stop.text)
    certain = is_free_text(item["key"]) and _BREAK.search(written) is None
    repair = Repair("Put the text in quotes", (Edit(span, in_quotes(written)),), certain)
    problem = f"the text `{excerpt(written)}` {word or f'goes on behind its closing {_opening(written)}'}"
    return Fault(span, problem, f"inside `{{}}` such a text needs quotes: {in_quotes(excerpt(written))}", repair)


def _opening(written: str) -> str:
    return "bracket" if written[0] in "[{" else "quote"


_NEAR = 2000
"""Characters of a text that is written by hand: no more are looked at, whatever a file holds."""


def _near(stop: Stop, opened: int) -> tuple[int, int]:
    return max(opened + 1, stop.at - _NEAR), stop.at + _NEAR


_IN_FLOW = re.compile(
    rf"(?<=[\[{{,\s])(?:(?P<key>{KEY})[ ]*:[ ]+)"
    r"(?P<value>(?:[^\s{\[]|(?:\[[^\[\]{}]*\]|\{[^\[\]{}]*\})\s*[^\s,\]}]).*?)"
    rf"(?=\s*(?:,\s*{KEY}[ ]*:\s|,?\s*\}}\s*(?:[,\]}}#\r\n]|\Z)))",
    re.DOTALL,
)
_NEXT_KEY = re.compile(rf"(?P<space>\s+)(?P<key>{KEY})[ ]*\Z")
_BREAK = re.compile(r"[\r\n]")
_LIKELY = frozenset(
    "name type nullable expression description tests kind redelivery retention database schema settings to field "
    "event_time_column partition_column granularity week_start".split()
)
"""Keys that are written inside braces: one of them behind a text is a key whose comma was left out."""
