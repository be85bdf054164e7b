"""A project kept up while its files change: whatever changed, in whatever order it is asked for, it says what looking
anew says, and a small change is a small piece of work."""

import hashlib
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smelt.analysis import surroundings as judging
from smelt.analysis.analyze import analyze
from smelt.analysis.binding import declared
from smelt.analysis.incremental import Record
from smelt.analysis.model import Analysis, ModelAnalysis
from smelt.analysis.piecewise import PiecewiseAnalysis, View
from smelt.analysis.reported import reported
from smelt.engines.binder import DuckDBBinder
from smelt.project import load as loading
from smelt.project.load import load_project
from smelt.project.piecewise import Files
from tests.analysis.test_incremental import EDITS, POOL, SEEDS, STATES, look, plain, present

CIRCLE = "SELECT id, 1 AS n, 'x' AS plan FROM smelt.top"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def started(records: Mapping[str, Record]) -> PiecewiseAnalysis:
    return PiecewiseAnalysis(DuckDBBinder(), digest, records)


def take_up(live: PiecewiseAnalysis, files: Mapping[str, str]) -> None:
    live.update(Files(dict(files), SEEDS, {}, {}))


def settled(live: PiecewiseAnalysis) -> View:
    while not live.is_settled:
        live.step()
    return live.view()


def anew(files: Mapping[str, str]) -> Analysis:
    binder = DuckDBBinder()
    try:
        return analyze(load_project(files, seeds=SEEDS, environment={}), binder)
    finally:
        binder.close()


def told_of(one: ModelAnalysis) -> tuple[object, ...]:
    model = one.model
    return one.kind, one.canonical, one.columns, one.diagnostics, model.references, model.frontmatter, model.text


def assert_same(view: View, files: Mapping[str, str]) -> None:
    wanted = anew(files)
    assert [*view.analysis.diagnostics] == [*reported(wanted.diagnostics, files).findings]
    assert all(found for found in view.findings.values())
    assert view.pending == frozenset()
    assert view.analysis.models.keys() == wanted.models.keys()
    of_sources = declared(wanted.project)
    for address, one in wanted.models.items():
        assert told_of(view.analysis.models[address]) == told_of(one)
        assert view.summaries[address] == one.summary
        assert view.columns.get(address) == (of_sources.get(address) if one.columns is None else one.columns)
    assert set(view.analysis.project.order) == set(wanted.project.order)
    assert view.analysis.project.sources == wanted.project.sources
    assert view.analysis.project.seeds == wanted.project.seeds


@given(STATES, st.lists(EDITS, min_size=1, max_size=5), st.data())
@settings(max_examples=20)
def test_it_says_what_looking_anew_says(
    state: dict[str, str | None], steps: list[list[tuple[str, str | None]]], data: st.DataObject
) -> None:
    state = dict(state)
    warm = data.draw(st.booleans())
    live = started(look(present(state), {}).records if warm else {})
    for edits in [[], *steps]:
        state.update(edits)
        files = present(state)
        take_up(live, files)
        opened = data.draw(st.sampled_from(sorted(POOL)))
        live.attend([opened])
        assert opened not in live.view().pending
        for _ in range(data.draw(st.integers(0, 3))):
            live.step()
        if data.draw(st.booleans()):
            assert_same(settled(live), files)
    assert_same(settled(live), files)
    assert live.left() == look(files, {}).records


@pytest.mark.parametrize("low", ["SELECT id, FROM WHERE", "SELECT nope FROM smelt.nothing", "SELECT 1 AS id, 2 AS ts"])
def test_what_a_model_reads_is_judged_first_though_none_of_it_was_read_yet(low: str) -> None:
    mid = "---\nrefresh: incremental\n---\nSELECT id, LEAD(ts) OVER (PARTITION BY id ORDER BY ts) AS x FROM smelt.low"
    files = {"models/low.sql": low, "models/mid.sql": mid, "models/top.sql": "SELECT id FROM smelt.mid"}
    files["smelt.yml"] = plain()["smelt.yml"]
    live = started({})
    take_up(live, files)
    live.attend(["models/top.sql"])
    assert_same(settled(live), files)


def test_a_circle_comes_and_goes() -> None:
    files = plain()
    live = started({})
    take_up(live, files)
    settled(live)
    for text in (CIRCLE, CIRCLE + " -- moved", "-- moved\n" + CIRCLE, files["models/current.sql"]):
        files["models/current.sql"] = text
        take_up(live, files)
        live.attend(["models/current.sql"])
        assert_same(settled(live), files)


def test_a_circle_that_comes_while_nobody_looks_refuses_what_a_check_left() -> None:
    files = plain()
    files["models/current.sql"] = "SELECT id, plan FROM smelt.top"
    before = dict(look({**files, "models/top.sql": "SELECT id, plan FROM smelt.names"}, {}).records)
    del before["models/top.sql"]  # it is of another text
    files["models/top.sql"] = "SELECT id, plan FROM smelt.current"
    for records in (before, look(files, {}).records):
        live = started(records)
        take_up(live, files)
        assert_same(settled(live), files)
        assert live.left() == look(files, {}).records


