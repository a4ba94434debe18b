/**
 * Measures what lifecycle hooks cost: run:iterate with hooks against running the same scripts by hand, and in the shell
 * of an agent, where the root of the plugin is in the environment.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const PLUGIN = path.resolve(import.meta.dirname, "../plugins/babysitter");
const SCRIPT = `#!/bin/sh\ncat > /dev/null\necho '{"ok": true}'\n`;
const PROCESS = `export const process = (inputs, ctx) => ctx.task({ kind: "agent", id: "a" });`;

/** Adds the rows about hooks to a benchmark. */
export function measureHooks({ work, cli, rounds, row, note }) {
  const projects = Object.fromEntries([0, 1, 10].map((count) => [count, makeProject(work, cli, count)]));
  const times = { bare: [], plugin: [] };
  for (const count of [1, 10]) times[`direct ${count}`] = [];
  for (const count of [0, 1, 10]) times[count] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push(timed(() => iterate(cli, projects[0].dir, ["--no-hooks"])));
    for (const count of [0, 1, 10]) times[count].push(timed(() => iterate(cli, projects[count].dir, [])));
    times.plugin.push(timed(() => iterate(cli, projects[0].dir, [], { CLAUDE_PLUGIN_ROOT: PLUGIN })));
    for (const count of [1, 10]) times[`direct ${count}`].push(timed(() => runDirectly(projects[count].scripts)));
  }
  const ms = Object.fromEntries(Object.entries(times).map(([name, samples]) => [name, median(samples)]));
  note(
    "`run:iterate`, ms without hooks / with 0 / 1 / 10 scripts",
    [ms.bare, ms[0], ms[1], ms[10]].map((value) => value.toFixed(0)).join(" / "),
  );
  note("the same 1 / 10 scripts by hand, ms", [ms["direct 1"], ms["direct 10"]].map((v) => v.toFixed(0)).join(" / "));
  row(
    "what 10 hook scripts add to `run:iterate` / running them by hand",
    (ms[10] - ms[0]) / ms["direct 10"],
    "≤ 1.3",
    ms,
  );
  note(
    "`run:iterate` without hooks of one's own, ms: alone / with the plugin's root in the environment",
    [ms[0], ms.plugin].map((value) => value.toFixed(0)).join(" / "),
  );
  row("`run:iterate` with the plugin's root in the environment / without", ms.plugin / ms[0], "≤ 1.1", ms);
}

function makeProject(work, cli, count) {
  const dir = path.join(work, `hooks-${count}`);
  const folder = path.join(dir, ".a5c", "hooks", "on-iteration-start");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(dir, "p.mjs"), PROCESS);
  const scripts = Array.from({ length: count }, (_, n) => path.join(folder, `hook-${n}.sh`));
  for (const script of scripts) fs.writeFileSync(script, SCRIPT, { mode: 0o755 });
  call(cli, dir, ["run:create", "--process-id", "bench", "--entry", "p.mjs", "--run-id", "r"]);
  iterate(cli, dir, []);
  return { dir, scripts };
}

function iterate(cli, dir, more, variables) {
  call(cli, dir, ["run:iterate", "r", ...more], variables);
}

function call(cli, cwd, args, variables = {}) {
  const { CLAUDE_PLUGIN_ROOT: _, ...inherited } = process.env;
  const env = { ...inherited, ...variables };
  const options = { cwd, env, encoding: "utf8" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args, "--json"], options);
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
}

function runDirectly(scripts) {
  for (const script of scripts) spawnSync(script, { input: '{"runId": "r"}' });
}

function timed(work) {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
