/** Command lines for a terminal, quoted for the shell that runs in it. */

export type Shell = "posix" | "fish" | "powershell" | "cmd";

/** The kind of a shell, by its program. */
export function shellOf(program: string, windows: boolean): Shell {
  const name = (program.split(/[\\/]/).pop() ?? "").toLowerCase().replace(/\.exe$/, "");
  if (name === "pwsh" || name === "powershell") {
    return "powershell";
  }
  if (name === "cmd") {
    return "cmd";
  }
  if (name === "fish") {
    return "fish";
  }
  return name === "" && windows ? "powershell" : "posix";
}

/**
 * A command line that runs a program with exactly these arguments.
 *
 * Undefined if the shell has no way to write one of them: a line break would run what follows it, and `cmd` expands
 * `%` wherever it stands.
 */
export function commandLine(shell: Shell, words: readonly string[]): string | undefined {
  if (words.length === 0 || words.some((word) => /[\u0000-\u001f\u007f]/.test(word))) {
    return undefined;
  }
  if (shell === "cmd" && words.some((word) => /["%!]/.test(word))) {
    return undefined;
  }
  const quoted = words.map((word) => quote(shell, word));
  // PowerShell takes a quoted first word for a text, not for a command.
  return shell === "powershell" && quoted[0] !== words[0] ? `& ${quoted.join(" ")}` : quoted.join(" ");
}

function quote(shell: Shell, word: string): string {
  switch (shell) {
    case "posix":
      return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
    case "fish":
      return /^[\w@+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
    case "powershell":
      return /^[\w+=:./\\-]+$/.test(word) ? word : `'${word.replace(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;
    case "cmd":
      return /^[\w+:./\\-]+$/.test(word) ? word : `"${word.replace(/\\+$/, "$&$&")}"`;
  }
}
