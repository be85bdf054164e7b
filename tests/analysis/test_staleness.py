"""Which models are stale, compared with walking over all readers of all that is due."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from smelt.analysis.staleness import Pending, stale_above
from smelt.project.model import Address

_AT = [Address((f"m{number}",)) for number in range(12)]
_REFERENCES = st.lists(st.sampled_from(_AT), max_size=4).map(tuple)
READS = st.dictionaries(st.sampled_from(_AT[:10]), _REFERENCES)  # some are read and read nothing, as sources do
SOME = st.frozensets(st.sampled_from(_AT[:10]))


def everything_stale(reads: Mapping[Address, tuple[Address, ...]], due: frozenset[Address]) -> frozenset[Address]:
    stale = due
    while (more := stale | {one for one, read in reads.items() if stale & set(read)}) != stale:
        stale = frozenset(more)
    return stale


def above(wanted: frozenset[Address], reads: Mapping[Address, tuple[Address, ...]]) -> frozenset[Address]:
    found = wanted
    while (more := found.union(*(reads.get(one, ()) for one in found))) != found:
        found = more
    return found


@given(SOME, READS, SOME)
def test_the_stale_ones_are_the_due_ones_and_their_readers(
    wanted: frozenset[Address], reads: dict[Address, tuple[Address, ...]], due: frozenset[Address]
) -> None:
    assert stale_above(wanted, reads, due) == everything_stale(reads, due) & above(wanted, reads)


@given(READS, SOME)
def test_their_files_are_a_set(reads: dict[Address, tuple[Address, ...]], due: frozenset[Address]) -> None:
    files = {f"models/{address}.sql": address for address in _AT[:10]}
    expected = {file for file, address in files.items() if address in everything_stale(reads, due)}
    pending = Pending(files, reads, due)
    assert pending == expected
    assert len(pending) == len(expected)
    assert bool(pending) == bool(expected)
    assert {file for file in (*files, "smelt.yml") if file in pending} == expected


class Counted(dict[Address, tuple[Address, ...]]):
    """Counts who is asked about."""

    def get(self, key: Address, default: object = None) -> tuple[Address, ...]:  # type: ignore[override]
        self.asked = [*getattr(self, "asked", []), key]
        return super().get(key, ())

    def __iter__(self) -> Iterator[Address]:
        raise AssertionError("all models are walked over")


def test_what_else_is_due_costs_nothing() -> None:
    many = [Address((f"model_{number}",)) for number in range(1000)]
    reads = Counted({after: (before,) for before, after in pairwise(many)})
    assert stale_above([many[3]], reads, frozenset(many)) == frozenset(many[:4])
    assert reads.asked == [many[3], many[2], many[1], many[0]]
    reads.asked = []
    files = {f"{address}.sql": address for address in many}
    assert "model_2.sql" in Pending(files, reads, frozenset(many))
    assert len(reads.asked) == 3
