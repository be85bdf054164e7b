"""``smelt.yml``: what the project is called, where its files lie, where it builds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from smelt.diagnostics.model import Diagnostic
from smelt.project import grammar
from smelt.project.interpolation import interpolate
from smelt.project.layout import DEFAULT_PATHS
from smelt.project.model import Marks, Probes, ProjectConfig, Target
from smelt.project.names import listed
from smelt.project.rules import invalid_value, missing_key, unknown_target, version_unsupported
from smelt.project.validation import validate
from smelt.project.yaml import Value, YamlFile, read_mapping
from smelt.text.spans import Span
from smelt.version import VERSION

_DROPPABLE = ("require", "version", "default_materialization", "state", "probes", "errors", "models")


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """``smelt.yml`` as read.

    Attributes:
        config: None if the file does not say where to build.
        paths: where files lie, known even if the rest of the file is unusable.
        overrides: its ``models:``, by the name written there.
        marks: where all that stands.
    """

    config: ProjectConfig | None
    paths: tuple[str, ...]
    overrides: Mapping[str, grammar.ModelFile]
    marks: Marks
    default_materialization: Literal["view", "table"]
    diagnostics: tuple[Diagnostic, ...]


def no_config(file: str, *found: Diagnostic) -> ConfigFile:
    """What holds without a ``smelt.yml``."""
    return ConfigFile(None, DEFAULT_PATHS, {}, Marks(file), "view", found)


def read_config(file: str, text: str, environment: Mapping[str, str]) -> ConfigFile:
    """The project's configuration, with ``${NAME}`` replaced from the environment."""
    yaml = read_mapping(file, text, Span(0, len(text)))
    if yaml.broken:
        return no_config(file, *yaml.diagnostics)
    given = interpolate(yaml, text, environment)
    result = validate(grammar.ProjectFile, yaml, given.values, droppable=_DROPPABLE)
    found = [*yaml.diagnostics, *given.diagnostics, *result.diagnostics]
    paths = _paths(given.values.get("paths"))
    spec = result.spec
    if spec is None:
        return ConfigFile(None, paths, {}, yaml.marks, "view", tuple(found))
    found += _findings(spec, yaml, text)
    target = _default_target(spec)
    config = _config(spec, target, paths, yaml.marks, given.secrets) if target in spec.targets else None
    return ConfigFile(config, paths, spec.models, yaml.marks, spec.default_materialization, tuple(found))


def source_paths(text: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The folders of a project's files, from the text of its ``smelt.yml`` alone: what a reader has to look into."""
    yaml = read_mapping("smelt.yml", text, Span(0, len(text)))
    return _paths(interpolate(yaml, text, environment).values.get("paths"))


def _paths(given: Value) -> tuple[str, ...]:
    """Folders relative to the root, without ``.`` and doubled slashes; those that leave it are left out."""
    if not isinstance(given, list):
        return DEFAULT_PATHS
    return tuple(dict.fromkeys(_normal(path) for path in given if isinstance(path, str) and not _leaves(path)))


def _normal(path: str) -> str:
    return "/".join(part for part in path.split("/") if part not in ("", "."))


def _leaves(path: str) -> bool:
    return path == "" or path.startswith(("/", "~")) or "\\" in path or ".." in path.split("/")


def _default_target(spec: grammar.ProjectFile) -> str | None:
    """The one that is named, else the only one there is."""
    if spec.default_target is not None:
        return spec.default_target
    return next(iter(spec.targets)) if len(spec.targets) == 1 else None


def _findings(spec: grammar.ProjectFile, yaml: YamlFile, text: str) -> Iterator[Diagnostic]:
    marks, written = yaml.marks, yaml.values
    if spec.default_target is not None:
        named = written.get("default_target")
        yield from unknown_target.check(marks.at("default_target"), spec.default_target, named, spec.targets)
    elif len(spec.targets) > 1:
        yield missing_key.finding(marks, (), "default_target")
    for index, path in enumerate(spec.paths):
        if _leaves(path):
            where = marks.at("paths", index)
            shown = where.span.of(text)
            yield invalid_value.finding(where, ("paths", index), shown, "a folder inside the project, such as models")
    if spec.require is not None:
        yield from version_unsupported.check(marks.at("require"), spec.require, written.get("require"), VERSION)


def _config(
    spec: grammar.ProjectFile, target: str | None, paths: tuple[str, ...], marks: Marks, secrets: frozenset[str]
) -> ProjectConfig:
    assert target is not None
    return ProjectConfig(
        name=spec.name,
        targets={name: _target(name, one) for name, one in spec.targets.items()},
        default_target=target,
        marks=marks,
        version=spec.version,
        require=spec.require,
        paths=paths,
        default_materialization=spec.default_materialization,
        state_mode=spec.state.mode,
        probes=Probes(spec.probes.cadence, spec.probes.every_n_runs),
        error_samples=spec.errors.samples,
        redacted=secrets,
    )


def _target(name: str, spec: grammar.TargetSpec) -> Target:
    return Target(
        name=name,
        type=spec.type,
        database=spec.database,
        schema=spec.schema_,
        settings=tuple(sorted(spec.settings.items())),
        extensions=listed(spec.extensions),
        init_sql=listed(spec.init_sql),
    )
