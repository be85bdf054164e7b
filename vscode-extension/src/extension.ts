/** Puts the parts together when VS Code starts the extension. */

import { existsSync } from "node:fs";
import * as vscode from "vscode";

import { register } from "./commands";
import { Documents } from "./documents";
import { Models } from "./models";
import { GraphPanel, TimelineView } from "./pictures";
import { Progress, watchRefusals } from "./progress";
import type { Phase } from "./pure/lifecycle";
import { projectFolderAbove } from "./pure/roots";
import { filters } from "./pure/selector";
import { status } from "./pure/status";
import { Python } from "./python";
import { Runs } from "./runs";
import { Supervisor } from "./supervisor";

const PROJECT_FILES = "**/smelt.yml";
const NOT_SEARCHED = "**/{node_modules,.venv,venv,target,.git}/**";
const MOST_PROJECTS = 200;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("smelt", { log: true });
  const python = new Python(context.extensionPath, log);
  const supervisor = new Supervisor(async () => python.look(await roots()), context.extensionPath, log);
  const progress = new Progress();
  const documents = new Documents(supervisor, progress);
  const graph = new GraphPanel(supervisor);
  const models = new Models(supervisor);
  const timeline = new TimelineView(supervisor, models, progress);
  running = supervisor;
  const runs = new Runs({ folded: () => progress.done("run"), changed: () => supervisor.refreshLenses() });
  context.subscriptions.push(log, python, models, documents, graph, timeline, runs, progress);
  context.subscriptions.push(watchRefusals(() => progress.done("refusal")));
  context.subscriptions.push(...register({ supervisor, progress, python, models, documents, graph, log, roots }));
  context.subscriptions.push(showStatus(supervisor, progress), supervisor.onDidNeedHelp(tell));
  context.subscriptions.push(...watch(supervisor, python));
  supervisor.changed();
}

let running: Supervisor | undefined;

export async function deactivate(): Promise<void> {
  await running?.dispose();
  running = undefined;
}

/** The folders of all projects, in the order of the workspace's folders: in them, above them, above files alone. */
async function roots(): Promise<readonly vscode.Uri[]> {
  const files = await vscode.workspace.findFiles(PROJECT_FILES, NOT_SEARCHED, MOST_PROJECTS);
  const rank = (uri: vscode.Uri): number => vscode.workspace.getWorkspaceFolder(uri)?.index ?? 0;
  const below = files
    .map((file) => vscode.Uri.joinPath(file, ".."))
    .sort(
      (one, other) =>
        rank(one) - rank(other) || one.path.length - other.path.length || (one.path < other.path ? -1 : 1),
    );
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri);
  const alone = vscode.workspace.textDocuments.filter(isAlone).map((document) => document.uri);
  const above = [...folders, ...alone].map(projectAbove).filter((root) => root !== undefined);
  return [...new Map([...above, ...below].map((root) => [root.toString(), root])).values()];
}

/** Whether a document is a file of no folder of the workspace. */
function isAlone(document: vscode.TextDocument): boolean {
  return document.uri.scheme === "file" && vscode.workspace.getWorkspaceFolder(document.uri) === undefined;
}

/** The nearest folder above a path that holds a project. */
function projectAbove(uri: vscode.Uri): vscode.Uri | undefined {
  const folder = projectFolderAbove(uri.fsPath, existsSync);
  return folder === undefined ? undefined : vscode.Uri.file(folder);
}

/** Only our settings, the interpreter and the projects there are may call for another server. */
function watch(supervisor: Supervisor, python: Python): readonly vscode.Disposable[] {
  const projects = vscode.workspace.createFileSystemWatcher(PROJECT_FILES, false, true, false);
  const changed = (): void => supervisor.changed();
  return [
    projects,
    projects.onDidCreate(changed),
    projects.onDidDelete(changed),
    vscode.workspace.onDidChangeWorkspaceFolders(changed),
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (isAlone(document) && projectAbove(document.uri) !== undefined) {
        changed();
      }
    }),
    python.onDidChange(changed),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("smelt")) {
        changed();
      }
    }),
  ];
}

function showStatus(supervisor: Supervisor, progress: Progress): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem("smelt", [...filters([])]);
  item.name = "smelt";
  const severity = {
    information: vscode.LanguageStatusSeverity.Information,
    warning: vscode.LanguageStatusSeverity.Warning,
    error: vscode.LanguageStatusSeverity.Error,
  };
  const show = (phase: Phase): void => {
    const now = status(phase);
    // Where there is no project, SQL is none of our business.
    item.selector =
      phase.is === "asleep" ? [...filters([])] : [...filters([]), { scheme: "file", pattern: "**/*.sql" }];
    item.text = now.text;
    item.detail = now.detail;
    item.busy = now.busy;
    item.severity = severity[now.severity];
    item.command = { title: now.action.title, command: now.action.command };
    void vscode.commands.executeCommand("setContext", "smelt.phase", phase.is);
    if (!["asleep", "looking", "stopping"].includes(phase.is)) {
      progress.done("project"); // in these three, nobody knows whether there is one
    }
    if (phase.is === "ready") {
      progress.done("install");
    }
  };
  show(supervisor.phase);
  const subscription = supervisor.onDidChangePhase(show);
  return vscode.Disposable.from(item, subscription);
}

/** Say what is wrong, once, with buttons for what helps. */
async function tell(phase: Phase): Promise<void> {
  const buttons: Record<string, string> = {};
  let message: string;
  switch (phase.is) {
    case "noInterpreter":
      message = `smelt: ${phase.tried} ${phase.why}.`;
      buttons["Select Interpreter"] = "smelt.selectInterpreter";
      break;
    case "noPackage":
      message = `smelt is not installed in ${phase.interpreter}.`;
      buttons["Install"] = "smelt.install";
      buttons["Select Interpreter"] = "smelt.selectInterpreter";
      break;
    case "crashed":
      message = `The smelt server keeps ending (${phase.why}) and is not started again.`;
      buttons["Restart"] = "smelt.restartServer";
      buttons["Show Log"] = "smelt.showServerLog";
      break;
    default:
      return;
  }
  const answer = await vscode.window.showErrorMessage(message, ...Object.keys(buttons));
  const command = answer === undefined ? undefined : buttons[answer];
  if (command !== undefined) {
    await vscode.commands.executeCommand(command);
  }
}
