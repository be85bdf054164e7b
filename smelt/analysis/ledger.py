"""Findings that come from many places and change one place at a time."""

from collections.abc import Hashable, Iterable, Mapping

from smelt.diagnostics.model import Diagnostic, in_order


class Ledger:
    """Findings by whoever found them; those of a file are put in order again only if some of them changed."""

    def __init__(self) -> None:
        self._by_finder: dict[Hashable, dict[str, tuple[Diagnostic, ...]]] = {}
        self._finders: dict[str, dict[Hashable, None]] = {}
        self._ordered: dict[str, tuple[Diagnostic, ...]] = {}
        self._changed: set[str] = set()

    def put(self, finder: Hashable, found: Iterable[Diagnostic]) -> None:
        """All that ``finder`` found, in place of what it found before."""
        grouped: dict[str, list[Diagnostic]] = {}
        for diagnostic in found:
            grouped.setdefault(diagnostic.location.file, []).append(diagnostic)
        now = {file: tuple(here) for file, here in grouped.items()}
        before = self._by_finder.get(finder, {})
        for file in (*before, *now):
            if before.get(file) != now.get(file):
                self._changed.add(file)
        for file in before.keys() - now.keys():
            del self._finders[file][finder]
        for file in now:
            self._finders.setdefault(file, {})[finder] = None
        if now:
            self._by_finder[finder] = now
        else:
            self._by_finder.pop(finder, None)

    def by_file(self) -> Mapping[str, tuple[Diagnostic, ...]]:
        """The findings of each file that has any, in order. What is returned does not change any more."""
        if self._changed:
            ordered = dict(self._ordered)
            for file in self._changed:
                found = in_order(one for finder in self._finders.get(file, ()) for one in self._by_finder[finder][file])
                if found:
                    ordered[file] = found
                else:
                    ordered.pop(file, None)
            self._ordered = ordered
            self._changed.clear()
        return self._ordered
