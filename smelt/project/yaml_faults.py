"""What a person did who wrote YAML that cannot be read, told from the text around the place where reading stopped.

A parser says which token it did not expect. That is rarely what is wrong: a colon inside a text, a quote that is not
closed or a tab show up somewhere else, as something else. The two parsers of PyYAML also say it in different words.
"""

import re
from collections.abc import Callable

from smelt.project.quoting import in_quotes, in_single_quotes, is_free_text
from smelt.project.yaml_flow import no_comma, text_in_flow, unclosed_bracket
from smelt.project.yaml_stop import KEY, Fault, Line, Repair, Stop, closed, excerpt, quoting
from smelt.text.edits import Edit
from smelt.text.spans import Span


def fault(stop: Stop) -> Fault | None:
    """What is wrong with a text that cannot be read, or None if nothing that people do explains it."""
    return next((found for check in _CHECKS if (found := check(stop)) is not None), None)


def _tab(stop: Stop) -> Fault | None:
    line = stop.line(stop.at)
    found = _INDENTED_BY_TAB.match(stop.text, line.start)
    if found is None or stop.at > found.end():
        return None
    tabs = Span(*found.span("tabs"))
    edits = tuple(Edit(Span(*one.span("tabs")), one["tabs"].replace("\t", "  ")) for one in _TABS.finditer(stop.text))
    only = all(set(indent) == {"\t"} for indent in _INDENT.findall(stop.text))
    repair = Repair("Write spaces for tabs", edits, certain=only and _BLOCK.search(stop.text) is None)
    return Fault(tabs, "a tab stands where a line is indented", "a tab cannot indent YAML: use spaces", repair)


_INDENTED_BY_TAB = re.compile(r"[ ]*(?:-[ ]*)*(?P<tabs>\t[ \t]*)(?=[^\s#])")
_TABS = re.compile(r"(?<![^\r\n])[ ]*(?:-[ ]*)*(?P<tabs>\t[ \t]*)")
_INDENT = re.compile(r"(?<![^\r\n])[ \t]+(?=\S)")
_BLOCK = re.compile(r"[|>][-+\d]*[ \t]*(?![^\r\n])")


def _unclosed_quote(stop: Stop) -> Fault | None:
    opened, text = stop.opened, stop.text
    if opened is None or text[opened : opened + 1] not in ("'", '"'):
        return None
    if stop.at < len(text.rstrip()) and not text.startswith(("---", "..."), stop.at):
        return None
    return closed(stop, opened, "quote")


def _lost_quote(stop: Stop) -> Fault | None:
    """A quote that is not closed on its line, so that the next one below, behind other keys, closes it."""
    quoted = stop.quoted_before(stop.at)
    if quoted is None:
        return None
    first, last = stop.line(quoted.start), stop.line(quoted.end - 1)
    below = last
    while below.start > first.start and not below.begins:
        below = stop.line(below.start - 1)
    if below.start <= first.start:
        return None
    end = first.value.end
    if stop.open(quoted.start):
        end = quoted.start + len(stop.text[quoted.start : end].rstrip("]}, "))
    return closed(stop, quoted.start, "quote", end)


def _escape(stop: Stop) -> Fault | None:
    opened = stop.opened
    if opened is None or not stop.text.startswith('"', opened):
        return None
    found = re.compile(r"\\.?").search(stop.text, max(stop.at - 1, opened))
    if found is None or found.start() > stop.at:
        return None
    closed = re.compile(r'"((?:[^"\\\r\n]|\\.)*)"').match(stop.text, opened)
    repair = None
    if closed is not None:
        repair = Repair("Write it in single quotes", (Edit(Span(*closed.span()), in_single_quotes(closed[1])),))
    problem = f"`{found[0]}` means nothing inside double quotes"
    return Fault(Span(*found.span()), problem, r"write `\\` for a backslash, or put the text in single quotes", repair)


def _anchor(stop: Stop) -> Fault | None:
    name = re.compile(r"(?<![&*])[&*]([\w-]+)").match(stop.text, stop.at)
    if name is None:
        return None
    span = Span(*name.span())
    if name[0].startswith("&") and stop.opened is not None and stop.text.startswith(name[0], stop.opened):
        return Fault(span, f"the anchor `{name[0]}` stands twice", "give each anchor a name of its own")
    if name[0].startswith("*") and not re.search(rf"&{re.escape(name[1])}(?![\w-])", stop.text[: stop.at]):
        advice = f"write `&{name[1]}` before the value to repeat, or quotes around a text"
        return Fault(
            span, f"`{name[0]}` repeats a value that has no anchor `&{name[1]}`", advice, quoting(stop, span.start)
        )
    return None


