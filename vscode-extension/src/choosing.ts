/** Lets a person choose the interpreter: one that is found here, a path, or what is found by itself. */

import * as vscode from "vscode";

import { written } from "./pure/interpreter";
import { type Python, settingsFolder } from "./python";

const ENTER = "$(edit) Enter a path…";
const BY_ITSELF = "$(search) Let smelt find one";
const ORDER = "the Python extension's choice, else .venv, else python3";
const TITLE = "The Python that smelt is installed in";

/** The choice is written to the workspace's settings. False if a person changed their mind. */
export async function chooseInterpreter(python: Python, roots: readonly vscode.Uri[]): Promise<boolean> {
  const folder = settingsFolder(roots);
  const settings = vscode.workspace.getConfiguration("smelt", folder?.uri);
  const picked = await vscode.window.showQuickPick(rows(python, roots, settings.get("interpreter", "")), {
    title: TITLE,
    matchOnDescription: true,
  });
  const entered = picked?.label === ENTER ? await enter(settings.get("interpreter", "")) : picked?.command;
  if (entered === undefined) {
    return false;
  }
  const windows = process.platform === "win32";
  const value = entered === "" ? unset(settings) : written(entered, folder?.uri.fsPath, windows);
  await settings.update("interpreter", value, target(settings));
  return true;
}

interface Row extends vscode.QuickPickItem {
  /** Empty for none. */
  readonly command?: string;
}

async function rows(python: Python, roots: readonly vscode.Uri[], setting: string): Promise<readonly Row[]> {
  const offered = await python.offered(roots);
  return [
    ...offered.map(({ command, has }) => ({ label: command, description: has, command })),
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    { label: ENTER },
    ...(setting === "" ? [] : [{ label: BY_ITSELF, description: ORDER, command: "" }]),
  ];
}

async function enter(value: string): Promise<string | undefined> {
  const prompt = "A path may begin with ${workspaceFolder} or ~; a relative one starts from the workspace folder.";
  const entered = await vscode.window.showInputBox({ title: TITLE, prompt, value, ignoreFocusOut: true });
  return entered?.trim();
}

/** What has no interpreter named here: nothing, unless a person's own settings name one. */
function unset(settings: vscode.WorkspaceConfiguration): string | undefined {
  const ofPerson = settings.inspect<string>("interpreter")?.globalValue ?? "";
  return ofPerson === "" || vscode.workspace.workspaceFolders === undefined ? undefined : "";
}

/** Where the setting is read first, without going beyond this workspace. */
function target(settings: vscode.WorkspaceConfiguration): vscode.ConfigurationTarget {
  if (vscode.workspace.workspaceFolders === undefined) {
    return vscode.ConfigurationTarget.Global;
  }
  const ofFolder = settings.inspect("interpreter")?.workspaceFolderValue !== undefined;
  return vscode.workspace.workspaceFile !== undefined && ofFolder
    ? vscode.ConfigurationTarget.WorkspaceFolder
    : vscode.ConfigurationTarget.Workspace;
}

/** Show one of our settings where this workspace's are: a remote window has none of them among a person's own. */
export async function showSetting(name: string): Promise<void> {
  const ofWorkspace = vscode.workspace.workspaceFolders !== undefined;
  const command = ofWorkspace ? "workbench.action.openWorkspaceSettings" : "workbench.action.openSettings";
  await vscode.commands.executeCommand(command, name);
}
