"""A manifest as text while its run goes on: each model is put into words once, not at every write. Pure."""

import json
from bisect import insort
from collections.abc import Mapping
from dataclasses import replace

from smelt.state.codec import manifest_to_json, model_to_json
from smelt.state.documents import JsonObject, encode, text_of
from smelt.state.records import Manifest, ModelRecord, TestOutcome

_INDENT = "  "


class GrowingManifest:
    """The parts of one manifest's text that are many and stay as they are: its selection and its models."""

    def __init__(self, head: Manifest) -> None:
        self._selection = _deeper(text_of(list(head.selection)))
        self._names: list[str] = []
        self._models: dict[str, str] = {}
        for name, record in head.models.items():
            self.put(name, record)

    def put(self, name: str, record: ModelRecord) -> None:
        """Note how a model ended, in the place of what was noted before."""
        if name not in self._models:
            insort(self._names, name)
        self._models[name] = f"{_INDENT * 2}{_name(name)}: {_deeper(_deeper(text_of(model_to_json(record))))}"

    def encode(self, head: Mapping[str, object]) -> bytes:
        """The manifest's bytes: ``head``, with selection and models in their places."""
        whole = encode({**head, "models": None, "selection": None}).decode()
        for key, text in (("models", self._models_text()), ("selection", self._selection)):
            # A line end never stands inside a JSON string, so this is the field itself.
            whole = whole.replace(f'\n{_INDENT}"{key}": null', f'\n{_INDENT}"{key}": {text}', 1)
        return whole.encode("utf-8", errors="backslashreplace")

    def _models_text(self) -> str:
        if not self._names:
            return "{}"
        return "{\n" + ",\n".join(self._models[name] for name in self._names) + f"\n{_INDENT}}}"


def head_of(manifest: Manifest, tests: Mapping[str, TestOutcome]) -> JsonObject:
    """The fields of a manifest that are few, with what its tests came to."""
    return manifest_to_json(replace(manifest, selection=(), models={}, tests=tests))


def _name(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _deeper(text: str) -> str:
    """A JSON text, one level further in."""
    return text.replace("\n", f"\n{_INDENT}")
