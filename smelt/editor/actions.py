"""What an editor offers to do about findings: every fix they carry, and all safe ones of a file at once."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from smelt.diagnostics.model import Diagnostic, FileEdit, Fix
from smelt.editor.snapshot import Snapshot
from smelt.text.spans import Span

if TYPE_CHECKING:  # a server must answer before the parser is loaded
    from smelt.editor.new_source import NewFile

QUICK_FIX: Literal["quickfix"] = "quickfix"
_NAMES_NOTHING = "UnknownReference"
FIX_ALL: Literal["source.fixAll.smelt"] = "source.fixAll.smelt"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to choose.

    Attributes:
        kind: the protocol's name for the sort of action.
        preferred: whether it is the one obvious repair: a safe fix, and the only one of its finding.
        diagnostics: the findings it mends.
        creates: a file that does not exist yet; only for editors that can create one.
    """

    title: str
    kind: Literal["quickfix", "source.fixAll.smelt"]
    edits: tuple[FileEdit, ...]
    preferred: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    creates: "NewFile | None" = None


def quick_fixes(snapshot: Snapshot, file: str, span: Span) -> tuple[Action, ...]:
    """The fixes of every finding that touches a range, safe ones first."""
    touched = [found for found in snapshot.of(file) if _touch(found.location.span, span)]
    actions = [_quick_fix(found, fix) for found in touched for fix in found.fixes]
    actions += [action for found in touched for action in _new_sources(snapshot, found)]
    return tuple(sorted(actions, key=lambda action: not action.preferred))


def fix_all(snapshot: Snapshot, file: str) -> Action | None:
    """All safe fixes of a file in one action; None if it has none.

    Of two that would edit the same place the first wins; the other is offered again when the file was looked at anew.
    """
    taken: list[FileEdit] = []
    mended: list[Diagnostic] = []
    for found in snapshot.of(file):
        fix = next((fix for fix in found.fixes if fix.safe), None)
        if fix is not None and not _collide(fix.edits, taken):
            taken += [edit for edit in fix.edits if edit not in taken]
            mended.append(found)
    if not mended:
        return None
    return Action("Apply all safe fixes of smelt", FIX_ALL, tuple(taken), diagnostics=tuple(mended))


def _quick_fix(found: Diagnostic, fix: Fix) -> Action:
    title = fix.title if fix.safe else f"{fix.title} (unsafe)"
    return Action(title, QUICK_FIX, fix.edits, fix.safe and len(found.fixes) == 1, (found,))


def _new_sources(snapshot: Snapshot, found: Diagnostic) -> Iterator[Action]:
    if found.code.name != _NAMES_NOTHING:
        return
    from smelt.editor.index import Index
    from smelt.editor.new_source import missing_source

    index = Index.of(snapshot)
    new = missing_source(index, found) if index is not None else None
    if new is not None:
        yield Action(f"Create the source {new.file} (unsafe)", QUICK_FIX, (), diagnostics=(found,), creates=new)


def _touch(first: Span, second: Span) -> bool:
    return first.start <= second.end and second.start <= first.end


def _collide(edits: Iterable[FileEdit], taken: Iterable[FileEdit]) -> bool:
    """Whether an edit would change a place that a different one changes already."""
    listed = tuple(taken)
    return any(
        edit.file == other.file and edit != other and _touch(edit.edit.span, other.edit.span)
        for edit in edits
        for other in listed
    )
