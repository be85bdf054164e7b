/** The commands, each by the name that `package.json` has for it. */

import * as vscode from "vscode";

import { chooseInterpreter, showSetting } from "./choosing";
import { type Documents, EXPLANATION, STATEMENTS } from "./documents";
import { type GraphPanel, TimelineView } from "./pictures";
import type { Models } from "./models";
import type { Progress } from "./progress";
import { messageOf } from "./pure/faults";
import { notInstalled } from "./pure/install";
import type { Phase } from "./pure/lifecycle";
import { totals } from "./pure/totals";
import { checkProject, explainModel } from "./protocol";
import type { Python } from "./python";
import type { Supervisor } from "./supervisor";
import { install, typeCommand } from "./terminal";

const OPEN_SETTING = "Open Setting";

export interface Parts {
  readonly supervisor: Supervisor;
  readonly progress: Progress;
  readonly python: Python;
  readonly models: Models;
  readonly documents: Documents;
  readonly graph: GraphPanel;
  readonly log: vscode.LogOutputChannel;
  readonly roots: () => Promise<readonly vscode.Uri[]>;
}

export function register(parts: Parts): readonly vscode.Disposable[] {
  const { supervisor, models, documents, graph, log } = parts;
  const commands: Record<string, (...named: unknown[]) => unknown> = {
    "smelt.explainModel": (...named) => withModel(models, named, (uri) => documents.show(EXPLANATION, uri)),
    "smelt.showCompiledSql": (...named) => withModel(models, named, (uri) => documents.show(STATEMENTS, uri)),
    "smelt.showGraph": () => graph.show(),
    "smelt.showTimeline": (...named) => withModel(models, named, showTimeline),
    "smelt.openModel": (name) => openModel(models, name),
    "smelt.checkProject": () => check(supervisor),
    "smelt.restartServer": () => supervisor.restart(),
    "smelt.showServerLog": () => log.show(),
    "smelt.run": (...named) => withModel(models, named, (uri) => inTerminal(parts, "run", uri)),
    "smelt.explain": (...named) => withModel(models, named, (uri) => inTerminal(parts, "explain", uri)),
    "smelt.verify": (...named) => withModel(models, named, (uri) => inTerminal(parts, "verify", uri)),
    "smelt.init": () => init(parts),
    "smelt.install": () => installed(parts),
    "smelt.selectInterpreter": () => selectInterpreter(parts),
  };
  return Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(name, async (...named: unknown[]) => {
      try {
        await run(...named);
      } catch (error) {
        log.error(error instanceof Error ? error : String(error));
        void vscode.window.showErrorMessage(`smelt: ${messageOf(error)}`);
      }
    }),
  );
}

async function withModel(
  models: Models,
  named: readonly unknown[],
  use: (model: vscode.Uri) => Promise<void>,
): Promise<void> {
  const uri = await models.one(named);
  if (uri !== undefined) {
    await use(uri);
  }
}

/** The view follows what is meant; so does the command. */
async function showTimeline(): Promise<void> {
  await vscode.commands.executeCommand(`${TimelineView.id}.focus`);
}

async function openModel(models: Models, name: unknown): Promise<void> {
  const uri = await models.named(name);
  if (uri !== undefined) {
    await vscode.window.showTextDocument(uri, { preview: false });
  }
}

async function inTerminal(parts: Parts, command: string, model: vscode.Uri): Promise<void> {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === model.toString());
  if (document?.isDirty) {
    await document.save(); // the command reads the file
  }
  const told = await parts.supervisor.ask(explainModel, { textDocument: { uri: model.toString() } });
  if (told === null) {
    void vscode.window.showInformationMessage("This file holds no model of a smelt project.");
    return;
  }
  typeCommand(await interpreter(parts), vscode.Uri.parse(told.root), [command, told.model]);
}

async function check(supervisor: Supervisor): Promise<void> {
  const found = await supervisor.ask(checkProject, {});
  const { message, clean } = totals(found);
  if (clean) {
    void vscode.window.showInformationMessage(message);
  } else if ((await vscode.window.showWarningMessage(message, "Show Problems")) !== undefined) {
    await vscode.commands.executeCommand("workbench.actions.view.problems");
  }
}

async function init(parts: Parts): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    await vscode.commands.executeCommand("workbench.action.files.openFolder");
    return;
  }
  typeCommand(await interpreter(parts), folder.uri, ["init"]);
}

async function installed(parts: Parts): Promise<void> {
  const requirement = vscode.workspace.getConfiguration("smelt").get("package", "smelt-lsp");
  const command = await interpreter(parts);
  if (await install(command, requirement)) {
    parts.progress.done("install");
    parts.supervisor.restart();
    return;
  }
  const answer = await vscode.window.showErrorMessage(notInstalled(requirement, command), OPEN_SETTING);
  if (answer === OPEN_SETTING) {
    await showSetting("smelt.package");
  }
}

async function interpreter(parts: Parts): Promise<string> {
  return interpreterOf(parts.supervisor.phase) ?? (await parts.python.program(await parts.roots()));
}

function interpreterOf(phase: Phase): string | undefined {
  switch (phase.is) {
    case "ready":
    case "crashed":
      return phase.launch.interpreter;
    case "noPackage":
      return phase.interpreter;
    default:
      return undefined;
  }
}

async function selectInterpreter(parts: Parts): Promise<void> {
  if (await chooseInterpreter(parts.python, await parts.roots())) {
    parts.supervisor.changed(); // the same one again, perhaps: a person wants to hear of it
  }
}
