/** Which documents the server hears of: by their names, whatever language another extension gave them. */

export interface Filter {
  readonly scheme: "file";
  readonly pattern: string;
}

/**
 * Filters for the projects in some folders.
 *
 * A project's `paths` may name any folder below it, and may change at any time: all SQL and YAML below a project is
 * handed to the server, which knows what belongs to it.
 */
export function filters(roots: readonly string[]): readonly Filter[] {
  const everywhere: Filter[] = [
    { scheme: "file", pattern: "**/models/**/*.sql" },
    { scheme: "file", pattern: "**/smelt.yml" },
  ];
  const below = [...new Set(roots)].sort().map((root): Filter => {
    const folder = glob(root.replaceAll("\\", "/").replace(/\/$/, ""));
    return { scheme: "file", pattern: `${folder}/**/*.{sql,yml,yaml}` };
  });
  return [...everywhere, ...below];
}

/** A path as a pattern that matches it alone. */
function glob(text: string): string {
  return text.replace(/[[\]{}*?]/g, (sign) => `[${sign}]`);
}
