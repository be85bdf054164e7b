// Makes the .vsix from a folder that holds only what is shipped: no node_modules, no pictures but the icon.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

import { VSIX } from "./names.mjs";

const STAGE = "out/package";

await import("./build.mjs");
rmSync(STAGE, { recursive: true, force: true });
mkdirSync(`${STAGE}/out`, { recursive: true });
for (const path of ["out/extension.js", "schemas", "grammars", "walkthrough", "images"]) {
  cpSync(path, `${STAGE}/${path}`, { recursive: true });
}
cpSync("../LICENSE", `${STAGE}/LICENSE.txt`);
cpSync("../CHANGELOG.md", `${STAGE}/CHANGELOG.md`);
const { scripts, devDependencies, private: _, ...manifest } = JSON.parse(readFileSync("package.json", "utf8"));
writeFileSync(`${STAGE}/package.json`, JSON.stringify(manifest));
// The pictures are in the repository's docs; a link out of the package leads nowhere.
const readme = readFileSync("README.md", "utf8").replace(/<!-- repository -->[^]*?<!-- \/repository -->\n*/g, "");
writeFileSync(`${STAGE}/README.md`, readme);
const options = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"];
const vsce = new URL("../node_modules/@vscode/vsce/vsce", import.meta.url).pathname;
const run = spawnSync(process.execPath, [vsce, "package", ...options, "--out", `../../${VSIX}`], {
  cwd: STAGE,
  stdio: "inherit",
});
process.exit(run.status ?? 1);
