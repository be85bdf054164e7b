// Runs the unit tests with node's own runner: TypeScript is bundled first, since older nodes cannot read it.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const OUT = "out/test";
const tests = readdirSync("test").filter((name) => name.endsWith(".test.ts"));

rmSync(OUT, { recursive: true, force: true });
await build({
  entryPoints: tests.map((name) => `test/${name}`),
  outdir: OUT,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  sourcemap: "inline",
  logLevel: "warning",
});
const files = tests.map((name) => `${OUT}/${name.replace(/\.ts$/, ".js")}`);
const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], { stdio: "inherit" });
process.exit(run.status ?? 1);
