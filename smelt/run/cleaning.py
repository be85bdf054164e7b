"""``smelt clean``: old manifests and what is left of models that are gone, under the lock."""

from collections.abc import Collection

from smelt.state.files import Files, ordered_runs, sequence_of
from smelt.state.mirror import Mirror, schema_name


def prune_runs(files: Files, keep: int) -> int:
    """Remove the manifests and reports of all runs but the newest ``keep``; returns how many runs went.

    The newest always stays: its number is the one that the next run counts on from. What a kill leaves half removed,
    the next call removes.

    Raises:
        StateError: a file cannot be removed.
    """
    kept = files.run_ids()[:keep]
    if not kept:
        return 0
    oldest = sequence_of(kept[-1])
    gone: set[str] = set()
    for folder in ("runs", "reports"):
        names = (name.rpartition("/")[2] for name in files.names(folder))
        for run_id in reversed(ordered_runs(names)):
            if sequence_of(run_id) < oldest:
                files.remove(f"{folder}/{run_id}.json")
                gone.add(run_id)
    return len(gone)


def forget_models(files: Files, models: Collection[str]) -> None:
    """Remove what the copies of the warehouse say of some models, which nothing is built for any more.

    Raises:
        StateError: a file is damaged or cannot be written.
    """
    mirror = Mirror(files, ())
    mirror.forget(models)
    mirror.flush()
    for model in models:
        files.remove(schema_name(model))
