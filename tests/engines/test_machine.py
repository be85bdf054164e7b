"""Some lives of a succession model; ``python -m benches.histories`` lives as many as are asked for."""

import pytest
from hypothesis import HealthCheck, settings

from tests.engines.machine import Life

Life.TestCase.settings = settings(
    max_examples=25, stateful_step_count=14, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@pytest.mark.slow
class TestLife(Life.TestCase):  # type: ignore[name-defined, misc]
    """Run by hypothesis."""
