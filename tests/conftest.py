"""Options of the whole suite."""

import pytest
from hypothesis import settings

# Machines are noisy: how long an example takes says nothing.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expectations of data-driven cases")
