"""Random histories against the oracles, as many as are asked for: ``python -m benches.histories --histories 100000``.

Each history is a source, a model, and windows in any order and number; each life is one in which rows come late,
processes are killed by SIGKILL at every step of a fold, and models are edited. After every step the table is compared
with the model's SQL over what was folded, both ways. The first difference ends it, shrunk to its smallest form.
"""

import argparse
import time

from hypothesis import HealthCheck, given, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.engines import test_histories
from tests.engines.machine import Life


def main() -> None:
    """Run both kinds, and say how many were lived in what time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--histories", type=int, default=1_000, help="histories to fold and compare")
    parser.add_argument("--lives", type=int, default=50, help="lives with kills and edits, each of up to --steps steps")
    parser.add_argument("--steps", type=int, default=20)
    options = parser.parse_args()
    plain = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}
    began = time.monotonic()
    if options.histories:
        every = given(test_histories.SETTINGS, test_histories.histories(), test_histories.WINDOWS)
        settings(max_examples=options.histories, **plain)(every(test_histories.fold_and_compare))()
        print(f"{options.histories:,} histories: no difference ({time.monotonic() - began:.0f} s)", flush=True)
    began = time.monotonic()
    if options.lives:
        lives = settings(max_examples=options.lives, stateful_step_count=options.steps, **plain)
        run_state_machine_as_test(Life, settings=lives)
        print(f"{options.lives:,} lives: no difference ({time.monotonic() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
