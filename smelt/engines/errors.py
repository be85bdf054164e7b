"""Failures of a warehouse, made from a diagnostic code's templates."""

from smelt.diagnostics.model import Code, Diagnostic, Location
from smelt.engines.model import Failure, WarehouseError


def fault(
    code: Code,
    location: Location | None = None,
    *,
    approval: bool = False,
    busy: bool = False,
    setting: tuple[str | int, ...] = (),
    transient: bool = False,
    **values: object,
) -> WarehouseError:
    """An error of ``code`` with its templates filled from ``values``.

    Args:
        code: the declaration.
        location: the line in the project's files that it is about, if there is one.
        approval: whether a person must approve what would go on (exit 3).
        busy: whether another process holds what is needed (exit 4).
        setting: the keys below the target in ``smelt.yml``, where it is their fault (exit 2).
        transient: whether it may be over when the same is tried again.
        values: what the templates name.
    """
    message, help_text = code.message.format_map(values), code.help.format_map(values)
    diagnostics = () if location is None else (Diagnostic(code, location, message, help_text),)
    return WarehouseError(Failure(code.name, message, help_text, diagnostics, approval, busy, setting, transient))
