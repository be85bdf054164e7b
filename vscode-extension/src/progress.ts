/** What a person has got done; the walkthrough ticks its steps by these. */

import * as vscode from "vscode";

/** `docs/extension.py` names the same. */
export type Done = "install" | "project" | "refusal" | "explain" | "run";

/** How long a context is set: one that is true when the walkthrough is read does not tick. */
const SET_MILLISECONDS = 100;
/** After a page was opened its steps are read. */
const OPENING_MILLISECONDS = 1_000;

/**
 * VS Code ticks a step when a context becomes true while the walkthrough is known to it, which it is not before somebody
 * opens the Welcome page: what is true by then is never ticked. So each context is set for a moment only, and again when
 * a page is opened.
 */
export class Progress {
  private readonly all = new Set<Done>();
  private readonly subscription: vscode.Disposable;
  private opening: NodeJS.Timeout | undefined;
  private setting: NodeJS.Timeout | undefined;

  constructor() {
    this.subscription = vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
      if (this.all.size > 0 && opened.some((tab) => tab.input === undefined)) {
        clearTimeout(this.opening);
        this.opening = setTimeout(() => this.tell(), OPENING_MILLISECONDS);
      }
    });
  }

  done(what: Done): void {
    if (!this.all.has(what)) {
      this.all.add(what);
      this.tell();
    }
  }

  dispose(): void {
    clearTimeout(this.opening);
    clearTimeout(this.setting);
    this.subscription.dispose();
  }

  private tell(): void {
    clearTimeout(this.setting);
    this.set(true);
    this.setting = setTimeout(() => this.set(false), SET_MILLISECONDS);
  }

  private set(value: boolean): void {
    for (const what of this.all) {
      void vscode.commands.executeCommand("setContext", `smelt.done.${what}`, value);
    }
  }
}

/** Hears of refused models that were edited and are refused no more. */
export function watchRefusals(mended: () => void): vscode.Disposable {
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
        mended();
      }
    }
  });
}

function isRefusal(found: vscode.Diagnostic): boolean {
  return found.source === "smelt" && found.severity === vscode.DiagnosticSeverity.Error;
}
