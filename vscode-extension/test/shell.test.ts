import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { commandLine, type Shell, shellOf } from "../src/pure/shell";

const NASTY = [
  "plain",
  "with space",
  "it's",
  '"quoted"',
  "$(id)",
  "`id`",
  "a;b",
  "a&b",
  "*",
  "~",
  "",
  "-x",
  "ä 😀",
  "\\",
  "a\\'b",
  "!x",
  "#x",
  "{a,b}",
  "%PATH%",
];

test("sh gets back exactly the words, whatever is in them", () => {
  const line = commandLine("posix", ["printf", "%s\\0", ...NASTY]);
  assert.ok(line !== undefined);
  const out = execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" });
  assert.deepEqual(out.split("\0").slice(0, -1), NASTY);
});

test("plain words are not quoted: a person reads them", () => {
  assert.equal(commandLine("posix", ["/v/bin/smelt", "run", "silver.orders"]), "/v/bin/smelt run silver.orders");
});

const quoted: [Shell, string, string][] = [
  ["posix", "it's", `x 'it'\\''s'`],
  ["fish", "it's", `x 'it\\'s'`],
  ["fish", "a\\b", `x 'a\\\\b'`],
  ["fish", "%self", `x '%self'`],
  ["powershell", "it's", `x 'it''s'`],
  ["powershell", "it\u2019s", `x 'it\u2019\u2019s'`],
  ["powershell", "$env:X", `x '$env:X'`],
  ["powershell", "@x", `x '@x'`],
  ["cmd", "a&b", `x "a&b"`],
  ["cmd", "C:\\my dir\\", `x "C:\\my dir\\\\"`],
];

for (const [shell, word, line] of quoted) {
  test(`${shell} is given ${word} as ${line}`, () => {
    assert.equal(commandLine(shell, ["x", word]), line);
  });
}

test("PowerShell calls a program with a space in its path", () => {
  assert.equal(commandLine("powershell", ["C:\\my dir\\smelt.exe", "run"]), "& 'C:\\my dir\\smelt.exe' run");
});

test("a line break is never typed into any shell", () => {
  for (const shell of ["posix", "fish", "powershell", "cmd"] as const) {
    for (const end of ["\n", "\r", "\u0000", "\u001b", "\u007f"]) {
      assert.equal(commandLine(shell, ["x", `a${end}b`]), undefined);
    }
  }
});

test("what cmd would expand is not given to it", () => {
  for (const word of ["%PATH%", '"', "!x!"]) {
    assert.equal(commandLine("cmd", ["x", word]), undefined);
  }
});

test("no words are no command", () => {
  assert.equal(commandLine("posix", []), undefined);
});

const programs: [string, boolean, Shell][] = [
  ["/bin/bash", false, "posix"],
  ["/usr/bin/zsh", false, "posix"],
  ["/usr/bin/fish", false, "fish"],
  ["/usr/bin/pwsh", false, "powershell"],
  ["C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe", true, "powershell"],
  ["C:\\Windows\\System32\\cmd.exe", true, "cmd"],
  ["C:\\Program Files\\Git\\bin\\bash.exe", true, "posix"],
  ["", true, "powershell"],
  ["", false, "posix"],
];

for (const [program, windows, shell] of programs) {
  test(`${program || "no program"} is ${shell}`, () => {
    assert.equal(shellOf(program, windows), shell);
  });
}
