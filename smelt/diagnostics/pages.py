"""The page of a diagnostic code, in parts."""

import re

_SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)


def section(page: str, title: str) -> str:
    """The text of a page's section, without blanks around it; empty if it has none of that title."""
    _, *parts = _SECTION.split(page)
    return dict(zip(parts[::2], parts[1::2], strict=True)).get(title, "").strip()


def what_was_found(page: str) -> str:
    """The first paragraph of a page, as one line."""
    return " ".join(section(page, "What was found").partition("\n\n")[0].split())


def page_uri(code: str) -> str:
    """The page's name among all documents: what ``smelt docs CODE`` prints."""
    return f"urn:smelt:diagnostics:{code}"
