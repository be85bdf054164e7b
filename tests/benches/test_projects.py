"""The generator of big projects: what it makes is deterministic, sound, and the same in every flavour."""

import json
import re
from pathlib import Path
from statistics import mean

import pytest

from benches.projects import generate
from benches.warehouses.writing import FLAVOURS, Flavour, files, model_file, write
from smelt.analysis.analyze import analyze
from smelt.engines.binder import DuckDBBinder
from smelt.workspace.reader import read_project

_MODELS = 60


def test_a_number_and_a_seed_decide_every_byte() -> None:
    for flavour in FLAVOURS:
        assert files(generate(_MODELS), flavour) == files(generate(_MODELS), flavour)
    assert files(generate(_MODELS, seed=2), "smelt") != files(generate(_MODELS), "smelt")


def test_smelt_finds_nothing_wrong_and_knows_every_kind(tmp_path: Path) -> None:
    warehouse = generate(_MODELS)
    write(warehouse, "smelt", tmp_path / "smelt")
    binder = DuckDBBinder()
    try:
        analysis = analyze(read_project(tmp_path / "smelt"), binder)
    finally:
        binder.close()
    assert analysis.diagnostics == ()
    kinds = {str(model.model.address).rpartition(".")[2]: model.kind for model in analysis.models.values()}
    assert kinds == {model.name: model.kind for model in warehouse.models}
    assert set(kinds.values()) == {"view", "table", "succession"}


def test_models_are_of_the_size_and_shape_that_the_bars_speak_of() -> None:
    warehouse = generate(500)
    made = files(warehouse, "smelt")
    assert 450 < mean(len(made[model_file(model)]) for model in warehouse.models) < 600
    readers = [name for model in warehouse.models for name in model.parents]
    assert max(readers.count(model.name) for model in warehouse.models) > 15
    assert 6 <= max(model.level for model in warehouse.models) <= 10


@pytest.mark.parametrize(
    ("flavour", "reference"),
    [
        ("smelt", r"smelt\.\w+\.(\w+)"),
        ("sqlmesh", r"(?<=(?:FROM|JOIN) )(?:made|raw)\.(\w+)"),
        ("dbt", r"\{\{ (?:ref\('|source\('raw', ')(\w+)'\) \}\}"),
    ],
)
def test_the_queries_are_the_same_in_every_flavour(flavour: Flavour, reference: str) -> None:
    warehouse = generate(_MODELS)
    made = files(warehouse, flavour)
    for model in warehouse.models:
        assert re.sub(reference, r"«\1»", made[model_file(model)]).endswith(f"\n{model.sql}\n")


def test_dbt_knows_every_source_that_is_read() -> None:
    warehouse = generate(_MODELS)
    declared = json.loads(files(warehouse, "dbt")["models/sources.yml"])["sources"][0]["tables"]
    names = {table["name"] for table in declared}
    models = {model.name for model in warehouse.models}
    read = {name for model in warehouse.models for name in model.parents}
    assert read - models <= names


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError):
        write(generate(_MODELS), "smelt", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_too_few_models_are_refused() -> None:
    with pytest.raises(ValueError, match="ten models or more"):
        generate(9)
