/** What a check of all projects found, in one sentence. */

interface Checked {
  readonly project: string;
  readonly models: number;
  readonly errors: number;
  readonly warnings: number;
}

export function totals(checked: readonly Checked[]): { readonly message: string; readonly clean: boolean } {
  if (checked.length === 0) {
    return { message: "smelt: there is no project here.", clean: true };
  }
  const parts = checked.map((one) => {
    const found = [count(one.errors, "error"), count(one.warnings, "warning")].filter((text) => text !== "");
    return `${one.project}: ${found.join(", ") || "nothing found"} in ${count(one.models, "model") || "no model"}`;
  });
  return { message: `smelt: ${parts.join("; ")}.`, clean: checked.every((one) => one.errors + one.warnings === 0) };
}

function count(number: number, what: string): string {
  return number === 0 ? "" : `${number} ${what}${number === 1 ? "" : "s"}`;
}
