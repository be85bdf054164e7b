"""A few hundred projects that nobody wrote; ``python benches/fuzz.py`` tries as many as there is time for."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smelt.engines.binder import DuckDBBinder
from tests.fuzz.corpus import Kind, bases
from tests.fuzz.mutation import Mutant, mutant
from tests.fuzz.promises import keeps


@pytest.fixture(scope="module")
def binder() -> Iterator[DuckDBBinder]:
    opened = DuckDBBinder()
    yield opened
    opened.close()


@pytest.mark.parametrize("kind", ["sql", "yaml"])
def test_the_corpus_itself_keeps_every_promise(kind: Kind, binder: DuckDBBinder) -> None:
    small = [base for base in bases() if base.of(kind)][:: 20 if kind == "sql" else 60]
    assert len(small) > 5
    for base in small:
        keeps(Mutant(base.files, base.of(kind)), binder)


@pytest.mark.parametrize("kind", ["sql", "yaml"])
@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(random=st.randoms(use_true_random=False))
def test_a_changed_text_keeps_every_promise(kind: Kind, random: Random, binder: DuckDBBinder) -> None:
    keeps(mutant(random, kind), binder)


@pytest.mark.parametrize("file", ["smelt.yml", "models/customer_history.sql", "models/sources/customer_changes.yml"])
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=st.text(max_size=200))
def test_any_text_keeps_every_promise(file: str, text: str, binder: DuckDBBinder) -> None:
    keeps(Mutant({**bases()[0].files, file: text}, (file,)), binder)


@pytest.mark.parametrize("file", ["smelt.yml", "models/labelled.sql", "models/labels.yml"])
def test_half_a_character_anywhere_is_told(file: str, binder: DuckDBBinder) -> None:
    text = bases()[0].files[file]
    for at in range(0, len(text), max(len(text) // 10, 1)):
        changed = text[:at] + "\udfff" + text[at:]
        found = keeps(Mutant({**bases()[0].files, file: changed}, (file,)), binder)
        assert any(one.location.file == file and "half a character" in one.message for one in found)
