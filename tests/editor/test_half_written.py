"""Whatever is half-written, every feature answers, and in the text that is there."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from smelt.editor.complete import completions
from smelt.editor.definition import definition, highlights, references
from smelt.editor.hover import hover
from smelt.editor.ranges import folds, selections
from smelt.editor.readdress import NoRename
from smelt.editor.rename import prepare_rename, rename
from smelt.editor.session import Workspace
from smelt.editor.snapshot import Snapshot
from smelt.editor.symbols import document_symbols, project_symbols
from smelt.text.spans import Span
from tests.editor.literate import cases
from tests.editor.projects import MODEL, SOURCE, codes, look, make

EXAMPLES = Path(__file__).parents[2] / "examples"
_STEPS = 8
"""So many cuts of each text: at every one all features are asked."""


def texts() -> Iterator[tuple[str, str]]:
    """Files by the name they have in the default project: those of the examples, and the odd ones of the cases."""
    for path in sorted(EXAMPLES.rglob("*")):
        if path.suffix == ".sql":
            yield MODEL, path.read_text(encoding="utf-8")
        elif path.suffix == ".yml":
            yield ("smelt.yml" if path.name == "smelt.yml" else SOURCE), path.read_text(encoding="utf-8")
    for case in cases():
        if case.path.stem in ("navigation", "completion") and case.file in (MODEL, SOURCE, "smelt.yml"):
            yield case.file, case.files[case.file]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return look(Workspace(), make(tmp_path_factory.mktemp("half")))


def ask(snapshot: Snapshot, file: str, offset: int) -> None:
    text = snapshot.texts[file]
    for one in completions(snapshot, file, offset):
        assert 0 <= one.span.start <= one.span.end == offset
    for place in definition(snapshot, file, offset):
        assert place.span.end <= len(snapshot.texts.get(place.file, ""))
    for other in (*references(snapshot, file, offset), *highlights(snapshot, file, offset)):
        assert 0 <= other.span.start <= other.span.end <= len(snapshot.texts[other.file])
    with suppress(NoRename):
        prepare_rename(snapshot, file, offset)
        rename(snapshot, file, offset, "another")
    hover(snapshot, file, offset)
    folds(snapshot, file)
    assert selections(snapshot, file, offset)[-1] == Span(0, len(text))


@pytest.mark.parametrize(("file", "text"), list(texts()))
def test_no_cut_of_a_text_is_too_odd_for_any_feature(whole: Snapshot, file: str, text: str) -> None:
    for step in range(_STEPS + 1):
        cut = len(text) * step // _STEPS
        begun = replace(whole, texts={**whole.texts, file: text[:cut]})
        ask(begun, file, cut)
        missing = replace(whole, texts={**whole.texts, file: text[:cut] + text[cut + 9 :]})
        ask(missing, file, cut)
        document_symbols(missing, file)


def test_a_project_that_could_not_be_looked_at_has_no_answers(whole: Snapshot) -> None:
    failed = replace(whole, analysis=None, columns={}, addresses={})
    ask(failed, MODEL, 5)
    assert completions(failed, MODEL, 5) == ()
    assert document_symbols(failed, MODEL) == project_symbols(failed, "") == ()


@pytest.mark.parametrize("begun", ["", "succ", "---\nrefresh: incremental\n---\n\n"])
def test_the_model_that_is_offered_has_no_findings(tmp_path: Path, begun: str) -> None:
    root = make(tmp_path)
    workspace = Workspace()
    workspace.put(root / "models/new.sql", begun, 1)
    offered = completions(look(workspace, root), "models/new.sql", len(begun))
    first = next(one for one in offered if one.label == "succession over sources.customer_changes")
    workspace.put(root / "models/new.sql", begun[: first.span.start] + first.text, 2)
    snapshot = look(workspace, root)
    assert codes(snapshot, "models/new.sql") == []
    analysis = snapshot.model("models/new.sql")
    assert analysis is not None
    assert analysis.kind == "succession"
    choices = first.snippet.replace("${1|customer_id|}", "customer_id").replace("${1:customer_id}", "customer_id")
    assert choices.replace("$0", "") == first.text


def test_queries_within_queries_are_looked_through_once(tmp_path: Path) -> None:
    """Each of these reads the one before twice: looked through again and again, it would take for ever."""
    steps = ", ".join(f"a{n} AS (SELECT l.* FROM a{n - 1} AS l JOIN a{n - 1} AS r USING (tier))" for n in range(1, 40))
    query = f"WITH a0 AS (SELECT * FROM smelt.sources.customer_changes), {steps} SELECT l.region FROM a39 AS l"
    workspace, root = Workspace(), make(tmp_path)
    workspace.put(root / "models/steps.sql", query, 1)
    snapshot = look(workspace, root)
    (place,) = definition(snapshot, "models/steps.sql", query.index("l.region") + 3)
    assert (place.file, place.span.of(snapshot.texts[SOURCE])) == (SOURCE, "region")


def test_a_query_that_reads_itself_gives_what_it_gives_before(tmp_path: Path) -> None:
    query = (
        "WITH RECURSIVE r AS (SELECT tier, 1 AS n FROM smelt.sources.customer_changes "
        "UNION ALL SELECT r.tier, r.n + 1 FROM r WHERE r.n < 3) SELECT tier, n FROM r"
    )
    workspace, root = Workspace(), make(tmp_path)
    workspace.put(root / "models/steps.sql", query, 1)
    snapshot = look(workspace, root)
    (place,) = definition(snapshot, "models/steps.sql", query.index("r.n < 3") + 2)
    assert query[place.span.start - 5 : place.span.end] == "1 AS n"


@pytest.mark.parametrize(
    "text",
    [
        "SELECT " + "(" * 2000 + "1" + ")" * 2000,
        "SELECT (" * 2000,
        " UNION ".join(["SELECT (a) FROM smelt.t"] * 900),
        "SELECT a FROM (" * 900 + "t" + ")" * 900,
        "SELECT a. FROM " * 900,
        "SELECT 'a\n" * 900,
        "WITH " + ", ".join(f"a{n} AS (SELECT x FROM a{n - 1})" for n in range(1, 400)) + " SELECT x FROM a399",
    ],
    ids=["brackets", "open brackets", "unions", "nests", "dots", "quotes", "steps"],
)
def test_a_text_that_nobody_wrote_ends_in_answers(whole: Snapshot, text: str) -> None:
    begun = replace(whole, texts={**whole.texts, MODEL: text})
    completions(begun, MODEL, len(text) // 2)
    completions(begun, MODEL, len(text))
    folds(begun, MODEL)
    document_symbols(begun, MODEL)
    definition(begun, MODEL, len(text) // 2)
