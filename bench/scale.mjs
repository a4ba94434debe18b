/** Measures what grows with the number of events and runs: a few events of a long journal, lists and reports. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createRun, openRun } from "../packages/sdk/dist/index.js";
import { measuredCommand } from "./measured-command.mjs";

/** In each folder, however many runs it has. */
const OPEN = 10;
/** A little more than the time after which a change of a folder can be told from the next one. */
const SETTLED_MS = 3_500;

const PROCESS = `
export async function process(inputs, ctx) {
  for (let n = 0; n < inputs.tasks; n += 1) await ctx.task({ id: "step", kind: "agent" }, { n });
  if (inputs.ask) await ctx.breakpoint({ question: "Go on?" });
  return inputs.tasks;
}
`;

/** Adds the rows about large journals and many runs to a benchmark. */
export async function measureScale({ work, cli, rounds, quick, row, note }) {
  process.env.BABYSITTER_DURABILITY = "relaxed";
  const at = { work: path.join(work, "scale"), cli, rounds, row, note };
  fs.mkdirSync(at.work);
  await manyEvents(at, quick ? 1_000 : 100_000);
  await manyRuns(at, quick ? 400 : 10_000);
}

async function manyEvents({ work, ...bench }, large) {
  const projects = {};
  for (const events of [100, large]) {
    projects[events] = path.join(work, `events-${events}`);
    await makeRuns(projects[events], { runs: 1, tasks: events / 2, open: 1 });
  }
  const commands = {
    "run:events --limit 5 --reverse": ["run:events", "run-0", "--limit", "5", "--reverse"],
    "run:status": ["run:status", "run-0"],
    report: ["report"],
  };
  compare({ ...bench, what: "events in one run" }, projects, commands);
}

async function manyRuns({ work, ...bench }, large) {
  const projects = {};
  for (const runs of [100, large]) {
    projects[runs] = path.join(work, `runs-${runs}`);
    await makeRuns(projects[runs], { runs, tasks: 1, open: OPEN });
  }
  const commands = {
    "run:list": ["run:list"],
    "run:list --open": ["run:list", "--open"],
    "breakpoint:list": ["breakpoint:list"],
    report: ["report"],
  };
  floor(projects[large], bench.note);
  compare({ ...bench, what: "runs" }, projects, commands);
}

/** Runs of `tasks` tasks that have results; the last `open` of them wait for an answer, the others have completed. */
async function makeRuns(dir, { runs, tasks, open }) {
  fs.mkdirSync(dir);
  const file = path.join(dir, "tasks.mjs");
  fs.writeFileSync(file, PROCESS);
  for (let n = 0; n < runs; n += 1) {
    const { runDir } = await createRun({
      runsDir: path.join(dir, ".a5c", "runs"),
      runId: `run-${n}`,
      process: { processId: "bench", importPath: file },
      inputs: { tasks, ask: n >= runs - open },
    });
    const run = await openRun({ runDir });
    for (let step = 0; step < tasks; step += 1) {
      const { nextActions } = await run.iterate();
      await run.post(nextActions[0].effectId, { status: "ok", value: step });
    }
    await run.iterate();
    await run.close();
  }
}

/** CPU time and memory of commands at two sizes, which take turns. */
function compare({ rounds, row, note, what, ...bench }, projects, commands) {
  const [small, large] = Object.keys(projects);
  for (const [name, args] of Object.entries(commands)) {
    // The first call writes what the following ones read.
    const [first] = Object.values(projects)
      .toReversed()
      .map((dir) => measuredCommand([bench.cli, ...args], { cwd: dir }).cpuMs);
    // What has just been written is vouched for only when later changes would be told from it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLED_MS);
    for (const dir of Object.values(projects)) measuredCommand([bench.cli, ...args], { cwd: dir });
    const samples = { [small]: [], [large]: [] };
    for (let round = 0; round < rounds; round += 1)
      for (const size of [small, large])
        samples[size].push(measuredCommand([bench.cli, ...args], { cwd: projects[size] }));
    const cpu = (size) => median(samples[size].map(({ cpuMs }) => cpuMs));
    const megabytes = (size) => Math.max(...samples[size].map(({ kilobytes }) => kilobytes)) / 1024;
    note(
      `\`${name}\` at ${small} / ${large} ${what}: CPU in ms; memory in MB; first call at ${large}, CPU in ms`,
      `${cpu(small).toFixed(0)} / ${cpu(large).toFixed(0)}; ${megabytes(small).toFixed(0)} / ${megabytes(large).toFixed(0)}; ${first.toFixed(0)}`,
    );
    row(`\`${name}\` at ${large} ${what} / at ${small}, CPU`, cpu(large) / cpu(small), "≤ 2", {});
  }
}

/** What a listing that looks at every run cannot do without: most do not. */
function floor(dir, note) {
  const runs = path.join(dir, ".a5c", "runs");
  const script = `
    const before = process.cpuUsage();
    const names = fs.readdirSync(${JSON.stringify(runs)});
    for (const name of names) fs.statSync(${JSON.stringify(runs)} + "/" + name + "/journal", { throwIfNoEntry: false });
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1000);
  `;
  const samples = Array.from({ length: 5 }, () => Number(spawnSync(process.execPath, ["-e", script]).stdout));
  note(
    `readdir and a stat of each of ${fs.readdirSync(runs).length} runs in bare Node, CPU in ms`,
    median(samples).toFixed(0),
  );
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
