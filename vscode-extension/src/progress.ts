/** What a person has got done; the walkthrough ticks its steps by these. */

import * as vscode from "vscode";

/** `docs/extension.py` names the same. */
export type Done = "install" | "project" | "refusal" | "explain" | "run";

export function done(what: Done): void {
  void vscode.commands.executeCommand("setContext", `smelt.done.${what}`, true);
}

/** Notices that a refused model was edited and is refused no more. */
export function watchRefusals(): vscode.Disposable {
  /** The version of each refused file's text. */
  const refused = new Map<string, number>();
  return vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    for (const uri of uris.filter((one) => one.path.endsWith(".sql"))) {
      const name = uri.toString();
      const version = vscode.workspace.textDocuments.find((one) => one.uri.toString() === name)?.version;
      if (vscode.languages.getDiagnostics(uri).some(isRefusal)) {
        refused.set(name, version ?? 0);
      } else if (version !== undefined && version > (refused.get(name) ?? version)) {
        // Without an edit, it was the server that went away.
        refused.delete(name);
        done("refusal");
      }
    }
  });
}

function isRefusal(found: vscode.Diagnostic): boolean {
  return found.source === "smelt" && found.severity === vscode.DiagnosticSeverity.Error;
}
