import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";

import { notInstalled } from "../src/pure/install";
import type { Launch, Phase } from "../src/pure/lifecycle";
import { failed, type Failure, PROGRAM, probed } from "../src/pure/probe";
import { projectFolderAbove } from "../src/pure/roots";
import { filters } from "../src/pure/selector";
import { status } from "../src/pure/status";
import { totals } from "../src/pure/totals";

const LAUNCH: Launch = { interpreter: "/v/bin/python", version: "0.4.0", arguments: [], roots: ["/a"] };

const phases: [Phase, string, string][] = [
  [{ is: "asleep" }, "smelt: no project", "smelt.init"],
  [{ is: "looking" }, "smelt: starting", "smelt.showServerLog"],
  [{ is: "ready", launch: LAUNCH }, "smelt: 0.4.0", "smelt.showServerLog"],
  [{ is: "noInterpreter", tried: "python3", why: "gone" }, "smelt: no interpreter", "smelt.selectInterpreter"],
  [{ is: "noPackage", interpreter: "/v/bin/python" }, "smelt: not installed", "smelt.install"],
  [{ is: "crashed", launch: LAUNCH, why: "killed" }, "smelt: crashed", "smelt.restartServer"],
];

for (const [phase, text, command] of phases) {
  test(`the status of ${phase.is} is "${text}", with one action`, () => {
    const now = status(phase);
    assert.equal(now.text, text);
    assert.equal(now.action.command, command);
    assert.equal(now.severity === "error", ["noInterpreter", "noPackage", "crashed"].includes(phase.is));
    assert.equal(now.busy, phase.is === "looking");
  });
}

test("an interpreter's answer is found among what else its start prints", () => {
  const told = { python: "3.12", smelt: "0.4.0", executable: "/with space/python" };
  assert.deepEqual(probed(`hello\r\nsmelt-probe ${JSON.stringify(told)}\r\nbye\n`), told);
  assert.equal(probed("Python was not found"), undefined);
  assert.equal(probed(`usage: smelt-lsp: unrecognized arguments: -c ${PROGRAM}`), undefined);
  assert.equal(probed(""), undefined);
});

const BARE = { code: "", isFolder: false, stderr: "" };
const NONE = "is no Python interpreter; set smelt.interpreter to ";
const failures: [string, Failure, string][] = [
  [
    "a path where nothing is",
    { ...BARE, command: "/v/python", code: "ENOENT" },
    "does not start: there is no such program",
  ],
  [
    "a broken Python",
    { ...BARE, command: "/v/python3.12", stderr: "Fatal\nModuleNotFoundError: No module named 'encodings'\n" },
    "does not start: ModuleNotFoundError: No module named 'encodings'",
  ],
  [
    "another program, which says what it was given",
    { ...BARE, command: "/v/smelt-lsp", stderr: `smelt-lsp: unrecognized arguments: -c ${PROGRAM}`, near: "/v/python" },
    `${NONE}/v/python`,
  ],
  ["another program", { ...BARE, command: "/bin/cat" }, `${NONE}the Python that smelt is installed in`],
  [
    "a file that cannot be run",
    { ...BARE, command: "/v/python", code: "EACCES" },
    `${NONE}the Python that smelt is installed in`,
  ],
  [
    "a folder",
    { ...BARE, command: "/v", code: "EACCES", isFolder: true, near: "/v/bin/python" },
    "is a folder, no Python interpreter; set smelt.interpreter to /v/bin/python",
  ],
];

for (const [what, failure, words] of failures) {
  test(`what is said of ${what}`, () => {
    assert.equal(failed(failure), words);
  });
}

test("a failed installation names the setting that says what is installed", () => {
  const told = notInstalled("smelt-lsp", "/v/bin/python");
  assert.match(told, /"smelt-lsp" in \/v\/bin\/python; its terminal/);
  assert.match(told, /smelt\.package.*a name, a version, the path of a wheel, or of a folder/);
});

test("half an installation is none", () => {
  const half = `import sys, types\nsys.modules["smelt"] = types.ModuleType("smelt")\nversion = types.ModuleType("smelt.version")\nversion.VERSION = "0.4.0"\nsys.modules["smelt.version"] = version\n`;
  const answer = probed(execFileSync("python3", ["-I", "-S", "-c", half + PROGRAM], { encoding: "utf8" }));
  assert.equal(answer?.smelt, "");
});

test("a real interpreter without smelt answers", () => {
  const answer = probed(execFileSync("python3", ["-I", "-S", "-c", PROGRAM], { encoding: "utf8" }));
  assert.match(answer?.python ?? "", /^3\.\d+$/);
  assert.equal(answer?.smelt, "");
  assert.ok(existsSync(answer?.executable ?? ""));
});

test("all SQL and YAML below a project is handed over, and models everywhere, whatever their language", () => {
  assert.deepEqual(filters(["/data/shop"]), [
    { scheme: "file", pattern: "**/models/**/*.sql" },
    { scheme: "file", pattern: "**/smelt.yml" },
    { scheme: "file", pattern: "/data/shop/**/*.{sql,yml,yaml}" },
  ]);
});

test("a project's folder is taken literally, and once", () => {
  const patterns = filters(["C:\\my [shop]\\", "C:\\my [shop]\\"]).map((filter) => filter.pattern);
  assert.deepEqual(patterns.slice(2), ["C:/my [[]shop[]]/**/*.{sql,yml,yaml}"]);
});

test("a project is found above a file, at a folder itself, the nearest first, or not at all", () => {
  const there = new Set(["/data/shop/smelt.yml", "/data/shop/inner/smelt.yml"]);
  const exists = (file: string): boolean => there.has(file);
  assert.equal(projectFolderAbove("/data/shop/models/a/b.sql", exists), "/data/shop");
  assert.equal(projectFolderAbove("/data/shop", exists), "/data/shop");
  assert.equal(projectFolderAbove("/data/shop/inner/models/x.sql", exists), "/data/shop/inner");
  assert.equal(projectFolderAbove("/data/other/x.sql", exists), undefined);
});

test("a check is summed up by project", () => {
  const shop = { project: "shop", models: 2, errors: 1, warnings: 2 };
  const empty = { project: "new", models: 0, errors: 0, warnings: 0 };
  assert.deepEqual(totals([shop, empty]), {
    message: "smelt: shop: 1 error, 2 warnings in 2 models; new: nothing found in no model.",
    clean: false,
  });
  assert.equal(totals([empty]).clean, true);
  assert.deepEqual(totals([]), { message: "smelt: there is no project here.", clean: true });
});
