/** Carries out what the lifecycle decides: looks for the interpreter, starts, stops and watches the server. */

import type { ChildProcess } from "node:child_process";
import * as vscode from "vscode";
import {
  CloseAction,
  CodeLensRequest,
  ErrorAction,
  ErrorCodes,
  LanguageClient,
  type LanguageClientOptions,
  type RequestType,
  ResponseError,
  RevealOutputChannelOn,
} from "vscode-languageclient/node";

import { messageOf } from "./pure/faults";
import {
  type Effect,
  type Event,
  type Found,
  INITIAL,
  type Launch,
  next,
  type Phase,
  type State,
  underWay,
} from "./pure/lifecycle";
import { filters } from "./pure/selector";
import { status } from "./pure/status";
import { ServerProcess } from "./process";

const STOP_MILLISECONDS = 2_000;

/** Writes to the log what it cannot do. What a person must be told of is for the lifecycle to say, once. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Supervisor {
  private state: State = INITIAL;
  private client: LanguageClient | undefined;
  private server: ServerProcess | undefined;
  private readonly phases = new vscode.EventEmitter<Phase>();
  private readonly notices = new vscode.EventEmitter<Phase>();

  /** Another phase was entered. */
  readonly onDidChangePhase = this.phases.event;
  /** A phase was entered that a person must be told of. */
  readonly onDidNeedHelp = this.notices.event;

  constructor(
    private readonly find: () => Promise<Found>,
    private readonly neutral: string,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  get phase(): Phase {
    return this.state.phase;
  }

  /** A setting, the interpreter or the projects may have changed. */
  changed(): void {
    this.take({ is: "changed" });
  }

  restart(): void {
    this.take({ is: "restart" });
  }

  /**
   * An answer of the server; waits for one that is being started.
   *
   * @throws Error if it does not run, or does not know the request.
   */
  async ask<P, R>(type: RequestType<P, R, void>, params: P): Promise<R> {
    await this.settled();
    if (this.client === undefined || !this.client.isRunning()) {
      throw new Error(`The smelt server is not running (${status(this.phase).text.replace("smelt: ", "")}).`);
    }
    try {
      return await this.client.sendRequest<R>(type.method, params);
    } catch (error) {
      throw error instanceof ResponseError && error.code === ErrorCodes.MethodNotFound ? this.tooOld() : error;
    }
  }

  /** Whether answers can be had now. */
  get answers(): boolean {
    return this.client !== undefined && this.client.isRunning();
  }

  /** Ask for the lines above models again: something ran. */
  refreshLenses(): void {
    const feature = this.client?.getFeature(CodeLensRequest.method);
    const emitters = vscode.workspace.textDocuments.map((one) => feature?.getProvider(one)?.onDidChangeCodeLensEmitter);
    for (const emitter of new Set(emitters)) {
      emitter?.fire();
    }
  }

  async dispose(): Promise<void> {
    this.phases.dispose();
    this.notices.dispose();
    await this.end();
  }

  private tooOld(): Error {
    const version = this.phase.is === "ready" ? ` ${this.phase.launch.version}` : "";
    return new Error(`The installed smelt${version} does not know this yet; "Install smelt" brings a newer one.`);
  }

  /** Resolves once nothing is under way. */
  private settled(): Promise<void> {
    if (!underWay(this.phase)) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const subscription = this.onDidChangePhase((phase) => {
        if (!underWay(phase)) {
          subscription.dispose();
          resolve();
        }
      });
    });
  }

  private take(event: Event): void {
    const before = this.state.phase;
    const step = next(this.state, event);
    this.state = step.state;
    if (before !== this.state.phase) {
      this.log.debug(`${event.is}: ${before.is} → ${this.state.phase.is}`);
      this.phases.fire(this.state.phase);
    }
    for (const effect of step.effects) {
      this.carryOut(effect);
    }
  }

  private carryOut(effect: Effect): void {
    switch (effect.is) {
      case "look":
        this.find().then(
          (found) => this.take({ is: "found", found }),
          (error) =>
            this.take({
              is: "found",
              found: { is: "noInterpreter", tried: "python", why: `does not start: ${String(error)}` },
            }),
        );
        break;
      case "start":
        void this.start(effect.launch);
        break;
      case "stop":
        void this.end().then(() => this.take({ is: "stopped" }));
        break;
      case "tell":
        this.notices.fire(this.state.phase);
        break;
    }
  }

  private async start(launch: Launch): Promise<void> {
    await this.end();
    const server = new ServerProcess(launch, this.neutral);
    let over = false;
    const died = (why: string): void => {
      server.settled();
      if (!over) {
        over = true;
        this.take({ is: "died", at: Date.now(), why });
      }
    };
    const spawned = (): Promise<ChildProcess> => Promise.resolve(server.start(died));
    const client = this.made(launch, spawned, () => {
      // A client that was replaced, or is being stopped, is nobody's loss.
      if (this.client === client && this.state.phase.is !== "stopping") {
        died(server.lastWords);
      }
    });
    this.client = client;
    this.server = server;
    try {
      await client.start();
      server.settled();
      if (this.client === client && !over) {
        this.take({ is: "started" });
      }
    } catch (error) {
      died(messageOf(error));
    }
  }

  private made(launch: Launch, spawned: () => Promise<ChildProcess>, closed: () => void): LanguageClient {
    const options: LanguageClientOptions = {
      documentSelector: [...filters(launch.roots)],
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      diagnosticPullOptions: { onChange: true, onSave: true, onTabs: true },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          closed();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      initializationFailedHandler: () => false,
      markdown: { isTrusted: false, supportHtml: false },
    };
    return new QuietClient("smelt", "smelt", spawned, options);
  }

  private async end(): Promise<void> {
    const { client, server } = this;
    this.client = undefined;
    this.server = undefined;
    try {
      await client?.dispose(STOP_MILLISECONDS);
    } catch (error) {
      this.log.debug(`stopping the server: ${messageOf(error)}`);
    }
    await server?.ended();
  }
}
