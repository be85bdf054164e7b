"""``smelt test``: the column tests on built tables."""

import json

import click

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.cli.opening import analysed, open_project, selected, sound, target_of
from smelt.cli.progress import LineProgress
from smelt.cli.running import known_faults, selection_options
from smelt.engines.duckdb.reader import Reader, open_reader
from smelt.run.model import Ended
from smelt.run.outcomes import exit_code
from smelt.run.schedule import tests_of
from smelt.run.tests import run_tests
from smelt.state.clock import SystemClock
from smelt.state.store import check_version
from smelt.text.counts import counted


@command(
    "test",
    example="smelt test\nsmelt test customer_history",
    short_help="Run the column tests on built tables.",
)
@selection_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: each test and how it ended.")
def main(
    invocation: Invocation, selectors: tuple[str, ...], select: tuple[str, ...], exclude: tuple[str, ...], as_json: bool
) -> Exit:
    """Run the column tests of all models, or of those that SELECT names, on what is built.

    Only reads: it takes no lock and writes no record. `smelt build` tests what it has just built.
    """
    opened = open_project(invocation)
    analysis = analysed(opened)
    config = sound(opened, analysis)
    target = target_of(config, invocation.target)
    addresses = selected(opened.project, (*selectors, *select), exclude)
    models = tuple(address for address in opened.project.order if address in addresses)

    def open_queries() -> Reader:
        reader = open_reader(opened.root, target, tuple(config.redacted))
        if reader is None:
            raise Stop(Exit.FAILED, f"nothing is built in target {target.name} yet", "`smelt run` builds it")
        return reader

    progress = LineProgress(invocation.terminal, opened.project.texts)
    steps = tests_of(opened.project, models)
    progress.align(tuple(step.name for step in steps))
    ended: tuple[Ended, ...] = ()
    if steps:
        with known_faults(opened):
            check_version(opened.root)
            ended = run_tests(
                analysis, target, models, config.error_samples, open_queries, progress.model_ended, SystemClock()
            )
    failed = sum(one.failure is not None for one in ended)
    invocation.terminal.say(f"{counted(len(ended), 'test')}: {len(ended) - failed} passed, {failed} failed")
    if as_json:
        outcomes = {one.name: "passed" if one.failure is None else "failed" for one in ended}
        invocation.terminal.result(json.dumps({"tests": outcomes}, indent=2) + "\n")
    return Exit(exit_code(ended, None))
