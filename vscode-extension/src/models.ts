/** Finds out which model a command is about, and asks where that cannot be told. */

import * as vscode from "vscode";

import type { GraphNode } from "./pure/graph";
import { isSql, meant } from "./pure/meant";
import { explainModel, graph } from "./protocol";
import type { Supervisor } from "./supervisor";

const NO_MODEL = "This file holds no model of a smelt project.";

export class Models {
  /** The SQL file that was active last, or that was picked since. */
  private last: string | undefined;
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;

  /** Another file may be meant now. */
  readonly onDidChange = this.changes.event;

  constructor(private readonly supervisor: Supervisor) {
    this.note();
    this.subscription = vscode.window.onDidChangeActiveTextEditor(() => this.note());
  }

  /** The files that may be meant, the likeliest first; not all of them need to be models. */
  likely(): readonly string[] {
    const active = fileOf(vscode.window.activeTextEditor?.document.uri);
    return meant({
      ...(active === undefined ? {} : { active }),
      visible: vscode.window.visibleTextEditors.map((editor) => fileOf(editor.document.uri)).filter(isThere),
      ...(this.last === undefined ? {} : { last: this.last }),
      open: vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(fileOfTab)).filter(isThere),
    });
  }

  /**
   * The model that is meant: named by a code lens, else by what the window shows, else picked by the person.
   *
   * @returns undefined if there is none; the person knows why.
   * @throws Error if the server does not run.
   */
  async one(named: readonly unknown[]): Promise<vscode.Uri | undefined> {
    const given = named.map(uriOf).find(isThere);
    const likely = given === undefined ? this.likely() : [given];
    for (const uri of likely) {
      if ((await this.supervisor.ask(explainModel, { textDocument: { uri } })) !== null) {
        return vscode.Uri.parse(uri);
      }
    }
    if (given !== undefined || isSql(fileOf(vscode.window.activeTextEditor?.document.uri) ?? "")) {
      void vscode.window.showInformationMessage(NO_MODEL);
      return undefined;
    }
    return this.pick("Which model?");
  }

  /** The model of a name, else one that the person picks. */
  async named(name: unknown): Promise<vscode.Uri | undefined> {
    const found = (await this.all()).find((one) => one.name === name);
    return found === undefined ? this.pick("Open a model") : vscode.Uri.parse(found.uri);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changes.dispose();
  }

  private note(): void {
    const active = fileOf(vscode.window.activeTextEditor?.document.uri);
    if (active !== undefined && isSql(active)) {
      this.last = active;
    }
    this.changes.fire();
  }

  private async all(): Promise<readonly (GraphNode & { readonly project: string })[]> {
    const graphs = await this.supervisor.ask(graph, {});
    const nodes = graphs.flatMap(({ project, nodes }) => nodes.map((node) => ({ ...node, project })));
    return nodes.filter((node) => node.kind !== "source" && node.kind !== "seed");
  }

  private async pick(question: string): Promise<vscode.Uri | undefined> {
    const models = await this.all();
    if (models.length === 0) {
      void vscode.window.showInformationMessage("There is no model in this workspace yet.");
      return undefined;
    }
    const rows = models.map((model) => ({
      label: model.name,
      description: [model.kind, model.project].join(" · "),
      uri: model.uri,
    }));
    const picked = await vscode.window.showQuickPick(rows, { placeHolder: question });
    if (picked === undefined) {
      return undefined;
    }
    this.last = picked.uri;
    this.changes.fire();
    return vscode.Uri.parse(picked.uri);
  }
}

function isThere<T>(one: T | undefined): one is T {
  return one !== undefined;
}

/** The file that a document is, or was made about. */
function fileOf(uri: vscode.Uri | undefined): string | undefined {
  const file = uri?.scheme.startsWith("smelt-") ? vscode.Uri.parse(uri.query) : uri;
  return file?.scheme === "file" ? file.toString() : undefined;
}

function fileOfTab(tab: vscode.Tab): string | undefined {
  return tab.input instanceof vscode.TabInputText ? fileOf(tab.input.uri) : undefined;
}

function uriOf(argument: unknown): string | undefined {
  if (argument instanceof vscode.Uri) {
    return argument.toString();
  }
  return typeof argument === "string" && argument.startsWith("file:") ? argument : undefined;
}
