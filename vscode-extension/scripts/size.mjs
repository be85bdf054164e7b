// Fails if the .vsix is too large, or holds what must not be in it.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";

import { MOST, VSIX } from "./names.mjs";

const { size } = statSync(VSIX);
const listed = spawnSync("unzip", ["-Z1", VSIX], { encoding: "utf8" });
if (listed.status !== 0) {
  throw new Error(listed.error?.message ?? listed.stderr);
}
const wrong = listed.stdout.split("\n").filter((name) => /node_modules|\.map$|\.ts$|test/.test(name));
console.log(`${VSIX}: ${size} bytes of at most ${MOST}`);
if (size > MOST || wrong.length > 0) {
  console.error(size > MOST ? "too large" : `not for shipping: ${wrong.join(", ")}`);
  process.exit(1);
}
