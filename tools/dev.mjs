/**
 * `npm run dev`: checks and builds again whenever a source changes, until Ctrl-C.
 *
 *   node tools/dev.mjs
 */
import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isBuilt } from "./build-stamp.mjs";

const home = fileURLToPath(new URL("..", import.meta.url));

const tsc = spawn(process.execPath, ["node_modules/typescript/bin/tsc", "-b", "--watch", "--preserveWatchOutput"], {
  cwd: home,
  stdio: ["inherit", "pipe", "inherit"],
});
tsc.once("exit", (code) => (process.exitCode = code));
for await (const line of createInterface({ input: tsc.stdout })) {
  console.log(line);
  // Changes that come meanwhile are found by tsc afterwards.
  if (line.includes("Watching for file changes") && !isBuilt(home)) bundle();
}

function bundle() {
  const { status } = spawnSync(process.execPath, ["tools/bundle.mjs"], { cwd: home, stdio: "inherit" });
  console.log(status === 0 ? "The command line is built." : "The command line could not be built.");
}
