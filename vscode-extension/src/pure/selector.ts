/** Which documents the server hears of. The language of a file stays what the editor says it is. */

export interface Filter {
  readonly scheme: "file";
  readonly language?: string;
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
    { scheme: "file", language: "sql", pattern: "**/models/**/*.sql" },
    { scheme: "file", pattern: "**/smelt.yml" },
  ];
  const below = [...new Set(roots)].sort().flatMap((root): Filter[] => {
    const folder = glob(root.replaceAll("\\", "/").replace(/\/$/, ""));
    return [
      { scheme: "file", language: "sql", pattern: `${folder}/**/*.sql` },
      { scheme: "file", pattern: `${folder}/**/*.{yml,yaml}` },
    ];
  });
  return [...everywhere, ...below];
}

/** A path as a pattern that matches it alone. */
function glob(text: string): string {
  return text.replace(/[[\]{}*?]/g, (sign) => `[${sign}]`);
}
