/** The two pictures: the project's graph in a panel, and the timeline of the active model in a view. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

import type { Models } from "./models";
import type { Progress } from "./progress";
import { messageOf } from "./pure/faults";
import { GRAPH_STYLES, type Graph, graphBody } from "./pure/graph";
import { page } from "./pure/page";
import { TIMELINE_STYLES, timelineBody } from "./pure/timeline";
import { graph, timeline } from "./protocol";
import type { Supervisor } from "./supervisor";

const OPTIONS = { enableScripts: true, localResourceRoots: [] };
/** Like every preview: who types goes on typing. */
const BESIDE = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
const COMMANDS = new Set(["smelt.explainModel"]);

/** A message from a picture: the only things it may ask for. */
async function obey(message: unknown): Promise<void> {
  const { open, command } = (message ?? {}) as { open?: unknown; command?: unknown };
  if (typeof open === "string") {
    const uri = vscode.Uri.parse(open);
    if (uri.scheme === "file") {
      await vscode.commands.executeCommand("vscode.open", uri, { viewColumn: vscode.ViewColumn.One });
    }
  } else if (typeof command === "string" && COMMANDS.has(command)) {
    await vscode.commands.executeCommand(command);
  }
}

/** A page says so when it listens: what is sent to it before is lost. */
function isReady(message: unknown): boolean {
  return (message as { ready?: unknown } | undefined)?.ready === true;
}

function html(title: string, body: string, styles: string): string {
  return page({ title, body, styles, nonce: randomBytes(18).toString("base64url") });
}

/** Draws again only if there is something else to draw: a page that is set anew loses focus and place. */
class Canvas {
  private shown = "";

  draw(webview: vscode.Webview, title: string, body: string, styles: string): void {
    if (body !== this.shown) {
      this.shown = body;
      webview.html = html(title, body, styles);
    }
  }
}

export class GraphPanel {
  private panel: vscode.WebviewPanel | undefined;
  private canvas = new Canvas();
  private graphs: readonly Graph[] = [];
  /** The file that a person looked at last; the panel itself is no editor of a file. */
  private file: string | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly supervisor: Supervisor) {
    this.subscriptions = [
      vscode.workspace.onDidSaveTextDocument(() => void this.refresh()),
      vscode.window.onDidChangeActiveTextEditor(() => this.mark()),
    ];
  }

  async show(): Promise<void> {
    this.mark();
    const graphs = await this.supervisor.ask(graph, {});
    if (this.panel === undefined) {
      this.canvas = new Canvas();
      this.panel = vscode.window.createWebviewPanel("smelt.graph", "Smelt Graph", BESIDE, OPTIONS);
      this.panel.webview.onDidReceiveMessage((message) => (isReady(message) ? this.mark() : obey(message)));
      this.panel.onDidDispose(() => {
        this.panel = undefined;
      });
    } else {
      this.panel.reveal(undefined, true);
    }
    this.draw(graphs);
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
    this.panel?.dispose();
  }

  private async refresh(): Promise<void> {
    if (this.panel !== undefined && this.supervisor.answers) {
      this.draw(await this.supervisor.ask(graph, {}));
    }
  }

  private draw(graphs: readonly Graph[]): void {
    this.graphs = graphs;
    if (this.panel !== undefined) {
      this.canvas.draw(this.panel.webview, "Smelt Graph", graphBody(graphs), GRAPH_STYLES);
    }
  }

  /** Mark the relation that the active editor shows. */
  private mark(): void {
    this.file = vscode.window.activeTextEditor?.document.uri.fsPath ?? this.file;
    const nodes = this.graphs.flatMap((one) => one.nodes);
    const current = nodes.find((node) => vscode.Uri.parse(node.uri).fsPath === this.file);
    if (current !== undefined) {
      void this.panel?.webview.postMessage({ current: current.uri });
    }
  }
}

const NO_MODEL = "Open a model to see what one new event patches in its table.";
const NO_SERVER = "The smelt server is not running.";

export class TimelineView implements vscode.WebviewViewProvider {
  static readonly id = "smelt.timeline";
  private view: vscode.WebviewView | undefined;
  private canvas = new Canvas();
  private asked = 0;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly supervisor: Supervisor,
    private readonly models: Models,
    private readonly progress: Progress,
  ) {
    this.subscriptions = [
      vscode.window.registerWebviewViewProvider(TimelineView.id, this),
      models.onDidChange(() => void this.refresh()),
      vscode.workspace.onDidSaveTextDocument(() => void this.refresh()),
      supervisor.onDidChangePhase(() => void this.refresh()),
    ];
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    this.canvas = new Canvas();
    view.webview.options = OPTIONS;
    view.webview.onDidReceiveMessage(obey);
    view.onDidChangeVisibility(() => void this.refresh());
    view.onDidDispose(() => {
      this.view = undefined;
    });
    void this.refresh();
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private async refresh(): Promise<void> {
    const { view } = this;
    if (view === undefined || !view.visible) {
      return;
    }
    const turn = ++this.asked;
    const body = await this.body();
    if (turn === this.asked && this.view === view) {
      this.canvas.draw(view.webview, "Succession Timeline", body, TIMELINE_STYLES);
    }
  }

  /** Of the model that is meant: while a person looks at a picture, the log or an explanation, that is still it. */
  private async body(): Promise<string> {
    if (!this.supervisor.answers) {
      return timelineBody(undefined, NO_SERVER);
    }
    try {
      for (const uri of this.models.likely()) {
        const found = await this.supervisor.ask(timeline, { textDocument: { uri } });
        if (found !== null) {
          if (found.nodes.length > 0) {
            this.progress.done("explain");
          }
          return timelineBody(found, NO_MODEL);
        }
      }
      return timelineBody(undefined, NO_MODEL);
    } catch (error) {
      return timelineBody(undefined, messageOf(error));
    }
  }
}
