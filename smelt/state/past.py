"""The runs there were, read back from their manifests."""

from collections.abc import Iterator
from itertools import islice

from smelt.state.codec import manifest_from_json
from smelt.state.files import Files, corrupt_at
from smelt.state.records import Manifest


def past_runs(files: Files, model: str | None, limit: int) -> tuple[Manifest, ...]:
    """The newest runs, newest first.

    Args:
        files: a target's documents.
        model: only runs that had to do with this model, if given.
        limit: at most so many.

    Raises:
        StateError: a manifest is damaged.
    """
    found = (run for run in newest_first(files) if model is None or model in run.models or model in run.selection)
    return tuple(islice(found, limit))


def newest_first(files: Files) -> Iterator[Manifest]:
    """All runs, newest first by sequence, each read when it is its turn.

    A manifest that is gone by the time it is read is passed over.

    Raises:
        StateError: a manifest is damaged.
    """
    for run_id in files.run_ids():
        run = run_named(files, run_id)
        if run is not None:
            yield run


def run_named(files: Files, run_id: str) -> Manifest | None:
    """The manifest of one run; None if there is none.

    Raises:
        StateError: it is damaged.
    """
    name = f"runs/{run_id}.json"
    document = files.load(name)
    if document is None:
        return None
    with corrupt_at(files.path(name)):
        return manifest_from_json(document)
