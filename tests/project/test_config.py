"""``smelt.yml``: values, variables that are never shown, and one exact finding for each fault."""

import pytest

from smelt.project.config import source_paths
from smelt.project.model import Probes, Target
from smelt.version import VERSION
from tests.project.loading import SETUP, load, mended, only, shown

TARGETS = "targets:\n  dev: {type: duckdb}\n"


def test_every_key_is_read() -> None:
    text = """\
name: shop
version: 1
require: ">=0.1, <99"
paths: [./sql//models/, seeds]
targets:
  dev:
    type: duckdb
    database: target/a.duckdb
    schema: s
    settings: {threads: 4, memory_limit: 1GB, preserve_insertion_order: false}
    extensions: httpfs
    init_sql: [SELECT 1, SELECT 2]
  prod: {database: target/b.duckdb}
default_target: prod
default_materialization: table
state: {mode: environments}
probes: {cadence: per_run, every_n_runs: 3}
errors: {samples: 0}
"""
    project = load({"smelt.yml": text})
    assert project.diagnostics == ()
    config = project.config
    assert config is not None
    assert config.targets["dev"] == Target(
        "dev",
        database="target/a.duckdb",
        schema="s",
        settings=(("memory_limit", "1GB"), ("preserve_insertion_order", "false"), ("threads", "4")),
        extensions=("httpfs",),
        init_sql=("SELECT 1", "SELECT 2"),
    )
    assert (config.name, config.require, config.default_target) == ("shop", ">=0.1, <99", "prod")
    assert (config.paths, config.default_materialization) == (("sql/models", "seeds"), "table")
    assert (config.state_mode, config.probes, config.error_samples) == ("environments", Probes("per_run", 3), 0)


def test_defaults() -> None:
    config = load().config
    assert config is not None
    assert (config.default_target, config.paths, config.state_mode) == ("dev", ("models",), "intervals")
    assert (config.probes, config.error_samples, config.default_materialization) == (Probes(), 5, "view")


@pytest.mark.parametrize(
    ("text", "code", "place", "words"),
    [
        (TARGETS, "MissingKey", "", "add `name:`"),
        ("name: a\n", "MissingKey", "", "add `targets:`"),
        ("name: a\ntargets: {}\n", "InvalidValue", "{}", "at least one"),
        ("name: a\ntargets: [dev]\n", "InvalidValue", "[dev]", "a mapping"),
        ("name: a\ntargets:\n", "InvalidValue", "", "a mapping"),
        ("name: a\ntargets: {dev: {type: postgres}}\n", "InvalidValue", "postgres", "give duckdb"),
        ("name: a\ntargets: {dev: {databse: x}}\n", "UnknownKey", "databse", "`database`"),
        ("name: a\ntargets: {dev: {settings: {threads: [4]}}}\n", "InvalidValue", "[4]", "a text"),
        ("name: a\ntargets: {a: {}, b: {}}\n", "MissingKey", "", "add `default_target:`"),
        (SETUP + "default_target: deev\n", "UnknownTarget", "deev", "`dev`"),
        (SETUP + "verion: 1\n", "UnknownKey", "verion", "`version`"),
        (SETUP + "version: 2\n", "InvalidValue", "2", "give 1"),
        (SETUP + "require: soon\n", "InvalidValue", "soon", ">=0.3,<1"),
        (SETUP + "require: 0.3\n", "InvalidValue", "0.3", "a text"),
        (SETUP + 'require: ">=99"\n', "VersionUnsupported", '">=99"', "change `require:`"),
        (SETUP + "paths: []\n", "InvalidValue", "[]", "at least one"),
        (SETUP + "paths: models\n", "InvalidValue", "models", "a list"),
        (SETUP + "paths: [models, ../other]\n", "InvalidValue", "../other", "inside the project"),
        (SETUP + "paths: [/etc]\n", "InvalidValue", "/etc", "inside the project"),
        (SETUP + 'paths: ["mo\\0dels"]\n', "InvalidValue", '"mo\\0dels"', "on one line"),
        ('name: "a\\nb"\ntargets: {a: {}}\n', "InvalidValue", '"a\\nb"', "on one line"),
        ('name: a\ntargets: {dev: {database: "new\\0b"}}\n', "InvalidValue", '"new\\0b"', "without control characters"),
        ('name: a\ntargets: {dev: {schema: "a\\eb"}}\n', "InvalidValue", '"a\\eb"', "without control characters"),
        (SETUP + "default_materialization: tabel\n", "InvalidValue", "tabel", "`table`"),
        (SETUP + "state: {mode: interval}\n", "InvalidValue", "interval", "`intervals`"),
        (SETUP + "probes: {every_n_runs: 0}\n", "InvalidValue", "0", "at least 1"),
        (SETUP + "errors: {samples: -1}\n", "InvalidValue", "-1", "at least 0"),
        (SETUP + "errors: {samples: true}\n", "InvalidValue", "true", "a whole number"),
        (SETUP + "models: {timeseries: {foo: 1}}\n", "UnknownKey", "foo", "known keys: refresh"),
        (SETUP + "name: b\n", "YamlDuplicateKey", "name", "keep one"),
        ("name: [a\n", "YamlSyntax", "[a", "close it with `]`"),
    ],
)
def test_one_fault_is_one_finding_at_its_place(text: str, code: str, place: str, words: str) -> None:
    files = {"smelt.yml": text, "models/timeseries.sql": "SELECT 1 AS one"}
    project = load(files)
    assert shown(project) == [(code, "smelt.yml", place)]
    assert words in only(project).help


