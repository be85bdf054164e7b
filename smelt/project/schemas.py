"""The published JSON Schemas of the project's files."""

from smelt.project.grammar import json_schema

__all__ = ["json_schema"]
