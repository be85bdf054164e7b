"""Costs of child processes, and what the benches make of numbers."""

import sys
from pathlib import Path

import pytest

from benches import environments
from benches.check import CASES, Arm, Place, arms, growth, measure, report
from benches.folds import bars
from benches.measuring import ChildFailed, child, exponent, spread, table
from benches.projects import generate
from benches.warehouses.writing import files


def test_a_child_is_measured_with_what_it_wrote(tmp_path: Path) -> None:
    cost = child([sys.executable, "-c", "import os; print(os.getcwd(), sum(range(10**6)))"], tmp_path)
    assert cost.output == f"{tmp_path} 499999500000\n"
    assert cost.cpu > 0
    assert cost.wall > 0
    assert 2**20 < cost.memory < 2**30


def test_a_child_that_fails_shows_the_end_of_its_output(tmp_path: Path) -> None:
    with pytest.raises(ChildFailed, match="ended with 3:\nwhy"):
        child([sys.executable, "-c", "print('why'); raise SystemExit(3)"], tmp_path)


def test_growth_is_the_exponent_of_the_nearest_curve() -> None:
    assert exponent([100, 1000, 5000], [3 * size**1.1 for size in (100, 1000, 5000)]) == pytest.approx(1.1)


def test_a_table_is_markdown_in_lined_up_columns() -> None:
    assert table(["what", "s"], [["a", "10.25"]]) == "| what | s     |\n|------|-------|\n| a    | 10.25 |"
    assert spread([2.0, 1.0, 4.0]) == "2.00 (1.00–4.00)"


def test_a_bar_says_met_or_by_how_much_it_was_missed() -> None:
    bar = bars.Bar(1 / 14, 1 / 30)
    assert [bar.verdict(found) for found in (1 / 7, 1 / 20, 1 / 40)] == ["MISSED by 2.00×", "met", "stretch met"]
    assert bars.share(1 / 14) == "1/14.0"
    assert bars.paired([1, 2, 9], [2, 2, 3]) == 1


def test_an_arm_without_an_environment_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / environments.SMELT / "bin" / "smelt"
    program.parent.mkdir(parents=True)
    program.touch()
    assert [arm.program for arm in arms(tmp_path)] == [program]
    assert capsys.readouterr().out.count("left out") == 3


def test_every_case_is_measured_once_a_round_and_the_project_is_as_before(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\ncat models/*/*.sql | grep -c 'TABLESAMPLE\\|extra_column' >> seen; touch kept\n")
    program.chmod(0o755)
    (place,) = measure([Arm("smelt", "smelt", program, (), ("kept",))], 20, 2, 0, tmp_path)
    assert {case: len(costs) for case, costs in place.costs.items()} == dict.fromkeys(CASES, 2)
    # The warm-up, then twice: cold, unchanged, one model edited, and the hub too.
    assert (place.folder / "seen").read_text().split() == ["0", *(2 * ["0", "0", "1", "2"])]
    for name, text in files(place.warehouse, "smelt").items():
        assert (place.folder / name).read_text(encoding="utf-8") == text


def test_a_report_sets_the_arms_side_by_side_and_names_what_was_missed() -> None:
    places = []
    for size in (100, 1000):
        warehouse = generate(size)
        ours = Place(Arm("smelt", "smelt", Path(), (), ()), Path(), warehouse, {case: [size / 100] for case in CASES})
        peer = Place(Arm("dbt", "dbt", Path(), (), ()), Path(), warehouse, {case: [size / 10] for case in CASES})
        places.append([ours, peer])
    text = report(places[1])
    assert "cold, 1,000" in text
    assert "100.00 = 10.0×" in text
    assert "smelt ≤ 9: MISSED" in text
    assert "cold ≤ 1.1: met" in growth(places)
