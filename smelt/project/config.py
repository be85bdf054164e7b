"""``smelt.yml``: interpolation, the targets, what the project asks of smelt."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from smelt.diagnostics.model import Diagnostic, report
from smelt.project import grammar
from smelt.project.declare import validate
from smelt.project.model import KeyPath, Marks, Probes, ProjectConfig, Target
from smelt.project.rules import invalid_value, undefined_variable, unknown_target, version_unsupported
from smelt.project.yaml import Value, YamlFile
from smelt.text.identifiers import did_you_mean
from smelt.version import VERSION

_VARIABLE = re.compile(r"\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_REQUIREMENT = re.compile(r"\s*(>=|<=|==|!=|>|<|~=)\s*(\d+(?:\.\d+)*)\s*")


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """``smelt.yml`` as read. ``config`` is None if it is unusable; ``overrides`` are its ``models:``."""

    config: ProjectConfig | None
    overrides: Mapping[str, grammar.ModelFile]
    diagnostics: tuple[Diagnostic, ...]


def config_of(file: YamlFile, environment: Mapping[str, str]) -> ConfigFile:
    """The project's configuration, with ``${NAME}`` replaced from the environment."""
    found: list[Diagnostic] = list(file.diagnostics)
    secrets: set[str] = set()
    values = _interpolated(file.values, (), file.marks, environment, secrets, found)
    if not isinstance(values, dict) or found:
        return ConfigFile(None, {}, tuple(found))
    spec, problems = validate(grammar.ProjectFile, values, file.marks)
    if spec is None:
        return ConfigFile(None, {}, (*found, *problems))
    target = spec.default_target or (next(iter(spec.targets)) if len(spec.targets) == 1 else "")
    found += _findings(spec, file.marks, target)
    if target not in spec.targets:
        return ConfigFile(None, {}, tuple(found))
    config = ProjectConfig(
        name=spec.name,
        targets={name: _target(name, one) for name, one in spec.targets.items()},
        default_target=target,
        marks=file.marks,
        version=spec.version,
        require=spec.require,
        paths=tuple(path.strip("/") for path in spec.paths),
        default_materialization=spec.default_materialization,
        state_mode=spec.state.mode,
        probes=Probes(spec.probes.cadence, spec.probes.every_n_runs),
        error_samples=spec.errors.samples,
        redacted=frozenset(secrets),
    )
    return ConfigFile(config, spec.models, tuple(found))


def _interpolated(
    value: Value,
    path: KeyPath,
    marks: Marks,
    environment: Mapping[str, str],
    secrets: set[str],
    found: list[Diagnostic],
) -> Value:
    if isinstance(value, dict):
        return {k: _interpolated(v, (*path, k), marks, environment, secrets, found) for k, v in value.items()}
    if isinstance(value, list):
        return [_interpolated(v, (*path, i), marks, environment, secrets, found) for i, v in enumerate(value)]
    if not isinstance(value, str) or "$" not in value:
        return value

    def replacement(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            return "$"
        if name not in environment:
            where = ".".join(str(part) for part in path)
            found.append(report(undefined_variable.CODE, marks.at(*path), name=name, path=where))
            return ""
        secrets.add(environment[name])
        return environment[name]

    return _VARIABLE.sub(replacement, value)


def _target(name: str, spec: grammar.TargetSpec) -> Target:
    return Target(
        name=name,
        type=spec.type,
        database=spec.database,
        schema=spec.schema_,
        settings=tuple(sorted(spec.settings.items())),
        extensions=tuple(spec.extensions),
        init_sql=tuple(spec.init_sql),
    )


def _findings(spec: grammar.ProjectFile, marks: Marks, target: str) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    if spec.version != 1:
        problem = f"`version` cannot be `{spec.version}`"
        found.append(report(invalid_value.CODE, marks.at("version"), problem=problem, suggestion="give 1"))
    if target not in spec.targets:
        hint = did_you_mean(target, spec.targets) or "one of " + ", ".join(spec.targets)
        found.append(report(unknown_target.CODE, marks.at("default_target"), target=target, suggestion=hint))
    for path in spec.paths:
        if path.startswith("/") or ".." in path.split("/"):
            problem = f"the path `{path}` leaves the project"
            found.append(
                report(invalid_value.CODE, marks.at("paths"), problem=problem, suggestion="give a folder in it")
            )
    if spec.require is not None:
        found += _version_findings(spec.require, marks)
    return found


def _version_findings(require: str, marks: Marks) -> list[Diagnostic]:
    have = _numbers(VERSION)
    for part in require.split(","):
        match = _REQUIREMENT.fullmatch(part)
        if match is None:
            problem = f"`require` cannot be `{require}`"
            where = marks.at("require")
            return [report(invalid_value.CODE, where, problem=problem, suggestion="give a range such as >=0.3,<1")]
        if not _admits(have, match[1], _numbers(match[2])):
            return [report(version_unsupported.CODE, marks.at("require"), wanted=require, have=VERSION)]
    return []


def _numbers(version: str) -> tuple[int, ...]:
    numbers = tuple(int(part) for part in re.findall(r"\d+", version))[:3]
    return numbers + (0,) * (3 - len(numbers))


def _admits(have: tuple[int, ...], operator: str, wanted: tuple[int, ...]) -> bool:
    if operator == "~=":
        return have >= wanted and have[0] == wanted[0]
    return {
        ">=": have >= wanted,
        "<=": have <= wanted,
        "==": have == wanted,
        "!=": have != wanted,
        ">": have > wanted,
        "<": have < wanted,
    }[operator]