@pytest.mark.parametrize(
    "fault", ["default_target: deev\n", "verion: 1\n", "state: {mode: interval}\n", "state: {mod: stateless}\n"]
)
def test_a_typing_error_is_mended_by_a_safe_fix(fault: str) -> None:
    project = load({"smelt.yml": SETUP + fault})
    assert [fix.safe for fix in only(project).fixes] == [True]
    assert load(mended(project, only(project))).diagnostics == ()


@pytest.mark.parametrize("fault", ["errors: {samples: -1}\n", "verion: 1\n", "name: twice\n", "models: 5\n"])
def test_a_fault_beside_what_a_build_needs_leaves_the_rest_usable(fault: str) -> None:
    project = load({"smelt.yml": SETUP + fault})
    assert project.config is not None
    assert project.config.targets["dev"].database == "target/dev.duckdb"


@pytest.mark.parametrize("text", ["paths: [sql]\n", "name: a\npaths: [sql]\ntargets: {dev: {type: x}}\n"])
def test_models_are_found_though_nothing_can_be_built(text: str) -> None:
    project = load({"smelt.yml": text, "sql/m.sql": "SELECT 1 AS one"})
    assert project.config is None
    assert [str(address) for address in project.models] == ["m"]


def test_without_the_file_there_is_one_finding() -> None:
    from smelt.project.load import load_project

    project = load_project({"models/m.sql": "SELECT 1 AS one"})
    assert [one.code.name for one in project.diagnostics] == ["ProjectFileMissing"]
    assert [str(address) for address in project.models] == ["m"]
    unreadable = load_project({}, unreadable={"smelt.yml": "it is a riddle"})
    assert [one.code.name for one in unreadable.diagnostics] == ["FileUnreadable"]


def test_variables_are_replaced_in_texts_and_kept_secret() -> None:
    text = """\
name: ${WHO}
targets:
  dev: {database: "target/${WHO}-$$x-$y.duckdb", init_sql: ["SET x = '${TOKEN}'", "${NONE}SELECT 1"]}
"""
    project = load({"smelt.yml": text}, environment={"WHO": "ann", "TOKEN": "s3cret", "NONE": "", "OTHER": "o"})
    assert project.diagnostics == ()
    config = project.config
    assert config is not None
    assert config.name == "ann"
    assert config.targets["dev"].database == "target/ann-$x-$y.duckdb"
    assert config.targets["dev"].init_sql == ("SET x = 's3cret'", "SELECT 1")
    assert config.redacted == {"ann", "s3cret"}


def test_each_missing_variable_is_named_at_its_own_place() -> None:
    text = SETUP + "errors: {samples: 3}\n" + "require: '${A}${B}'\n"
    text = text.replace("target/dev.duckdb", '"${HOME}/$${NOT}/${A}.duckdb"')
    project = load({"smelt.yml": text}, environment={"HOME": "/h"})
    found = [one for one in project.diagnostics if one.code.name == "UndefinedVariable"]
    assert [one.location.span.of(text) for one in found] == ["${A}", "${A}", "${B}"]
    assert [one.message.split("which ")[1] for one in found] == [
        "`targets.dev.database` needs",
        "`require` needs",
        "`require` needs",
    ]


def test_a_path_through_a_list_shows_its_index() -> None:
    project = load({"smelt.yml": SETUP.replace("database: target/dev.duckdb", 'init_sql: [a, "${A}"]')})
    assert "`targets.dev.init_sql[1]` needs" in only(project).message


@pytest.mark.parametrize("odd", ["${}", "${a-b}", "${1}", "${open"])
def test_what_looks_like_a_variable_and_is_none(odd: str) -> None:
    project = load({"smelt.yml": SETUP.replace("target/dev.duckdb", f'"x {odd}"')})
    assert [(code, text.rstrip('"')) for code, _, text in shown(project)] == [("InvalidValue", odd)]
    assert "$$" in only(project).help


@pytest.mark.parametrize(
    "text",
    [
        SETUP + "default_target: ${SECRET}\n",
        SETUP + "require: ${SECRET}\n",
        SETUP + "state: {mode: '${SECRET}'}\n",
        SETUP + "paths: ['../${SECRET}']\n",
        SETUP + "errors: {samples: '${SECRET}'}\n",
        SETUP.replace("type: duckdb", "type: ${SECRET}x"),
    ],
)
def test_no_message_shows_a_secret(text: str) -> None:
    project = load({"smelt.yml": text}, environment={"SECRET": "hunter2"})
    assert project.diagnostics
    for one in project.diagnostics:
        assert "hunter2" not in f"{one.message} {one.help} {one.label} {one.fixes}"


@pytest.mark.parametrize(
    ("require", "admitted"),
    [
        (f"=={VERSION}", True),
        (f"!={VERSION}", False),
        (f">={VERSION}", True),
        (f">{VERSION}", False),
        (f"<={VERSION}", True),
        (f"<{VERSION}", False),
        (f"~={VERSION}", True),
        ("~=0.1", True),
        ("~=0.1.0", False),
        (">=0", True),
        (">=0.1,<0.2", False),
        (" >= 0.1 , < 99 ", True),
    ],
)
def test_require(require: str, admitted: bool) -> None:
    found = load({"smelt.yml": SETUP + f'require: "{require}"\n'}).diagnostics
    assert [one.code.name for one in found] == ([] if admitted else ["VersionUnsupported"])


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("", ("models",)),
        ("paths: [a, a/, ./a, .]", ("a", "")),
        ("paths: ['${P}/x', /etc, ..]", ("p/x",)),
        ("paths: a", ("models",)),
        ("paths: [", ("models",)),
    ],
)
def test_folders_are_known_from_the_text_alone(text: str, paths: tuple[str, ...]) -> None:
    assert source_paths(text, {"P": "p"}) == paths
