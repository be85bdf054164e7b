"""The bench beside other tools, without them: a stand-in that does what its settings say is measured and compared."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benches import environments
from benches.peers.__main__ import from_nothing, one_more_day, report
from benches.peers.model import ORACLE, SOURCE, Peer, Place
from benches.peers.tools import peers
from benches.streams import Stream

_STREAM = Stream(keys=50)


def _stand_in(name: str, query: str) -> Peer:
    """A tool whose run makes the table anew from a query."""
    statement = f"CREATE OR REPLACE TABLE history AS {query}"
    script = f"import duckdb; duckdb.connect('dev.duckdb').execute({statement!r})"
    return Peer(
        name=name,
        program=Path(sys.executable),
        python=Path(sys.executable),
        files={"settings/tool.yml": "day: {}\n"},
        first=lambda start, end: ("-c", script),
        next=lambda day: ("-c", script),
        rows="FROM history",
        promise="what its query says",
    )


def test_a_tool_that_keeps_the_windows_differs_in_nothing_and_one_that_loses_rows_is_told(tmp_path: Path) -> None:
    right = _stand_in("smelt", ORACLE)
    wrong = _stand_in("dbt", f"{ORACLE} AND customer_id > 0")
    places = from_nothing([right, wrong], tmp_path, 2, 200, _STREAM)
    count, missing, more = places[0].differences()
    assert count > 300
    assert (missing, more) == (0, 0)
    assert places[1].differences()[1] > 0
    assert all(len(place.costs) == 2 for place in places)
    assert (places[0].folder / "settings" / "tool.yml").exists()
    lines = report(places, summed=True, judged=False).splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["smelt", "dbt"]


def test_every_round_begins_from_the_same_files(tmp_path: Path) -> None:
    counting = f"SELECT *, (SELECT count(*) FROM {SOURCE}) AS seen FROM ({ORACLE})"
    (place,) = one_more_day([_stand_in("smelt", counting)], tmp_path, 730, 20, 2, _STREAM)
    assert place.execute("SELECT min(seen), max(seen) FROM history") == [[750, 750]]
    assert len(place.costs) == 2


def test_a_tool_can_be_handed_the_right_history(tmp_path: Path) -> None:
    for name in (environments.SMELT, environments.DBT):
        (tmp_path / name / "bin").mkdir(parents=True)
        for program in ("python", "smelt", "dbt"):
            (tmp_path / name / "bin" / program).touch()
    (dbt,) = [peer for peer in peers(tmp_path) if peer.name.startswith("dbt")]
    place = Place(replace(dbt, python=Path(sys.executable)), tmp_path / "project")
    place.write()
    place.load(_STREAM.select(0, 300, "arrival // 100"))
    place.give_history()
    assert place.differences()[1:] == (0, 0)


def test_tools_that_are_not_installed_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert peers(tmp_path) == []
    assert capsys.readouterr().out.count("left out") == 4
