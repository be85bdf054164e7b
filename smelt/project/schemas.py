"""The published JSON Schemas of the project's files."""

from smelt.project.grammar import GrammarKind, json_schema

__all__ = ["GrammarKind", "json_schema"]
