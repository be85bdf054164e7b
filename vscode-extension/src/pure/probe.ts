/** Asks an interpreter whether it has smelt, and reads the answer. */

const MARK = "smelt-probe";

/** A program for `python -c`; it prints one line, whatever else the interpreter's start-up prints. */
export const PROGRAM = [
  "import sys",
  "from importlib.util import find_spec",
  "try:",
  "    from smelt.version import VERSION as version",
  "except ImportError:",
  "    version = ''",
  // A checkout on the path, or half an installation, has the one without the others.
  "version = version if all(map(find_spec, ('smelt_lsp', 'pygls', 'lsprotocol'))) else ''",
  `print('${MARK}', '%d.%d' % sys.version_info[:2], version)`,
].join("\n");

export interface Probed {
  readonly python: string;
  /** smelt's version; empty if it is not installed. */
  readonly smelt: string;
}

/** What the program printed; undefined if it did not run. */
export function probed(output: string): Probed | undefined {
  const line = output.split(/\r?\n/).find((one) => one.startsWith(`${MARK} `));
  if (line === undefined) {
    return undefined;
  }
  const [, python = "", smelt = ""] = line.trim().split(" ");
  return { python, smelt };
}