def _second_document(stop: Stop) -> Fault | None:
    line = stop.line(stop.at)
    above = stop.before(line)
    for one in (line, above):
        if one is not None and stop.text.startswith(("---", "..."), one.start):
            span = Span(one.start, one.start + 3)
            return Fault(
                span, f"`{span.of(stop.text)}` begins a second document", "write one mapping: leave this line out"
            )
    return None


def _stray_bracket(stop: Stop) -> Fault | None:
    """A bracket that closes nothing."""
    sign = stop.text[stop.at : stop.at + 1]
    if sign not in ("]", "}") or stop.open(stop.at):
        return None
    span = Span(stop.at, stop.at + 1)
    repair = Repair(f"Leave `{sign}` out", (Edit(span, ""),))
    return Fault(span, f"`{sign}` closes nothing", "leave it out, or put the text that it belongs to in quotes", repair)


def _first_character(stop: Stop) -> Fault | None:
    """A text that begins with a sign that means something else there."""
    start = _token(stop)
    sign = stop.text[start : start + 1]
    if not sign or sign not in "@`%*&!|>?-,":
        return None
    line = stop.line(start)
    if (sign == "," and stop.open(start)) or (sign in "-?" and start == line.start + len(line.indent)):
        return None
    named = "a backtick" if sign == "`" else f"`{sign}`"
    if sign == "%" and start == line.start:
        return Fault(Span(start, start + 1), f"a key cannot begin with {named}", "leave it out, or quote the key")
    certain = sign in "@`%" and _is_value(stop, start) and not stop.goes_on(line)
    repair = quoting(stop, start, certain=certain)
    problem = f"a text without quotes cannot begin with {named}"
    example = f": {excerpt(repair.edits[0].text)}" if repair is not None else ""
    return Fault(stop.value_from(start), problem, f"put the text in quotes{example}", repair)


def _is_value(stop: Stop, start: int) -> bool:
    """Whether a value or an item begins at an offset, not a key."""
    opened = stop.open(start)
    return stop.text[:start].rstrip()[-1:] in (":", "-") or (bool(opened) and stop.text[opened[-1]] == "[")


def _token(stop: Stop) -> int:
    """Where the value begins that reading stopped in: parsers go on behind the sign that they fall over."""
    value = stop.line(stop.at).value
    begins_before = value.start <= stop.at <= value.start + 3 or stop.opened == value.start
    return value.start if begins_before and not stop.open(stop.at) else stop.at


def _text_with_colon(stop: Stop) -> Fault | None:
    line = stop.line(stop.at)
    if not stop.text.startswith(":", stop.at) or stop.open(stop.at) or line.key is None:
        return None
    if not line.value.start < stop.at < line.value.end + 1 or stop.text[line.value.start] in "\"'[{":
        return None
    return _needs_quotes(stop, line, line.value, "`: `")


def _needs_quotes(stop: Stop, line: Line, span: Span, sign: str) -> Fault:
    written = span.of(stop.text)
    certain = is_free_text(line.key) and not stop.goes_on(line)
    repair = Repair("Put the text in quotes", (Edit(span, in_quotes(written)),), certain)
    advice = f"a text with {sign} needs quotes: {in_quotes(excerpt(written))}"
    return Fault(span, f"the text `{excerpt(written)}` holds {sign} without quotes", advice, repair)


def no_space(stop: Stop) -> Fault | None:
    """A key whose colon, or an item whose dash, has no space behind it."""
    here = stop.line(stop.at)
    lines = [here, stop.before(here)]
    if stop.opened is not None:
        lines.append(stop.line(stop.opened))
    for line in (one for one in lines if one is not None):
        dash = _DASH.match(stop.text, line.start)
        if dash is not None:
            return _dash(stop, dash.end() - 1)
        colon = _COLON.match(stop.text, line.start)
        if colon is not None:
            space = Span(colon.end("key") + 1, colon.end("key") + 1 + len(colon["odd"] or ""))
            span = Span(colon.start("key"), line.value.end)
            repair = Repair("Put a space behind the colon", (Edit(space, " "),))
            advice = f"a colon needs a space behind it: `{colon['key']}: {colon['value']}`"
            return Fault(span, f"behind the colon of `{colon['key']}` stands no space", advice, repair)
    return None


