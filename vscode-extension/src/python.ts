/** The interpreter as it is here: settings, the Python extension, files, and what the interpreter itself says. */

import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";

import { choose, type Interpreter, onPath, pythonNear, venvPython } from "./pure/interpreter";
import type { Found } from "./pure/lifecycle";
import { failed, PROGRAM, type Probed, probed } from "./pure/probe";

const PYTHON_EXTENSION = "ms-python.python";
const PROBE_MILLISECONDS = 20_000;
const WINDOWS = process.platform === "win32";
/** Each one that is offered is started once. */
const MOST_OFFERED = 20;

/** The part of the Python extension's interface that is used here. */
interface PythonApi {
  readonly environments: {
    readonly known?: readonly { readonly path: string }[];
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(environment: {
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** An interpreter that a person may choose. */
export interface Offered {
  readonly command: string;
  /** Its version, and that of its smelt. */
  readonly has: string;
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

  /** The interpreter for projects in some folders. */
  async interpreter(roots: readonly vscode.Uri[]): Promise<Interpreter> {
    const folder = settingsFolder(roots);
    const chosen = await this.chosen(folder?.uri);
    return choose({
      setting: vscode.workspace.getConfiguration("smelt", folder?.uri).get("interpreter", ""),
      ...(chosen === undefined ? {} : { pythonExtension: chosen }),
      ...(folder === undefined ? {} : { folder: folder.uri.fsPath }),
      home: os.homedir(),
      windows: WINDOWS,
      venvFolders: venvFolders(roots),
      exists: existsSync,
    });
  }

  /** The path of that interpreter: as it tells it itself, if only its name is known. */
  async program(roots: readonly vscode.Uri[]): Promise<string> {
    const { command } = await this.interpreter(roots);
    const answer = path.isAbsolute(command) ? command : await this.probe(command);
    return typeof answer === "string" ? command : answer.executable || command;
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
    this.log.info(`${command} (${origin}): ${versions(answer)}`);
    // A name on the PATH says nothing to a person, and may be another program in a terminal.
    const interpreter = path.isAbsolute(command) ? command : answer.executable || command;
    if (answer.smelt === "") {
      return { is: "noPackage", interpreter };
    }
    const level = vscode.workspace.getConfiguration("smelt").get("logLevel", "warning");
    return {
      is: "launch",
      launch: {
        interpreter,
        version: answer.smelt,
        arguments: ["-m", "smelt_lsp.main", "--stdio", "--log-level", level],
        roots: roots.map((root) => root.fsPath),
      },
    };
  }

  /** Every interpreter that is found here, with what it has; those that do not start are left out. */
  async offered(roots: readonly vscode.Uri[]): Promise<readonly Offered[]> {
    const folder = settingsFolder(roots);
    const now = await this.interpreter(roots);
    const api = await this.connect();
    const search = process.env["PATH"] ?? "";
    const found = [
      now.command,
      pythonNear(now.command, WINDOWS, isFile),
      ...venvFolders(roots).map((one) => venvPython(one, WINDOWS)),
      await this.chosen(folder?.uri),
      onPath(WINDOWS ? "python" : "python3", search, WINDOWS, isFile),
      ...(api?.environments.known ?? []).map((one) => one.path),
    ];
    const commands = [...new Set(found)].filter((one): one is string => one !== undefined && path.isAbsolute(one));
    const answers = commands
      .filter(isFile)
      .slice(0, MOST_OFFERED)
      .map(async (command) => {
        const answer = await this.probe(command);
        return typeof answer === "string" ? [] : [{ command, has: versions(answer) }];
      });
    return (await Promise.all(answers)).flat();
  }

  dispose(): void {
    this.subscription?.dispose();
    this.changes.dispose();
  }

  private probe(command: string): Promise<Probed | string> {
    return new Promise((resolve) => {
      const options = { cwd: this.neutral, timeout: PROBE_MILLISECONDS, windowsHide: true };
      execFile(command, ["-c", PROGRAM], options, (error, stdout, stderr) => {
        if (error?.killed) {
          resolve(`does not answer within ${PROBE_MILLISECONDS / 1000} seconds`);
          return;
        }
        const near = pythonNear(command, WINDOWS, isFile);
        const code = typeof error?.code === "string" ? error.code : "";
        const isFolder = statSync(command, { throwIfNoEntry: false })?.isDirectory() ?? false;
        const failure = { command, code, isFolder, stderr, ...(near === undefined ? {} : { near }) };
        resolve(probed(stdout) ?? failed(failure));
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

/** The workspace's folder whose settings count: that of the first project. */
export function settingsFolder(roots: readonly vscode.Uri[]): vscode.WorkspaceFolder | undefined {
  const [first] = roots;
  return (first && vscode.workspace.getWorkspaceFolder(first)) ?? vscode.workspace.workspaceFolders?.[0];
}

/** Folders that may hold a `.venv`, nearest first. */
function venvFolders(roots: readonly vscode.Uri[]): readonly string[] {
  const folders = [settingsFolder(roots)?.uri.fsPath, roots[0]?.fsPath];
  return folders.filter((one): one is string => one !== undefined);
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function versions(answer: Probed): string {
  return `Python ${answer.python}, smelt ${answer.smelt || "is not installed"}`;
}
