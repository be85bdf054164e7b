"""What a model is and how it will be kept, as text and as JSON.

Both are written from the same analysis, so neither can say what the other does not.
"""

from collections.abc import Iterator, Mapping

from smelt.analysis.model import ModelAnalysis
from smelt.diagnostics.model import Diagnostic
from smelt.diagnostics.render import PLAIN, Palette, text
from smelt.diagnostics.render_json import diagnostic_objects
from smelt.grains.succession.shape import SuccessionShape
from smelt.project.model import Address

Json = dict[str, object]

_EMITS = {
    "view": "the rows of its query, computed when read",
    "table": "the rows of its query, stored",
}
_TECHNIQUE = {"view": "view", "table": "full-refresh"}


def ledger_name(analysis: ModelAnalysis) -> str:
    """The tombstone ledger's physical name, without schema."""
    return f"{analysis.model.relation}__tombstones"


def refusals(analysis: ModelAnalysis) -> tuple[Diagnostic, ...]:
    """The findings that keep a model from being built; empty unless it is refused."""
    return tuple(diagnostic for diagnostic in analysis.diagnostics if diagnostic.is_error)


def explain_text(
    analysis: ModelAnalysis, texts: Mapping[str, str], palette: Palette = PLAIN, width: int | None = None
) -> str:
    """One model for a person. A refused one is shown by its refusals, as code frames.

    Args:
        analysis: the model.
        texts: the project's file texts, for the frames of a refused model.
        palette: the frames' colours.
        width: columns of the screen, for the frames.
    """
    if analysis.kind == "refused":
        return text(refusals(analysis), texts, palette, width)
    lines = _succession(analysis, analysis.shape) if analysis.shape else _plain(analysis)
    return "".join(f"{line}\n" for line in lines)


def explain_json(analysis: ModelAnalysis, texts: Mapping[str, str]) -> Json:
    """One model for a program: the object of ``smelt explain MODEL --json``.

    ``relation`` is the table's name in the schema of its target. ``identity`` and what stands under ``succession`` are
    columns of the source; ``identity_columns`` and ``delta_signature`` are the same in the table.
    """
    shape = analysis.shape
    return {
        "model": str(analysis.model.address),
        "relation": analysis.model.relation,
        "grain": "succession" if shape else None,
        "identity": [*shape.key, shape.clock] if shape else [],
        "identity_columns": [*shape.key_outputs, shape.clock_output] if shape else [],
        "technique": technique(analysis),
        "succession": _succession_object(analysis, shape) if shape else None,
        "delta_signature": _delta_signature(shape) if shape else None,
        "refusals": diagnostic_objects(refusals(analysis), texts),
    }


def technique(analysis: ModelAnalysis) -> str | None:
    """How the model's relation is kept; None if it is refused."""
    if analysis.shape:
        return "succession-patch"
    return _TECHNIQUE.get(analysis.kind)


def reads(analysis: ModelAnalysis) -> tuple[Address, ...]:
    """What the model's query reads, each once, in the order written."""
    return tuple(dict.fromkeys(reference.address for reference in analysis.model.references))


def _succession(analysis: ModelAnalysis, shape: SuccessionShape) -> Iterator[str]:
    key, identity = ", ".join(shape.key), ", ".join((*shape.key, shape.clock))
    yield (f"model {analysis.model.address}  (emits: event history keyed by [{key}], event-addressed by ({identity}))")
    yield "  grain: succession"
    yield f"  identity: ({identity})"
    yield "  technique: succession-patch"
    yield f"  run axis: {shape.run_axis} ({_POSTURE[shape.partitioning]})"
    yield f"  clock: {shape.clock}"
    yield "  posture: re-run tolerant; order-independent but serial"
    if shape.pre_filter_text is not None:
        first, *rest = shape.pre_filter_text.splitlines()
        yield f"  pre-window filter: {first}"
        yield from (f"    {line.strip()}" for line in rest)
    if shape.flag is not None:
        yield (
            f"  internal state: tombstone ledger {ledger_name(analysis)} ({identity})"
            " — not part of the model's public schema"
        )
    yield from _called(analysis, shape.key, (*shape.key_outputs, shape.clock_output))


def _called(analysis: ModelAnalysis, key: tuple[str, ...], identity: tuple[str, ...]) -> Iterator[str]:
    """What the table, or its key, is called, where the lines above do not say it."""
    relation = analysis.model.relation
    if identity[: len(key)] != key:
        yield f"  relation: {relation}, identity in it: ({', '.join(identity)})"
    elif relation != str(analysis.model.address):
        yield f"  relation: {relation}"


_POSTURE = {"arrival": "arrival-partitioned", "event_time": "event-time-partitioned"}


def _plain(analysis: ModelAnalysis) -> Iterator[str]:
    yield f"model {analysis.model.address}  (emits: {_EMITS[analysis.kind]})"
    yield "  grain: none"
    yield f"  technique: {technique(analysis)}"
    yield f"  reads: {', '.join(map(str, reads(analysis))) or 'nothing'}"
    yield from _called(analysis, (), ())


def _succession_object(analysis: ModelAnalysis, shape: SuccessionShape) -> Json:
    ledger: Json = {"table": ledger_name(analysis), "columns": [*shape.key, shape.clock]}
    return {
        "key_columns": list(shape.key),
        "clock_column": shape.clock,
        "run_axis": shape.run_axis,
        "partitioning": shape.partitioning,
        "lead_columns": list(shape.lead_columns),
        "lag_columns": list(shape.lag_columns),
        "delete_flag": shape.flag,
        "pre_window_filter": shape.pre_filter_text,
        "tombstone_ledger": ledger if shape.flag is not None else None,
        "rerun_tolerant": True,
        "order_independent": True,
        "concurrent": False,
    }


def _delta_signature(shape: SuccessionShape) -> Json:
    return {
        "shape": "keyed_succession",
        "addressing": "event",
        "keys": list(shape.key_outputs),
        "axis": shape.clock_output,
    }
