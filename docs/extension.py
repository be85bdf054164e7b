"""The manifest of the VS Code extension and its JSON Schemas, from what the Python side has.

``python docs/generate.py`` writes them along with the pages. In ``vscode-extension/package.json`` the version and all
of ``contributes`` are written here; the rest of the file is its own.
"""

import json
from pathlib import Path
from typing import Any, Literal

from smelt.cli import catalog
from smelt.project.layout import PROJECT_FILE
from smelt.project.schemas import json_schema
from smelt.version import VERSION
from smelt_lsp.main import LOG_LEVELS

EXTENSION = Path(__file__).parents[1] / "vscode-extension"
KINDS: tuple[Literal["project", "model", "source"], ...] = ("project", "model", "source")
CATEGORY = "Smelt"
IS_SQL = "resourceExtname == .sql"
"""By its name: another extension may have given the file a language of its own."""
EXPLANATION = "smelt-explanation"
"""The language of what *Explain Model* opens, which is no file: its long lines wrap."""
AWAKE = "smelt.phase && smelt.phase != asleep"
"""There is a project, and so a server or the reason why there is none."""

Json = dict[str, Any]


def files(manifest: str, lock: str) -> dict[str, str]:
    """The text of each written file by its path under ``vscode-extension``.

    Args:
        manifest: ``package.json`` as it is; what is not written here is kept.
        lock: ``package-lock.json`` as it is; its versions of the extension are written.
    """
    return {
        "package.json": _json(_manifest(json.loads(manifest))),
        "package-lock.json": _json(_lock(json.loads(lock))),
        **{f"schemas/{kind}.json": _json(_steady(json_schema(kind))) for kind in KINDS},
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _steady(schema: Any) -> Any:
    """A schema as the newest pydantic writes it: older ones repeat a ``const`` as an ``enum``."""
    if isinstance(schema, dict):
        repeated = "const" in schema and schema.get("enum") == [schema["const"]]
        return {key: _steady(value) for key, value in schema.items() if not (repeated and key == "enum")}
    return [_steady(one) for one in schema] if isinstance(schema, list) else schema


def _manifest(present: Json) -> Json:
    return {**present, "version": VERSION, "contributes": contributes()}


def _lock(present: Json) -> Json:
    packages = present["packages"]
    return {**present, "version": VERSION, "packages": {**packages, "": {**packages[""], "version": VERSION}}}


def contributes() -> Json:
    """What the extension adds to VS Code. No language of files: a ``.sql`` file stays what the editor says it is."""
    return {
        "languages": [{"id": EXPLANATION, "aliases": ["Smelt explanation"]}],
        "configurationDefaults": {
            f"[{EXPLANATION}]": {
                "editor.wordWrap": "on",
                "editor.wrappingIndent": "deepIndent",
                "editor.lineNumbers": "off",
            }
        },
        "commands": commands(),
        "menus": menus(),
        "configuration": {"title": "smelt", "properties": settings()},
        "yamlValidation": [{"fileMatch": PROJECT_FILE, "url": "./schemas/project.json"}],
        "grammars": [
            {
                "scopeName": "smelt.frontmatter",
                "path": "./grammars/frontmatter.json",
                "injectTo": ["source.sql"],
                "embeddedLanguages": {"meta.embedded.block.smelt": "yaml"},
            }
        ],
        "viewsContainers": {"panel": [{"id": "smelt", "title": "Smelt", "icon": "images/view.svg"}]},
        "views": {
            "smelt": [
                {
                    "id": "smelt.timeline",
                    "name": "Succession Timeline",
                    "type": "webview",
                    "icon": "images/view.svg",
                    "when": AWAKE,
                }
            ]
        },
        "walkthroughs": [walkthrough()],
    }


def commands() -> list[Json]:
    """The commands; those of the terminal are described as the command line describes them."""
    titles = {
        "smelt.explainModel": "Explain Model",
        "smelt.showCompiledSql": "Show Compiled SQL",
        "smelt.openModel": "Open Model",
        "smelt.showGraph": "Show Graph",
        "smelt.showTimeline": "Show Succession Timeline",
        "smelt.checkProject": "Check Project",
        "smelt.restartServer": "Restart Server",
        "smelt.showServerLog": "Show Server Log",
        "smelt.selectInterpreter": "Select Interpreter",
        "smelt.install": "Install smelt in the Interpreter",
        "smelt.init": "New Project in This Folder",
    }
    terminal = {"smelt.run": "Run", "smelt.explain": "Explain", "smelt.verify": "Verify"}
    for command, verb in terminal.items():
        if catalog.find(command.removeprefix("smelt.")) is None:
            raise ValueError(f"{command} has no command behind it")
        titles[command] = f"{verb} Model in Terminal"
    icons = {"smelt.explainModel": "$(info)", "smelt.showGraph": "$(type-hierarchy)"}
    return [
        {"command": command, "title": title, "category": CATEGORY}
        | ({"icon": icons[command]} if command in icons else {})
        for command, title in titles.items()
    ]


def menus() -> Json:
    """Where commands are offered. Those that ask the server wait for it, so none is hidden while it starts."""
    of_model = ("smelt.explainModel", "smelt.showCompiledSql", "smelt.run", "smelt.explain", "smelt.verify")
    anywhere = f"{IS_SQL} || {AWAKE}"
    in_context = ("smelt.explainModel", "smelt.showCompiledSql", "smelt.showTimeline")
    return {
        "commandPalette": [{"command": command, "when": anywhere} for command in of_model],
        "editor/context": [
            {"command": command, "when": f"{IS_SQL} && {AWAKE}", "group": f"smelt@{place}"}
            for place, command in enumerate(in_context, 1)
        ],
    }


def settings() -> Json:
    """The settings. All begin with ``smelt.``: a change of any other restarts nothing."""
    return {
        "smelt.interpreter": {
            "type": "string",
            "default": "",
            "scope": "machine-overridable",
            "order": 1,
            "markdownDescription": "The Python that smelt is installed in. Empty: the choice of the Python extension, "
            "else `.venv` in the folder, else `python3`. A path may begin with `${workspaceFolder}` or `~`; a relative "
            "one starts from the workspace folder. One server serves all folders: the first one's setting counts.",
        },
        "smelt.package": {
            "type": "string",
            "default": "smelt-lsp",
            "scope": "window",
            "order": 2,
            "markdownDescription": "What *Install smelt in the Interpreter* gives to `pip install`: a name, a version "
            "such as `smelt-lsp==" + VERSION + "`, the path of a wheel, or that of a folder with smelt's sources.",
        },
        "smelt.logLevel": {
            "type": "string",
            "enum": list(LOG_LEVELS),
            "default": "warning",
            "scope": "window",
            "order": 3,
            "description": "How much the server writes to its log.",
        },
        "smelt.trace.server": {
            "type": "string",
            "enum": ["off", "messages", "verbose"],
            "default": "off",
            "scope": "window",
            "order": 4,
            "description": "Write the messages between the editor and the server to the log.",
        },
    }


def walkthrough() -> Json:
    """The first steps, for somebody who has never seen a model.

    They are ticked by what was brought about (``vscode-extension/src/progress.ts``), not by a command that was tried.
    """

    def step(name: str, title: str, description: str) -> Json:
        return {
            "id": name,
            "title": title,
            "description": description,
            "media": {"markdown": f"walkthrough/{name}.md"},
            "completionEvents": [f"onContext:smelt.done.{name}"],
        }

    return {
        "id": "start",
        "title": "Get started with smelt",
        "description": "From an empty folder to a history table that keeps itself right.",
        "steps": [
            step(
                "install",
                "Install smelt",
                "The extension uses the smelt of your Python.\n"
                "[Install](command:smelt.install)\n[Select another Python](command:smelt.selectInterpreter)",
            ),
            step(
                "project",
                "Make a project",
                "Models, a source and a little data.\n[New project](command:smelt.init)",
            ),
            step(
                "refusal",
                "See a refusal, and mend it",
                "Change one line of a model so that it cannot be kept, and let a quick fix mend it.\n"
                "[Open the model](command:smelt.openModel?%22customer_history%22)",
            ),
            step(
                "explain",
                "See what one event does",
                "What the model is, and which rows a new event patches.\n"
                "[Explain the model](command:smelt.explainModel)\n[Show the timeline](command:smelt.showTimeline)",
            ),
            step(
                "run",
                "Run and verify it",
                "Build the table, then compare it with the query, row by row.\n"
                "[Run the model](command:smelt.run)\n[Verify it](command:smelt.verify)",
            ),
        ],
    }


def main() -> None:
    """Write every file."""
    present = [(EXTENSION / name).read_text(encoding="utf-8") for name in ("package.json", "package-lock.json")]
    for name, text in files(*present).items():
        (EXTENSION / name).parent.mkdir(exist_ok=True)
        (EXTENSION / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
