/** Asks an interpreter whether it has smelt, and reads the answer. */

const MARK = "smelt-probe";

/** A program for `python -c`; it prints one line, whatever else the interpreter's start-up prints. */
export const PROGRAM = [
  "import json, sys",
  "from importlib.util import find_spec",
  "try:",
  "    from smelt.version import VERSION as version",
  "except ImportError:",
  "    version = ''",
  // A checkout on the path, or half an installation, has the one without the others.
  "version = version if all(map(find_spec, ('smelt_lsp', 'pygls', 'lsprotocol'))) else ''",
  "told = {'python': '%d.%d' % sys.version_info[:2], 'smelt': version, 'executable': sys.executable or ''}",
  `print('${MARK}', json.dumps(told))`,
].join("\n");

export interface Probed {
  readonly python: string;
  /** smelt's version; empty if it is not installed. */
  readonly smelt: string;
  /** The interpreter's own path; empty if it does not know. */
  readonly executable: string;
}

/** What the program printed; undefined if it did not run. */
export function probed(output: string): Probed | undefined {
  const line = output.split(/\r?\n/).find((one) => one.startsWith(`${MARK} {`));
  return line === undefined ? undefined : (JSON.parse(line.slice(MARK.length + 1)) as Probed);
}

/** How a program that was to run the other one ended. */
export interface Failure {
  readonly command: string;
  /** What the system says, such as `ENOENT`; empty if the program started. */
  readonly code: string;
  readonly isFolder: boolean;
  readonly stderr: string;
  /** An interpreter that is beside the program, or in the folder. */
  readonly near?: string;
}

/** What is wrong with it, to be said after its path. */
export function failed(now: Failure): string {
  if (now.code === "ENOENT" && !now.isFolder) {
    return "does not start: there is no such program";
  }
  const said = now.stderr.trim().split(/\r?\n/).pop() ?? "";
  if (!now.isFolder && now.code === "" && isPython(now.command) && said !== "" && !now.stderr.includes(MARK)) {
    return `does not start: ${said}`;
  }
  const what = now.isFolder ? "is a folder, no Python interpreter" : "is no Python interpreter";
  return `${what}; set smelt.interpreter to ${now.near ?? "the Python that smelt is installed in"}`;
}

/** Whether a program is called as Python is: then what it says is about itself. */
function isPython(command: string): boolean {
  return /^(python|pypy)[\d.]*(\.exe)?$/i.test(command.split(/[\\/]/).pop() ?? "");
}
