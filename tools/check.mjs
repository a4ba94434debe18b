/**
 * `npm run check`: runs every script `check:…` of package.json. They know nothing of each other and run side by side;
 * each says what it found in one piece, in the order of package.json, and if one fails, the check does.
 *
 *   node tools/check.mjs [repository]
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const home = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
const env = { ...process.env, PATH: [join(home, "node_modules/.bin"), process.env.PATH].join(delimiter) };
// Through a pipe they would leave out the colours.
if (process.stdout.isTTY) env.FORCE_COLOR ??= "1";

const { scripts } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const parts = Object.entries(scripts).filter(([name]) => name.startsWith("check:"));
const running = parts.map(([name, command]) => ({ name, ended: run(command) }));
for (const { name, ended } of running) {
  const { code, output } = await ended;
  process.stdout.write(output);
  if (code === 0) continue;
  console.error(`\nnpm run ${name} fails.\n`);
  process.exitCode = 1;
}

function run(command) {
  return new Promise((done, reject) => {
    const child = spawn(command, { cwd: home, env, shell: true, stdio: ["ignore", "pipe", "pipe"] });
    const pieces = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => pieces.push(piece));
    child.once("error", reject);
    child.once("close", (code) => done({ code, output: Buffer.concat(pieces) }));
  });
}
