import assert from "node:assert/strict";
import { test } from "node:test";

import { meant, type Seen } from "../src/pure/meant";

const A = "file:///shop/models/a.sql";
const B = "file:///shop/models/b.sql";
const C = "file:///shop/models/c.sql";
const YAML = "file:///shop/smelt.yml";
const BLANK: Seen = { visible: [], open: [] };

const seen: [string, Seen, string[]][] = [
  ["an SQL file with the keyboard, and no other", { active: A, visible: [A, B], last: B, open: [A, B] }, [A]],
  ["the last one, if the Welcome page covers it", { ...BLANK, last: A, open: [A, B] }, [A]],
  ["the one in sight before the last one", { active: YAML, visible: [YAML, B], last: A, open: [A, B] }, [B, A]],
  ["of several in sight the last one", { visible: [B, A], last: A, open: [A, B] }, [A, B]],
  ["the only one in a tab, if none was ever active", { ...BLANK, open: [YAML, A, A] }, [A]],
  ["the last one before the only one in a tab", { ...BLANK, last: B, open: [A] }, [B, A]],
  ["none of several tabs", { ...BLANK, open: [A, B, C] }, []],
  ["no YAML, no log", { active: YAML, visible: [YAML, "output:smelt"], open: [YAML] }, []],
];

for (const [what, now, files] of seen) {
  test(`meant is ${what}`, () => {
    assert.deepEqual(meant(now), files);
  });
}