def test_a_source_of_a_models_address_comes_and_goes() -> None:
    files = plain()
    files["models/history.sql"] = files["models/history.sql"].replace("smelt.changes", "smelt.chnges")
    files["models/top.sql"] = "SELECT plan FROM smelt.history"
    live = started({})
    for twin in ({}, {"models/history.yml": "columns:\n  - {name: id, type: INTEGER}\n"}, {}):
        take_up(live, {**files, **twin})
        assert_same(settled(live), {**files, **twin})


def test_a_comment_that_allows_a_finding_counts() -> None:
    files = plain()
    live = started({})
    for text in ("-- smelt: allow UnknownColumn it is to come\nSELECT nope FROM smelt.names", "SELECT 1 AS one"):
        files["models/current.sql"] = text
        take_up(live, files)
        assert_same(settled(live), files)


def test_while_the_project_file_is_half_written_the_last_good_one_counts() -> None:
    files = plain()
    live = started({})
    take_up(live, files)
    before = settled(live).findings
    take_up(live, {**files, "smelt.yml": files["smelt.yml"] + "targets: [\n"})
    view = settled(live)
    assert [found.code.name for found in view.findings["smelt.yml"]] == ["YamlSyntax"]
    assert {file: found for file, found in view.findings.items() if file != "smelt.yml"} == before
    assert view.analysis.project.config is not None


def test_what_a_model_found_in_the_project_file_waits_until_that_can_be_read() -> None:
    """It stands at a place of the last good text, which is another one in the present text."""
    files = plain()
    files["smelt.yml"] += "models:\n  top: {columns: [{name: gone}]}\n"
    live = started({})
    shown = []
    for before in ("", "- half\n", ""):
        take_up(live, {**files, "smelt.yml": before + files["smelt.yml"]})
        live.attend(["smelt.yml", "models/top.sql"])
        shown += [live.view(), settled(live)]
    codes = [[found.code.name for found in view.findings["smelt.yml"]] for view in shown]
    assert codes == [*[["UnknownDeclaredColumn"]] * 2, *[["YamlSyntax"]] * 2, *[["UnknownDeclaredColumn"]] * 2]


class Work:
    """What is done meanwhile."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.parsed: list[str] = []
        self.judged: list[str] = []
        parse, judge = loading.parse, judging.judge

        def counted_parse(text: str, span: object) -> object:
            self.parsed.append(text)
            return parse(text, span)  # type: ignore[arg-type]

        def counted_judge(model: object, *rest: object) -> object:
            self.judged.append(model.file)  # type: ignore[attr-defined]
            return judge(model, *rest)  # type: ignore[arg-type]

        monkeypatch.setattr(loading, "parse", counted_parse)
        monkeypatch.setattr(judging, "judge", counted_judge)


def hundred() -> dict[str, str]:
    """The plain project with a hundred models more that read one of its models."""
    many = {f"models/more_{at}.sql": f"SELECT id + {at} AS id FROM smelt.current" for at in range(100)}
    return {**plain(), **many}


def test_one_edit_reads_and_judges_one_model(monkeypatch: pytest.MonkeyPatch) -> None:
    files = hundred()
    live = started({})
    take_up(live, files)
    settled(live)
    work = Work(monkeypatch)
    files["models/current.sql"] += " AND id > 1"
    take_up(live, files)
    live.attend(["models/current.sql"])
    assert live.is_settled
    assert work.parsed == [files["models/current.sql"]]
    assert work.judged == ["models/current.sql"]


def test_an_edit_that_readers_see_is_judged_first_and_they_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    files = hundred()
    live = started({})
    take_up(live, files)
    settled(live)
    work = Work(monkeypatch)
    files["models/current.sql"] = "SELECT id, 1 AS further, plan FROM smelt.history"
    take_up(live, files)
    live.attend(["models/current.sql"])
    assert work.judged == ["models/current.sql"]
    pending = live.view().pending
    assert len(pending) == 101
    settled(live)
    assert len(work.judged) == 102
    assert len(work.parsed) == 1


def test_what_comes_back_is_not_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    files = hundred()
    live = started({})
    take_up(live, files)
    settled(live)
    good = files["models/current.sql"]
    for text in ("SELECT id, FROM WHERE", good):
        files["models/current.sql"] = text
        take_up(live, files)
        settled(live)
    work = Work(monkeypatch)
    for text in ("SELECT id, FROM", good):
        files["models/current.sql"] = text
        take_up(live, files)
        settled(live)
    assert work.judged == ["models/current.sql"] * 2


def test_an_open_file_takes_what_it_reads_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    files = hundred()
    live = started({})
    work = Work(monkeypatch)
    take_up(live, files)
    live.attend(["models/current.sql"])
    assert work.judged == ["models/history.sql", "models/current.sql"]
    assert len(work.parsed) == 2


def test_what_a_check_left_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    files = hundred()
    records = look(files, {}).records
    work = Work(monkeypatch)
    live = started(records)
    take_up(live, files)
    live.attend(["models/current.sql"])
    view = settled(live)
    assert work.judged == ["models/current.sql"]
    assert len(work.parsed) == 1
    (further,) = [one for one in view.analysis.models.items() if one[0].segments == ("more_7",)]
    assert further[1].model.text == files["models/more_7.sql"]
    assert work.judged[1:] == ["models/more_7.sql"] or "models/more_7.sql" in work.judged