def no_space_behind_dash(stop: Stop) -> Fault | None:
    """An item whose dash has no space behind it, where it can be read as a text or a key."""
    line = stop.line(stop.at)
    dash = _DASH.match(stop.text, line.start)
    if dash is None or dash.end() != stop.at + 1 or stop.text[line.start : stop.at].strip():
        return None
    return _dash(stop, stop.at)


def _dash(stop: Stop, at: int) -> Fault:
    repair = Repair("Put a space behind the dash", _spaced_dashes(stop.text))
    return Fault(Span(at, at + 1), "behind this dash stands no space", "an item is written `- item`", repair)


_DASH = re.compile(r"[ ]*(?:-[ ]+)*-(?=[^\s\-\d.])")
_DASHES = re.compile(r"(?<![^\r\n])[ ]*-(?=[^\s\-\d.])")
_COLON = re.compile(
    rf"[ ]*(?:-[ ]+)*(?P<key>{KEY}):(?P<odd>[\u00a0\u2000-\u200b\u3000]+)?(?P<value>[^\s:#][^\r\n:#]*)(?=[\r\n#]|\Z)"
)


def _spaced_dashes(text: str) -> tuple[Edit, ...]:
    return tuple(Edit(Span(one.end(), one.end()), " ") for one in _DASHES.finditer(text))


def _no_colon(stop: Stop) -> Fault | None:
    """A line in the place of a key that has no colon."""
    if stop.open(stop.at):
        return None
    here = stop.line(stop.at)
    for line in (here if stop.opened is None else stop.line(stop.opened), stop.before(here)):
        if line is None or line.key is not None or line.content[:1] in ("", "-", "'", '"', "[", "{", "#"):
            continue
        written = line.value.of(stop.text)
        known = re.fullmatch(rf"({KEY})[ ]*=[ ]*(.*)", written)
        repair = Repair("Write a colon", (Edit(line.value, f"{known[1]}: {known[2]}"),)) if known is not None else None
        example = f"`{known[1]}: {excerpt(known[2])}`" if known is not None else "`key: value`"
        return Fault(line.value, f"`{excerpt(written)}` is no key with a value", f"write it as {example}", repair)
    return None


def _behind_value(stop: Stop) -> Fault | None:
    """A text that goes on behind its closing quote or bracket."""
    line = stop.line(stop.at)
    if stop.open(stop.at) or not line.value.start < stop.at < line.value.end:
        return None
    opening = stop.text[line.value.start]
    if opening not in "\"'[{":
        return None
    written = line.value.of(stop.text)
    meant = written
    if opening in "\"'" and written.endswith(opening) and line.key != "expression":
        meant = written[1:-1]
    repair = Repair("Put the whole text in quotes", (Edit(line.value, in_quotes(meant)),))
    what = "quote" if opening in "\"'" else "bracket"
    span = Span(stop.at, line.value.end)
    problem = f"behind the closing {what} the text goes on: `{excerpt(span.of(stop.text))}`"
    return Fault(span, problem, f"put the whole text in quotes: {in_quotes(excerpt(meant))}", repair)


def _indentation(stop: Stop) -> Fault | None:
    """A line that begins at a column where nothing can begin."""
    line = stop.line(stop.at)
    above = stop.before(line)
    if above is None or stop.open(stop.at) or not line.content:
        return None
    of_key = stop.text.startswith(":", stop.at) and line.key is not None
    if not of_key and stop.text[line.start : stop.at].strip():
        return None
    first = line.start + len(line.indent)
    begin = Span(first, first + 1 if line.key is None else line.key_at + len(line.key))
    shown = f"`{begin.of(stop.text)}`"
    repair = Repair(
        "Indent it like the line above", (Edit(Span(line.start, begin.start), " " * _fitting(line, above)),)
    )
    advice = "keys of one mapping begin at one column, and so do the items of a list"
    return Fault(begin, f"{shown} is indented neither like what stands above nor as a part of it", advice, repair)


def _fitting(line: Line, above: Line) -> int:
    """The column of the line above: of its dash for an item, else of its key."""
    return len(above.indent) if line.content.startswith("- ") else above.column


_CHECKS: tuple[Callable[[Stop], Fault | None], ...] = (
    _tab,
    _unclosed_quote,
    _lost_quote,
    _escape,
    _anchor,
    _second_document,
    unclosed_bracket,
    _stray_bracket,
    _first_character,
    no_comma,
    text_in_flow,
    _text_with_colon,
    no_space,
    _behind_value,
    _no_colon,
    _indentation,
)
