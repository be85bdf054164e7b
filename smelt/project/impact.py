"""What a change of files reaches: themselves, and every model that reads them, over any distance."""

from collections.abc import Collection, Iterable, Mapping

from smelt.project.addresses import address_of
from smelt.project.layout import PROJECT_FILE
from smelt.text.identifiers import fold


def affected_files(
    changed: Collection[str], reads: Mapping[str, Collection[str]], prefixes: Iterable[str]
) -> frozenset[str] | None:
    """The files whose findings a change can have made; None if that can be any.

    Names are compared as they are written, so that what reads a deleted file is found too.

    Args:
        changed: files that changed, appeared or vanished, relative to the root.
        reads: for each model's file the folded names of what it reads, without ``smelt.``.
        prefixes: the project's ``paths:``.
    """
    if PROJECT_FILE in changed:
        return None
    prefixes = tuple(prefixes)
    readers: dict[str, list[str]] = {}
    for file, names in reads.items():
        for name in names:
            readers.setdefault(name, []).append(file)
    reached: set[str] = set()
    waiting = list(changed)
    while waiting:
        file = waiting.pop()
        if file in reached:
            continue
        reached.add(file)
        address = address_of(file, prefixes)
        if address is not None:
            waiting += readers.get(fold(str(address)), ())
    return frozenset((*reached, PROJECT_FILE))
