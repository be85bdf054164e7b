/** The interpreter as it is here: settings, the Python extension, files, and what the interpreter itself says. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";

import { choose, type Interpreter } from "./pure/interpreter";
import type { Found } from "./pure/lifecycle";
import { PROGRAM, probed } from "./pure/probe";

const PYTHON_EXTENSION = "ms-python.python";
const PROBE_MILLISECONDS = 20_000;

/** The part of the Python extension's interface that is used here. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(environment: {
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

export class Python {
  private api: PythonApi | undefined;
  private readonly changes = new vscode.EventEmitter<void>();
  private subscription: vscode.Disposable | undefined;

  /** Another interpreter was chosen in the Python extension. */
  readonly onDidChange = this.changes.event;

  constructor(
    /** A folder where no file can be taken for a module. */
    private readonly neutral: string,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** The interpreter for projects in some folders; the settings of the first one's workspace folder count. */
  async interpreter(roots: readonly vscode.Uri[]): Promise<Interpreter> {
    const first = roots[0];
    const folder = (first && vscode.workspace.getWorkspaceFolder(first)) ?? vscode.workspace.workspaceFolders?.[0];
    const chosen = await this.chosen(folder?.uri);
    const venvFolders = [folder?.uri.fsPath, first?.fsPath].filter((one): one is string => one !== undefined);
    return choose({
      setting: vscode.workspace.getConfiguration("smelt", folder?.uri).get("interpreter", ""),
      ...(chosen === undefined ? {} : { pythonExtension: chosen }),
      ...(folder === undefined ? {} : { folder: folder.uri.fsPath }),
      home: os.homedir(),
      windows: process.platform === "win32",
      venvFolders,
      exists: existsSync,
    });
  }

  /** What starts a server for these projects, or why none can be started. */
  async look(roots: readonly vscode.Uri[]): Promise<Found> {
    if (roots.length === 0) {
      return { is: "noProject" };
    }
    const { command, origin } = await this.interpreter(roots);
    const answer = await this.probe(command);
    if (typeof answer === "string") {
      this.log.warn(`${command} (${origin}): ${answer}`);
      return { is: "noInterpreter", tried: command, why: answer };
    }
    this.log.info(`${command} (${origin}): Python ${answer.python}, smelt ${answer.smelt || "is not installed"}`);
    if (answer.smelt === "") {
      return { is: "noPackage", interpreter: command };
    }
    const level = vscode.workspace.getConfiguration("smelt").get("logLevel", "warning");
    return {
      is: "launch",
      launch: {
        interpreter: command,
        version: answer.smelt,
        arguments: ["-m", "smelt_lsp.main", "--stdio", "--log-level", level],
        roots: roots.map((root) => root.fsPath),
      },
    };
  }

  dispose(): void {
    this.subscription?.dispose();
    this.changes.dispose();
  }

  private probe(command: string): Promise<{ readonly python: string; readonly smelt: string } | string> {
    return new Promise((resolve) => {
      const options = { cwd: this.neutral, timeout: PROBE_MILLISECONDS, windowsHide: true };
      execFile(command, ["-c", PROGRAM], options, (error, stdout, stderr) => {
        const answer = probed(stdout);
        if (answer !== undefined) {
          resolve(answer);
        } else if (error !== null && (error as NodeJS.ErrnoException).code === "ENOENT") {
          resolve("there is no such program");
        } else {
          resolve(stderr.trim().split("\n").pop() || error?.message || "it is no Python");
        }
      });
    });
  }

  private async chosen(folder: vscode.Uri | undefined): Promise<string | undefined> {
    const api = await this.connect();
    if (api === undefined) {
      return undefined;
    }
    try {
      const active = api.environments.getActiveEnvironmentPath(folder);
      const resolved = await api.environments.resolveEnvironment(active);
      const executable = resolved?.executable.uri?.fsPath ?? active.path;
      return path.isAbsolute(executable) ? executable : undefined;
    } catch (error) {
      this.log.warn(`the Python extension does not tell its interpreter: ${String(error)}`);
      return undefined;
    }
  }

  private async connect(): Promise<PythonApi | undefined> {
    if (this.api === undefined) {
      const extension = vscode.extensions.getExtension<PythonApi>(PYTHON_EXTENSION);
      try {
        const api = await extension?.activate();
        if (api?.environments !== undefined) {
          this.api = api;
          this.subscription = api.environments.onDidChangeActiveEnvironmentPath(() => this.changes.fire());
        }
      } catch (error) {
        this.log.warn(`the Python extension does not start: ${String(error)}`);
      }
    }
    return this.api;
  }
}
