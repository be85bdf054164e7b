"""The runs there were, read back from their manifests."""

from smelt.state.codec import manifest_from_json
from smelt.state.files import Files, corrupt_at
from smelt.state.records import Manifest


def past_runs(files: Files, model: str | None, limit: int) -> tuple[Manifest, ...]:
    """The newest runs, newest first.

    A manifest that is gone by the time it is read is passed over.

    Args:
        files: a target's documents.
        model: only runs that had to do with this model, if given.
        limit: at most so many.

    Raises:
        StateError: a manifest is damaged.
    """
    found: list[Manifest] = []
    for run_id in files.run_ids():
        if len(found) == limit:
            break
        name = f"runs/{run_id}.json"
        document = files.load(name)
        if document is None:
            continue
        with corrupt_at(files.path(name)):
            run = manifest_from_json(document)
        if model is None or model in run.models or model in run.selection:
            found.append(run)
    return tuple(found)
