import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import type { Launch, Phase } from "../src/pure/lifecycle";
import { PROGRAM, probed } from "../src/pure/probe";
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
  assert.deepEqual(probed("hello\r\nsmelt-probe 3.12 0.4.0\r\nbye\n"), { python: "3.12", smelt: "0.4.0" });
  assert.deepEqual(probed("smelt-probe 3.9 \n"), { python: "3.9", smelt: "" });
  assert.equal(probed("Python was not found"), undefined);
  assert.equal(probed(""), undefined);
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
