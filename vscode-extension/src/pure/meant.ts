/** Which file a command is about when nobody names one: the Welcome page or a picture may have the keyboard. */

/** What the window shows, as URIs. */
export interface Seen {
  /** The file of the active editor. */
  readonly active?: string;
  /** Of all editors in sight. */
  readonly visible: readonly string[];
  /** The SQL file that was active last. */
  readonly last?: string;
  /** Of all tabs. */
  readonly open: readonly string[];
}

/** The files that may be meant, the likeliest first. A person who is in a SQL file means that one, and no other. */
export function meant(seen: Seen): readonly string[] {
  if (seen.active !== undefined && isSql(seen.active)) {
    return [seen.active];
  }
  const { last } = seen;
  const inSight = seen.visible.filter(isSql);
  const first = last !== undefined && inSight.includes(last) ? [last] : [];
  const open = [...new Set(seen.open.filter(isSql))];
  const alone = open.length === 1 ? open : [];
  return [...new Set([...first, ...inSight, ...(last === undefined ? [] : [last]), ...alone])];
}

export function isSql(uri: string): boolean {
  return uri.startsWith("file:") && uri.endsWith(".sql");
}
