"""What follows from files that get other paths: addresses come from paths, so what names them changes too."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from smelt.editor.definition import all_of
from smelt.editor.index import Index
from smelt.editor.readdress import (
    FileRename,
    NoRename,
    Renaming,
    readdressed,
    readers_of,
    refuse_address,
    refuse_unread,
)
from smelt.editor.snapshot import Snapshot
from smelt.editor.targets import RelationTarget, Target
from smelt.project.addresses import address_of
from smelt.project.model import Address


def moved(snapshot: Snapshot, moves: Iterable[FileRename]) -> Renaming:
    """The edits that keep every reference right, for before files or folders are moved; and what has to move along.

    Of a seed's data and its sidecar neither is moved without the other. What leaves the folders of the project's files,
    or becomes a file of another kind, has no new address: nothing can follow it.

    Raises:
        NoRename: references cannot follow, because a new address is none or is taken, or some file that may name the
            old one cannot be read.
    """
    index = Index.of(snapshot)
    if index is None or index.project.config is None:
        return Renaming(())
    files = {*snapshot.texts, *(seed.file for seed in index.project.seeds.values())}
    paths = dict(_paths(files, moves))
    addresses, along = _addresses(index, files, paths)
    if not addresses:
        return Renaming(())
    for new in addresses.values():
        refuse_address(index, new, addresses)
    if len({str(new) for new in addresses.values()}) < len(addresses):
        raise NoRename("two of the files would get one address")
    targets: set[Target] = {RelationTarget(old) for old in addresses}
    found = all_of(index, targets)
    refuse_unread(index, {one.file for one in found} | {file for one in targets for file in readers_of(index, one)})
    return Renaming(readdressed(index, found, addresses), along)


def _paths(files: Iterable[str], moves: Iterable[FileRename]) -> Iterator[tuple[str, str]]:
    """The project's files that move, with the folders they lie in or alone, and where to."""
    moves = tuple(moves)
    for file in files:
        for move in moves:
            if file == move.old or file.startswith(f"{move.old}/"):
                yield file, move.new + file.removeprefix(move.old)
                break


def _addresses(
    index: Index, files: Collection[str], paths: Mapping[str, str]
) -> tuple[dict[Address, Address], tuple[FileRename, ...]]:
    """Old addresses with their new ones, and the files that have to move along."""
    config = index.project.config
    prefixes = config.paths if config is not None else ()
    known = {file: address_of(file, prefixes) for file in files}
    staying: dict[Address | None, list[str]] = {}
    for file in sorted(known.keys() - paths.keys()):
        staying.setdefault(known[file], []).append(file)
    found: dict[Address, Address] = {}
    along: list[FileRename] = []
    for old_path, new_path in sorted(paths.items()):
        old, new = known[old_path], address_of(new_path, prefixes)
        if old is None or new is None or old == new or _kind(old_path) != _kind(new_path):
            continue
        if found.setdefault(old, new) != new:
            raise NoRename(f"the files of {old} would get two addresses")
        for other in staying.get(old, ()):
            if _stem(other) != _stem(old_path):
                raise NoRename(f"{other} has the address {old} too")
            along.append(FileRename(other, _stem(new_path) + other.removeprefix(_stem(other))))
    for one in along:
        if one.new in files:
            raise NoRename(f"there is a file {one.new} already")
    return found, tuple(along)


def _stem(path: str) -> str:
    return path.rpartition(".")[0]


def _kind(path: str) -> str:
    return path.rpartition(".")[2].lower().replace("yaml", "yml")
