// The colours of a model's frontmatter, as the editor works them out: by its own tokenizer and regular expressions.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { INITIAL, parseRawGrammar, Registry } from "vscode-textmate";

const OURS = "smelt.frontmatter";

/** Stand-ins for the editor's own grammars: as much of them as tells which one a place is coloured by. */
const OTHERS: Record<string, object> = {
  "source.sql": {
    scopeName: "source.sql",
    patterns: [
      { match: "--.*$", name: "comment.sql" },
      { begin: "/\\*", end: "\\*/", name: "comment.block.sql" },
      { begin: "'", end: "'", name: "string.sql" },
      { match: "\\w+", name: "word.sql" },
    ],
  },
  "source.yaml": {
    scopeName: "source.yaml",
    patterns: [
      { match: "^---", name: "document.yaml" },
      { begin: '"', end: '"', name: "string.yaml" },
      { match: "\\w+", name: "word.yaml" },
    ],
  },
};

const declared = JSON.parse(readFileSync("package.json", "utf8")).contributes.grammars;
const path: string = declared.find((one: { scopeName: string }) => one.scopeName === OURS).path;

const registry = new Registry({
  onigLib: loadWASM(readFileSync("node_modules/vscode-oniguruma/release/onig.wasm")).then(() => ({
    createOnigScanner,
    createOnigString,
  })),
  loadGrammar: async (scope) =>
    scope === OURS
      ? parseRawGrammar(readFileSync(path, "utf8"), path)
      : parseRawGrammar(JSON.stringify(OTHERS[scope]), `${scope}.json`),
  getInjections: (scope) =>
    declared
      .filter((one: { injectTo?: string[] }) => one.injectTo?.includes(scope))
      .map((one: { scopeName: string }) => one.scopeName),
});

/** For each line the innermost scopes of its parts, without spaces; `+` marks those inside of the frontmatter. */
async function coloured(text: string): Promise<string[]> {
  const grammar = await registry.loadGrammar("source.sql");
  assert.ok(grammar);
  let state = INITIAL;
  return text.split(/\r\n|\r|\n/).map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    const shown = tokens.filter((one) => line.slice(one.startIndex, one.endIndex).trim() !== "");
    const names = shown.map((one) => {
      const inside = one.scopes.includes("meta.embedded.block.smelt") ? "+" : "";
      return inside + one.scopes.at(-1)?.replace("punctuation.definition.frontmatter.", "");
    });
    return [...new Set(names)].join(" ");
  });
}

for (const [name, end] of [
  ["LF", "\n"],
  ["CRLF", "\r\n"],
  ["CR", "\r"],
]) {
  test(`the frontmatter is YAML and the rest SQL, with ${name}`, async () => {
    const lines = ["---", "refresh: incremental", "", "---  ", "SELECT a", "-- said", "---", "FROM b"];
    assert.deepEqual((await coloured(lines.join(end))).slice(0, 8), [
      "begin.smelt",
      "+word.yaml +meta.embedded.block.smelt",
      "",
      "end.smelt",
      "word.sql",
      "comment.sql",
      "comment.sql",
      "word.sql",
    ]);
  });
}

test("a text that does not begin with a fence is SQL", async () => {
  for (const first of ["", " ---", "-- a", "--- a", "----", "SELECT 1"]) {
    const [, ...after] = await coloured(`${first}\n---\nname\n---\nSELECT`);
    assert.deepEqual(after, ["comment.sql", "word.sql", "comment.sql", "word.sql"], first);
  }
});

test("a fence behind a byte order mark begins it too", async () => {
  assert.deepEqual(await coloured("\ufeff---\nname\n---\nSELECT"), [
    "begin.smelt",
    "+word.yaml",
    "end.smelt",
    "word.sql",
  ]);
});

test("frontmatter that is empty", async () => {
  assert.deepEqual(await coloured("---\n---\nSELECT"), ["begin.smelt", "end.smelt", "word.sql"]);
});

test("frontmatter that is not closed goes on to the end", async () => {
  assert.deepEqual(await coloured("---\nname\n\nvalue"), ["begin.smelt", "+word.yaml", "", "+word.yaml"]);
});

test("a quote that is not closed ends with the frontmatter", async () => {
  assert.deepEqual(await coloured('---\nname: "half\n more\n---\nSELECT'), [
    "begin.smelt",
    "+word.yaml +meta.embedded.block.smelt +string.yaml",
    "+string.yaml",
    "end.smelt",
    "word.sql",
  ]);
});

test("fences in a comment or a string of the query are none", async () => {
  assert.deepEqual(await coloured("/*\n---\n*/ a '\n---\n' b"), [
    "comment.block.sql",
    "comment.block.sql",
    "comment.block.sql word.sql string.sql",
    "string.sql",
    "string.sql word.sql",
  ]);
});
