/** Read-only documents made by the server: a model explained, and its statements. Refreshed when a file is saved. */

import * as vscode from "vscode";
import type { RequestType } from "vscode-languageclient/node";

import type { Progress } from "./progress";
import { messageOf } from "./pure/faults";
import { compiledSql, explainModel, type OfDocument, type Told } from "./protocol";
import type { Supervisor } from "./supervisor";

interface Kind {
  readonly scheme: string;
  readonly language: string;
  readonly suffix: string;
  readonly request: RequestType<OfDocument, Told | null, void>;
}

export const EXPLANATION: Kind = {
  scheme: "smelt-explain",
  language: "smelt-explanation",
  suffix: "explained",
  request: explainModel,
};
export const STATEMENTS: Kind = {
  scheme: "smelt-sql",
  language: "sql",
  suffix: "compiled.sql",
  request: compiledSql,
};
const KINDS = [EXPLANATION, STATEMENTS];

export class Documents implements vscode.TextDocumentContentProvider {
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: vscode.Disposable[];
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly supervisor: Supervisor,
    private readonly progress: Progress,
  ) {
    this.subscriptions = [
      ...KINDS.map((kind) => vscode.workspace.registerTextDocumentContentProvider(kind.scheme, this)),
      vscode.workspace.onDidSaveTextDocument(() => this.refresh()),
      supervisor.onDidChangePhase((phase) => {
        if (phase.is === "ready") {
          this.refresh();
        }
      }),
    ];
  }

  /** Open a document about a model, beside it. */
  async show(kind: Kind, model: vscode.Uri): Promise<void> {
    const told = await this.supervisor.ask(kind.request, { textDocument: { uri: model.toString() } });
    if (told === null) {
      void vscode.window.showInformationMessage("This file holds no model of a smelt project.");
      return;
    }
    const uri = vscode.Uri.from({
      scheme: kind.scheme,
      path: `/${told.model}.${kind.suffix}`,
      query: model.toString(),
    });
    this.changes.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.languageId !== kind.language) {
      await vscode.languages.setTextDocumentLanguage(document, kind.language);
    }
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
    if (kind === EXPLANATION) {
      this.progress.done("explain");
    }
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const kind = KINDS.find((one) => one.scheme === uri.scheme);
    if (kind === undefined) {
      return "";
    }
    try {
      const told = await this.supervisor.ask(kind.request, { textDocument: { uri: uri.query } });
      return told?.text ?? "The file holds no model any more.\n";
    } catch (error) {
      return `${messageOf(error)}\n`;
    }
  }

  dispose(): void {
    this.changes.dispose();
    for (const subscription of this.subscriptions) {
      subscription.dispose();
    }
  }

  private refresh(): void {
    for (const document of vscode.workspace.textDocuments) {
      if (KINDS.some((kind) => kind.scheme === document.uri.scheme)) {
        this.changes.fire(document.uri);
      }
    }
  }
}
