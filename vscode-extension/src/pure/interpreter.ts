/** Which Python starts the server. */

import * as path from "node:path";

export type Origin = "setting" | "pythonExtension" | "venv" | "path";

export interface Interpreter {
  /** A path, or a name to be found on the PATH. */
  readonly command: string;
  readonly origin: Origin;
}

export interface Circumstances {
  /** `smelt.interpreter`, as written. */
  readonly setting: string;
  /** What the Python extension has chosen, if it is installed. */
  readonly pythonExtension?: string;
  /** The folder that relative paths start from. */
  readonly folder?: string;
  readonly home: string;
  readonly windows: boolean;
  /** Folders that may hold a `.venv`, nearest first. */
  readonly venvFolders: readonly string[];
  /** Whether a file is there. */
  readonly exists: (file: string) => boolean;
}

/** The setting, else the Python extension's choice, else `.venv`, else the PATH's. */
export function choose(now: Circumstances): Interpreter {
  const setting = now.setting.trim();
  if (setting !== "") {
    return { command: resolved(setting, now), origin: "setting" };
  }
  if (now.pythonExtension !== undefined && now.pythonExtension !== "") {
    return { command: now.pythonExtension, origin: "pythonExtension" };
  }
  const venv = now.venvFolders.map((folder) => venvPython(folder, now.windows)).find(now.exists);
  if (venv !== undefined) {
    return { command: venv, origin: "venv" };
  }
  return { command: now.windows ? "python" : "python3", origin: "path" };
}

/** Where the interpreter of a folder's `.venv` is. */
export function venvPython(folder: string, windows: boolean): string {
  return windows
    ? path.win32.join(folder, ".venv", "Scripts", "python.exe")
    : path.posix.join(folder, ".venv", "bin", "python");
}

/** The interpreter that somebody may have meant who named a folder, or a program beside it. */
export function pythonNear(wrong: string, windows: boolean, exists: (file: string) => boolean): string | undefined {
  const paths = windows ? path.win32 : path.posix;
  const name = windows ? "python.exe" : "python";
  const scripts = windows ? "Scripts" : "bin";
  const near = [
    paths.join(wrong, scripts, name),
    venvPython(wrong, windows),
    paths.join(wrong, name),
    paths.join(paths.dirname(wrong), name),
  ];
  return paths.isAbsolute(wrong) ? near.find((one) => one !== wrong && exists(one)) : undefined;
}

/** The first program of a name on a PATH. */
export function onPath(
  name: string,
  search: string,
  windows: boolean,
  exists: (file: string) => boolean,
): string | undefined {
  const paths = windows ? path.win32 : path.posix;
  const folders = search.split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
  return folders.map((folder) => paths.join(folder, windows ? `${name}.exe` : name)).find(exists);
}

/** A path as the setting should have it: one below the workspace's folder is named from there. */
export function written(command: string, folder: string | undefined, windows: boolean): string {
  const paths = windows ? path.win32 : path.posix;
  if (folder === undefined || !paths.isAbsolute(command)) {
    return command;
  }
  const below = paths.relative(folder, command);
  if (below === "" || below.startsWith("..") || paths.isAbsolute(below)) {
    return command;
  }
  return `\${workspaceFolder}/${windows ? below.replaceAll("\\", "/") : below}`;
}

/** The `smelt` script that belongs to an interpreter, if it is where installers put it. */
export function scriptBeside(command: string, windows: boolean, exists: (file: string) => boolean): string | undefined {
  const paths = windows ? path.win32 : path.posix;
  if (!paths.isAbsolute(command)) {
    return undefined;
  }
  const script = paths.join(paths.dirname(command), windows ? "smelt.exe" : "smelt");
  return exists(script) ? script : undefined;
}

/** A setting with its variables filled in; one with a slash is a path below the folder, one without is a name. */
function resolved(setting: string, now: Circumstances): string {
  const paths = now.windows ? path.win32 : path.posix;
  let written = setting;
  if (now.folder !== undefined) {
    written = written.replaceAll("${workspaceFolder}", now.folder);
  }
  if (written === "~" || /^~[\\/]/.test(written)) {
    written = paths.join(now.home, written.slice(1));
  }
  const isPath = written.includes("/") || (now.windows && written.includes("\\"));
  if (!isPath || paths.isAbsolute(written) || now.folder === undefined) {
    return written;
  }
  return paths.join(now.folder, written);
}
