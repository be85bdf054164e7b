"""What the state folder says of a model's runs. Reads its files, takes no lock, and never opens a database."""

import logging
from datetime import UTC, datetime
from pathlib import Path

from smelt.editor.lens import LastRun, Past
from smelt.editor.snapshot import Snapshot
from smelt.state.errors import StateError
from smelt.state.mirror import covered
from smelt.state.past import past_runs
from smelt.state.store import reading

log = logging.getLogger(__name__)


def target_of(snapshot: Snapshot, file: str) -> str | None:
    """The target that a model is built in; None without a project file."""
    analysis = snapshot.model(file)
    config = snapshot.project.config if snapshot.project is not None else None
    own = analysis.model.frontmatter.target if analysis is not None else None
    return own or (config.default_target if config is not None else None)


def past_of(root: Path, target: str, model: str, default_target: str) -> Past:
    """What is on record of a model; nothing where there is no record, or one that cannot be read."""
    try:
        files = reading(root, target, default_target=default_target)
        ranges = covered(files).get(model, ())
        found = past_runs(files, model, 1)
    except StateError as fault:
        log.info("the state of %s cannot be read: %s", root, fault)
        return Past()
    record = found[0].models.get(model) if found else None
    if record is None:
        return Past(None, ranges)
    started = datetime.fromisoformat(found[0].started_at).astimezone(UTC)
    return Past(LastRun(record.outcome, started, record.rows_inserted, record.rows_patched), ranges)
