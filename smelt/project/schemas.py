"""The published JSON Schemas of the project's files."""

from smelt.project.grammar import NOT_YET, GrammarKind, json_schema

__all__ = ["NOT_YET", "GrammarKind", "json_schema"]
