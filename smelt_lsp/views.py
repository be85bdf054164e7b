"""Requests of smelt's own, beside the protocol's: what a client shows in documents and pictures of its own.

- `smelt/explainModel` takes a `textDocument` and answers `model`, `text`, `refused` and `root`, the URI of the
  project's folder; null if the file holds no model.
- `smelt/compiledSql`: the same, with the model's statements as `text`.
- `smelt/timeline`: `model`, `key`, `clock`, `text`, `nodes`, `edges`, `root`; null if the file holds no model.
- `smelt/graph`: a list of graphs, each `project`, `nodes`, `edges`; a node has a `uri`.
- `smelt/checkProject`: a list of numbers, each `project`, `models`, `errors`, `warnings`, `files`.

In the last two the document may be left out; then the answer is about every project. A check reads the project from
disk anew. The records are those of `smelt.editor.views` and `smelt.editor.timeline`, as JSON.
"""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from smelt.editor.session import Workspace
from smelt.editor.snapshot import Place, Snapshot
from smelt_lsp import asking
from smelt_lsp.documents import Documents

Json = dict[str, Any]


class Server(asking.Server):
    """What the views need of the server."""

    editor: Workspace
    documents: Documents

    def changed(self, place: Place | None) -> None:
        """A file has another text: look at its project again."""
        raise NotImplementedError


def register(server: Server) -> None:
    """Answer the requests of this module."""
    feature = server.feature
    feature("smelt/explainModel")(_explain_model)
    feature("smelt/compiledSql")(_compiled_sql)
    feature("smelt/timeline")(_timeline)
    feature("smelt/graph")(_graph)
    feature("smelt/checkProject")(_check_project)


async def _explain_model(server: Server, params: object) -> Json | None:
    from smelt.editor.views import explained

    return await _of_file(server, params, explained)


async def _compiled_sql(server: Server, params: object) -> Json | None:
    from smelt.editor.views import compiled_sql

    return await _of_file(server, params, compiled_sql)


async def _timeline(server: Server, params: object) -> Json | None:
    from smelt.editor.timeline import timeline

    return await _of_file(server, params, timeline)


async def _of_file(server: Server, params: object, view: Callable[[Snapshot, str], Any]) -> Json | None:
    uri = _document(params)
    found = await server.snapshot(uri) if uri is not None else None
    if found is None:
        return None
    place, snapshot, _ = found
    told = view(snapshot, place.file)
    return {**asdict(told), "root": place.root.as_uri()} if told is not None else None


async def _graph(server: Server, params: object) -> list[Json]:
    from smelt.editor.views import graph

    answer = []
    for uri in _named(server, params):
        found = await server.settled(uri)
        if found is not None:
            _, snapshot, converter = found
            drawn = asdict(graph(snapshot))
            for node in drawn["nodes"]:
                node["uri"] = converter.uri(node.pop("file"))
            answer.append(drawn)
    return answer


async def _check_project(server: Server, params: object) -> list[Json]:
    from smelt.editor.views import checked, project_file

    answer = []
    for uri in _named(server, params):
        place = server.documents.place(uri)
        if place is None:
            continue
        server.editor.touch(project_file(place.root))
        server.changed(Place(place.root, place.file))
        found = await server.settled(uri)
        if found is not None:
            answer.append(asdict(checked(found[1])))
    server.ask_to_ask_again()
    return answer


def _document(params: object) -> str | None:
    """The URI in the parameters; pygls hands those of unknown methods over as plain attributes."""
    uri = getattr(getattr(params, "textDocument", None), "uri", None)
    return uri if isinstance(uri, str) else None


def _named(server: Server, params: object) -> list[str]:
    """A document for every project that is asked about."""
    from smelt.editor.views import project_file

    uri = _document(params)
    return [uri] if uri is not None else [project_file(root).as_uri() for root in server.editor.roots()]
