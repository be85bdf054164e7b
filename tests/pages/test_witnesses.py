"""Witnesses: what is refused goes wrong when it is folded all the same, and what is admitted does not."""

import random

import pytest

from smelt.analysis.analyze import analyze
from smelt.diagnostics import registry
from smelt.diagnostics.model import Load, Severity, Witness
from smelt.project.load import load_project
from smelt.project.model import Address
from tests.databases import blank
from tests.grains.literate import MODEL, SOURCE, cases, judged
from tests.pages.forcing import force
from tests.pages.reading import default_files, read_page

HISTORY = Address(("customer_history",))
CHANGES = Address(("sources", "customer_changes"))
SHOWN = {
    name: witness for name in registry.names() if isinstance(witness := registry.entry(name).code.witness, Witness)
}
TOLD = {
    "SuccessionClockTie": "the query itself has no one answer, so there is no right table to differ from",
}
"""Refusals of the classifier that no data can show, and why."""


def files(name: str, witness: Witness) -> dict[str, str]:
    """The refused project of a witness."""
    found = read_page(registry.entry(name).page).example("Refused")
    if witness.model:
        found[MODEL] = f"---\nrefresh: incremental\n---\n{witness.model}\n"
    if witness.source:
        found[SOURCE] = witness.source
    return found


def texts(project: dict[str, str]) -> dict[str, str]:
    return {path: text for path, text in project.items() if path.endswith((".sql", ".yml"))}


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_refused_differs_from_its_sql_when_folded(name: str) -> None:
    witness = SHOWN[name]
    project = load_project(texts(files(name, witness)), environment={})
    assert name in {found.code.name for found in analyze(project).diagnostics}
    forced = force(project.models[HISTORY], project.sources[CHANGES], witness.loads, witness.identity, "is_deleted")
    assert forced.table != forced.answer


def test_every_refusal_of_the_classifier_has_a_witness_or_a_reason() -> None:
    errors = [name for name in registry.names() if registry.entry(name).code.severity is Severity.ERROR]
    assert {name for name in errors if name.startswith("Succession")} <= set(SHOWN) | set(TOLD)
    assert not set(SHOWN) & set(TOLD)


def test_a_clock_tie_has_two_answers() -> None:
    """Both orders of the page's two events are orders by the clock, and the histories differ."""
    project = read_page(registry.entry("SuccessionClockTie").page).example("Refused")
    query = project[MODEL].rpartition("---\n")[2].replace("smelt.sources.customer_changes", "changes")
    with blank() as connection:
        header, *events = project["data/changes.csv"].splitlines()
        connection.execute(f"CREATE TABLE changes ({', '.join(f'{name} VARCHAR' for name in header.split(','))})")
        for event in events:
            connection.execute(
                f"INSERT INTO changes VALUES ({', '.join('?' * len(event.split(',')))})", event.split(",")
            )
        connection.execute("ALTER TABLE changes ALTER is_deleted TYPE BOOLEAN")
        one, other = (
            query.replace("ORDER BY effective_ts", f"ORDER BY effective_ts, tier {way}") for way in ("ASC", "DESC")
        )
        assert one != other
        found = [sorted(map(repr, connection.execute(sql).fetchall())) for sql in (one, other)]
        assert found[0] != found[1]


def rows(chance: random.Random) -> list[str]:
    """Events that keep what the source declares: no two of a key at one clock."""
    clocks = random.Random(chance.random()).sample(range(40), 24)
    return [
        f"({clock % 3}, '{chance.choice('ab')}', {chance.choice(['NULL', chr(39) + 'x' + chr(39)])},"
        f" '2025-01-01'::TIMESTAMP + INTERVAL ({clock}) hour, {chance.random() < 0.3}, DATE '2025-01-01' + {clock % 5})"
        for clock in clocks
    ]


def admitted() -> list[tuple[str, dict[str, str]]]:
    default = default_files()
    pages = [
        (name, read_page(registry.entry(name).page).example("Accepted"))
        for name in registry.names()
        if name.startswith("Succession") and registry.entry(name).code.stage == "check"
    ]
    literate = [(case.name, case.files) for case in cases() if case.files[SOURCE] == default[SOURCE]]
    return [
        (name, project) for name, project in (*pages, *literate) if judged(project).models[HISTORY].shape is not None
    ]


@pytest.mark.parametrize(("name", "project"), admitted(), ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_admitted_equals_its_sql_when_folded_so(name: str, project: dict[str, str]) -> None:
    chance = random.Random(name)
    analysis = judged(project)
    shape = analysis.models[HISTORY].shape
    assert shape is not None
    events = rows(chance)
    loads = tuple(Load(tuple(events[at : at + 6])) for at in range(0, len(events), 6))
    identity = tuple(zip((*shape.key, shape.clock), (*shape.key_outputs, shape.clock_output), strict=True))
    model = analysis.project.models[HISTORY]
    query = model.parsed.query
    assert query is not None
    forced = force(model, analysis.project.sources[CHANGES], loads, identity, shape.flag or "is_deleted")
    assert forced.table == forced.answer
