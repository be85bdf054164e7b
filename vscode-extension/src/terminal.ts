/** Runs the command line where a person can see it and stop it. */

import { existsSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";

import { onPath, scriptBeside } from "./pure/interpreter";
import { commandLine, shellOf } from "./pure/shell";

const NAME = "smelt";

/** Type a smelt command into the project's terminal. */
export function typeCommand(interpreter: string, folder: vscode.Uri, words: readonly string[]): void {
  const windows = process.platform === "win32";
  const script = scriptBeside(interpreter, windows, existsSync);
  const program = script === undefined ? [interpreter, "-m", "smelt"] : [script];
  const line = commandLine(shellOf(vscode.env.shell, windows), [...program, ...words]);
  if (line === undefined) {
    const written = [...program, ...words].join(" ");
    void vscode.window.showErrorMessage(`This shell cannot be given the command: ${JSON.stringify(written)}`);
    return;
  }
  const env = environment(script, windows);
  const terminal = existing(folder, env) ?? vscode.window.createTerminal({ name: NAME, cwd: folder, env });
  terminal.show(true);
  terminal.sendText(line);
}

/** Has the terminal find by its name the `smelt` that is run in it: what it prints tells a person to go on with that. */
function environment(script: string | undefined, windows: boolean): Record<string, string> {
  const found = onPath(NAME, process.env["PATH"] ?? "", windows, existsSync);
  return script === undefined || script === found
    ? {}
    : { PATH: `${path.dirname(script)}${path.delimiter}\${env:PATH}` };
}

/** The terminal that was opened for this folder before, if it is still there. */
function existing(folder: vscode.Uri, env: Record<string, string>): vscode.Terminal | undefined {
  return vscode.window.terminals.find((terminal) => {
    const options = terminal.creationOptions as vscode.TerminalOptions;
    return (
      terminal.name === NAME &&
      terminal.exitStatus === undefined &&
      String(options.cwd) === String(folder) &&
      options.env?.["PATH"] === env["PATH"]
    );
  });
}

/** Install a package into an interpreter, as a task that can be watched. True if that went well. */
export async function install(interpreter: string, requirement: string): Promise<boolean> {
  const task = new vscode.Task(
    { type: "smelt", interpreter },
    vscode.TaskScope.Workspace,
    "install",
    NAME,
    new vscode.ProcessExecution(interpreter, ["-m", "pip", "install", "--upgrade", requirement]),
  );
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Dedicated };
  const execution = await vscode.tasks.executeTask(task);
  return new Promise((resolve) => {
    const subscription = vscode.tasks.onDidEndTaskProcess((event) => {
      if (event.execution === execution) {
        subscription.dispose();
        resolve(event.exitCode === 0);
      }
    });
  });
}
