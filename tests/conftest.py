"""Options of the whole suite."""

import signal

import pytest
from hypothesis import settings

# Machines are noisy: how long an example takes says nothing.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# Whoever starts the tests in the background of a script has them ignore Ctrl-C, and with them every process that
# they start: those that are to be interrupted would never end.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expectations of data-driven cases")
    parser.addoption("--update-images", action="store_true", help="take the pictures of docs/images again")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what drives real editors, unless ``-m`` speaks of it."""
    if "real_editor" in config.option.markexpr:
        return
    left_out = [item for item in items if item.get_closest_marker("real_editor")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
