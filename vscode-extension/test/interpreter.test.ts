import assert from "node:assert/strict";
import { test } from "node:test";

import {
  choose,
  type Circumstances,
  onPath,
  pythonNear,
  scriptBeside,
  venvPython,
  written,
} from "../src/pure/interpreter";

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

test("a setting that names a folder or the server's program tells which interpreter is meant", () => {
  const python = (file: string): boolean => ["/v/bin/python", "/shop/.venv/bin/python"].includes(file);
  for (const wrong of ["/v", "/v/", "/v/bin", "/v/bin/smelt-lsp"]) {
    assert.equal(pythonNear(wrong, false, python), "/v/bin/python", wrong);
  }
  assert.equal(pythonNear("/shop", false, python), "/shop/.venv/bin/python");
  assert.equal(pythonNear("/elsewhere/bin/cat", false, python), undefined);
  assert.equal(pythonNear("/v/bin/python", false, python), undefined);
  assert.equal(pythonNear("smelt-lsp", false, everything), undefined);
  assert.equal(pythonNear("C:\\v\\Scripts", true, everything), "C:\\v\\Scripts\\Scripts\\python.exe");
});

test("of a PATH the first folder counts that has the program", () => {
  const there = (file: string): boolean => ["/b/python3", "/c/python3"].includes(file);
  assert.equal(onPath("python3", "/a:/b:/c", false, there), "/b/python3");
  assert.equal(onPath("python3", "/a::.", false, everything), "/a/python3");
  assert.equal(onPath("python3", "", false, everything), undefined);
  assert.equal(onPath("python", "C:\\a;C:\\b", true, everything), "C:\\a\\python.exe");
});

test("an interpreter below the workspace's folder is written from there, any other whole", () => {
  assert.equal(written("/data/shop/.venv/bin/python", "/data/shop", false), "${workspaceFolder}/.venv/bin/python");
  assert.equal(written("/usr/bin/python3", "/data/shop", false), "/usr/bin/python3");
  assert.equal(written("/data/shop2/bin/python", "/data/shop", false), "/data/shop2/bin/python");
  assert.equal(written("/v/python", undefined, false), "/v/python");
  assert.equal(written("C:\\s\\v\\python.exe", "C:\\s", true), "${workspaceFolder}/v/python.exe");
  assert.equal(written("D:\\v\\python.exe", "C:\\s", true), "D:\\v\\python.exe");
});

for (const entered of ["python3.12", "~/v/bin/python", "env/bin/python", "${workspaceFolder}/v/python"]) {
  test(`what a person enters as ${entered} is written so`, () => {
    assert.equal(written(entered, process.cwd(), false), entered);
  });
}
