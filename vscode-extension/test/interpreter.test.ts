import assert from "node:assert/strict";
import { test } from "node:test";

import { choose, type Circumstances, scriptBeside, venvPython } from "../src/pure/interpreter";

const BARE: Circumstances = {
  setting: "",
  folder: "/data/shop",
  home: "/home/ann",
  windows: false,
  venvFolders: ["/data/shop", "/data/shop/warehouse"],
  exists: () => false,
};
const everything = (): boolean => true;

test("the setting goes before everything", () => {
  const now = { ...BARE, setting: "/opt/py/bin/python", pythonExtension: "/usr/bin/python3", exists: everything };
  assert.deepEqual(choose(now), { command: "/opt/py/bin/python", origin: "setting" });
});

test("the Python extension's choice goes before a .venv", () => {
  const now = { ...BARE, pythonExtension: "/usr/bin/python3", exists: everything };
  assert.deepEqual(choose(now), { command: "/usr/bin/python3", origin: "pythonExtension" });
});

test("a .venv of the nearest folder goes before the PATH", () => {
  assert.deepEqual(choose({ ...BARE, exists: everything }), { command: "/data/shop/.venv/bin/python", origin: "venv" });
  const inner = "/data/shop/warehouse/.venv/bin/python";
  assert.deepEqual(choose({ ...BARE, exists: (file) => file === inner }), { command: inner, origin: "venv" });
});

test("at last the PATH's", () => {
  assert.deepEqual(choose(BARE), { command: "python3", origin: "path" });
  assert.deepEqual(choose({ ...BARE, windows: true }), { command: "python", origin: "path" });
});

test("an empty choice is none", () => {
  assert.equal(choose({ ...BARE, setting: "  ", pythonExtension: "" }).origin, "path");
});

const settings: [string, string][] = [
  ["${workspaceFolder}/.venv/bin/python", "/data/shop/.venv/bin/python"],
  ["~/venvs/smelt/bin/python", "/home/ann/venvs/smelt/bin/python"],
  ["env/bin/python", "/data/shop/env/bin/python"],
  ["./env/bin/python", "/data/shop/env/bin/python"],
  ["../env/bin/python", "/data/env/bin/python"],
  ["python3.12", "python3.12"],
  ["/opt/with space/python", "/opt/with space/python"],
  ["~ann/python", "/data/shop/~ann/python"],
];

for (const [setting, command] of settings) {
  test(`the setting ${setting} is ${command}`, () => {
    assert.equal(choose({ ...BARE, setting }).command, command);
  });
}

test("a relative path without a folder stays as it is", () => {
  const { folder: _, ...nowhere } = BARE;
  assert.equal(choose({ ...nowhere, setting: "env/bin/python" }).command, "env/bin/python");
});

test("on Windows a backslash makes a path, and a .venv has Scripts", () => {
  const now = { ...BARE, windows: true, folder: "C:\\shop", setting: "env\\python.exe" };
  assert.equal(choose(now).command, "C:\\shop\\env\\python.exe");
  assert.equal(venvPython("C:\\shop", true), "C:\\shop\\.venv\\Scripts\\python.exe");
});

test("the smelt script is looked for beside an absolute interpreter only", () => {
  assert.equal(scriptBeside("/v/bin/python", false, everything), "/v/bin/smelt");
  assert.equal(
    scriptBeside("/v/bin/python", false, () => false),
    undefined,
  );
  assert.equal(scriptBeside("python3", false, everything), undefined);
  assert.equal(scriptBeside("C:\\v\\Scripts\\python.exe", true, everything), "C:\\v\\Scripts\\smelt.exe");
});
