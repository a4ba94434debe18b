/**
 * Measures the engine, in ratios within one run.
 *
 *   npm run bench                 the table below, and bench/results/<date>.json
 *   npm run bench -- --quick      smaller sizes, for a look
 *   npm run bench -- plugin gap   only these parts (see PARTS); gap, which needs the real hosts, only by name
 *   npm run bench -- --peers      also installs Restate and the public reference implementation in a temporary
 *                                 folder and runs the same workload on them (needs the npm registry)
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRun, openRun } from "../packages/sdk/dist/index.js";
import { measureDriver, measureParallel } from "./driver.mjs";
import { measureGap } from "./gap.mjs";
import { measureHooks } from "./hooks.mjs";
import { measureInbox } from "./inbox.mjs";
import { measureLoops } from "./loops.mjs";
import { measurePeer } from "./peer.mjs";
import { measurePlugin } from "./plugin.mjs";
import { startRestate } from "./restate.mjs";
import { measureScale } from "./scale.mjs";
import { measureViewer } from "./viewer.mjs";

const args = new Set(process.argv.slice(2));
const SIZES = args.has("--quick") ? [10, 100, 500] : [10, 100, 1000, 5000];
const ROUNDS = args.has("--quick") ? 5 : 15;
/** A size of the reference implementation that is expected to take longer is left out. */
const LONGEST_PEER_MS = 4 * 60_000;
const CLI = path.resolve(import.meta.dirname, "../packages/sdk/dist/cli/babysitter.cjs");
const work = fs.mkdtempSync(path.join(os.tmpdir(), "babysitter-bench-"));
const results = { date: new Date().toISOString(), machine: machine(), rows: [] };

const PROCESS = `
export async function process(inputs, ctx) {
  let sum = 0;
  for (let n = 0; n < inputs.steps; n += 1) sum += await ctx.task({ id: "step", kind: "agent" }, { n });
  return sum;
}
`;
fs.writeFileSync(path.join(work, "steps.mjs"), PROCESS);

const bench = { work, cli: CLI, rounds: ROUNDS, quick: args.has("--quick"), row, note };
const PARTS = {
  start: startUp,
  steps: async () => {
    const restate = args.has("--peers") ? await startRestate(work) : undefined;
    try {
      const sequential = await sequentialSteps(restate);
      if (args.has("--peers")) await peers(sequential);
    } finally {
      restate?.stop();
    }
  },
  commands: commandsAtSize,
  package: packageSize,
  hooks: () => measureHooks(bench),
  plugin: () => measurePlugin(bench),
  loops: () => measureLoops(bench),
  driver: () => measureDriver(bench),
  parallel: () => measureParallel(bench),
  scale: () => measureScale(bench),
  inbox: () => measureInbox(bench),
  viewer: () => measureViewer(bench),
  gap: () => measureGap({ ...bench, rounds: ROUNDS * 2 }),
};

try {
  for (const name of chosenParts()) await PARTS[name]();
} finally {
  fs.rmSync(work, { recursive: true, force: true });
}
report();

/** Those that are named, else all that need nothing but this package. */
function chosenParts() {
  const named = [...args].filter((arg) => !arg.startsWith("--"));
  const unknown = named.filter((name) => !(name in PARTS));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(", ")}: ${Object.keys(PARTS).join(", ")}`);
  return named.length > 0 ? named : Object.keys(PARTS).filter((name) => name !== "gap");
}

/** A run of `steps` steps of which `done` have results; answers its directory. */
async function makeRun(name, { steps, done }, durability = "relaxed") {
  process.env.BABYSITTER_DURABILITY = durability;
  const { runDir } = await createRun({
    runsDir: path.join(work, "runs"),
    runId: name,
    process: { processId: "bench", importPath: path.join(work, "steps.mjs") },
    inputs: { steps },
  });
  const began = performance.now();
  const run = await openRun({ runDir });
  for (let step = 0; step < done; step += 1) {
    const { nextActions } = await run.iterate();
    await run.post(nextActions[0].effectId, { status: "ok", value: step });
  }
  const last = await run.iterate();
  const ms = performance.now() - began;
  await run.close();
  const wholeMs = performance.now() - began;
  if (done === steps && last.output !== (steps * (steps - 1)) / 2)
    throw new Error(`wrong output ${JSON.stringify(last.output)}`);
  return { runDir, ms, wholeMs };
}

function startUp() {
  const node = [process.execPath, ["-e", "0"]];
  const version = [process.execPath, [CLI, "--version"]];
  const [base, cli] = interleaved([node, version], ROUNDS * 2);
  row("CLI start (`--version`) / `node -e 0`", cli / base, "≤ 1.3", { base, cli });
}

/** Of Restate, too, where there is one: each round measures the floor, ours and theirs. */
async function sequentialSteps(restate) {
  const perStep = {};
  const whole = {};
  const floors = {};
  const toFloor = {};
  for (const steps of SIZES) {
    const rounds = steps <= 1000 ? 5 : 1;
    const samples = [];
    const wholeSamples = [];
    const floorSamples = [];
    const ratios = [];
    const restateSamples = [];
    const restateRatios = [];
    for (let round = 0; round < rounds; round += 1) {
      floorSamples.push(floor(300));
      const run = await makeRun(`seq-${steps}-${round}`, { steps, done: steps }, "full");
      samples.push(run.ms / steps);
      wholeSamples.push(run.wholeMs);
      floorSamples.push(floor(300));
      ratios.push(run.ms / steps / ((floorSamples.at(-1) + floorSamples.at(-2)) / 2));
      if (restate === undefined) continue;
      restateSamples.push((await restate.run(steps)) / steps);
      restateRatios.push(restateSamples.at(-1) / samples.at(-1));
    }
    perStep[steps] = median(samples);
    whole[steps] = median(wholeSamples);
    floors[steps] = median(floorSamples);
    toFloor[steps] = median(ratios);
    note(
      `sequential durable step, in-process, N = ${steps}`,
      `${perStep[steps].toFixed(2)} ms; ${(whole[steps] / steps).toFixed(2)} ms with the readable copies under tasks/; floor ${floors[steps].toFixed(2)} ms`,
    );
    if (restate === undefined) continue;
    note(`Restate, sequential durable step, N = ${steps}`, `${median(restateSamples).toFixed(2)} ms`);
    row(`sequential durable step, N = ${steps}: Restate / ours`, median(restateRatios), "", {
      restate: restateSamples,
    });
  }
  const [small, middle, large] = [SIZES[1], SIZES.at(-2), SIZES.at(-1)];
  row(`sequential durable step, N = ${middle} / raw two-file fsync floor`, toFloor[middle], "≤ 2", {
    step: perStep[middle],
    floor: floors[middle],
  });
  row(`cost per step at N = ${large} / at N = ${small}, in-process`, perStep[large] / perStep[small], "≤ 1.3", {
    large: perStep[large],
    small: perStep[small],
  });
  return whole;
}

/** Two files written, synced, and their directory synced: what no durable journal of files can beat. */
function floor(steps) {
  const dir = fs.mkdtempSync(path.join(work, "floor-"));
  const dirFd = fs.openSync(dir, "r");
  const text = JSON.stringify({ seq: 1, type: "EFFECT_REQUESTED", payload: "x".repeat(400) });
  const began = performance.now();
  for (let index = 0; index < steps * 2; index += 1) {
    const fd = fs.openSync(path.join(dir, `${index}.json`), "wx");
    fs.writeSync(fd, text);
    fs.fsyncSync(fd);
    fs.closeSync(fd);
    fs.fsyncSync(dirFd);
  }
  const ms = performance.now() - began;
  fs.closeSync(dirFd);
  return ms / steps;
}

async function commandsAtSize() {
  const [small, large] = [SIZES[0], SIZES.at(-1)];
  const times = {};
  const runs = {};
  for (const size of SIZES)
    runs[size] = (await makeRun(`at-${size}`, { steps: size + 2 * ROUNDS + 5, done: size })).runDir;
  const measured = ["`run:status`", "`run:iterate`, nothing new", "`task:post`", "`run:iterate` after one result"];
  for (const name of measured) times[name] = Object.fromEntries(SIZES.map((size) => [size, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const size of SIZES) {
      const runDir = runs[size];
      const time = (name, ...cli) => {
        const began = performance.now();
        const child = spawnSync(process.execPath, [CLI, ...cli, "--json"], { cwd: work, encoding: "utf8" });
        times[name][size].push(performance.now() - began);
        if (child.status !== 0) throw new Error(`${cli.join(" ")}: ${child.stdout}${child.stderr}`);
        return JSON.parse(child.stdout);
      };
      time("`run:iterate`, nothing new", "run:iterate", runDir);
      const status = time("`run:status`", "run:status", runDir);
      time("`task:post`", "task:post", runDir, status.pendingEffects[0].effectId, "--status", "ok");
      time("`run:iterate` after one result", "run:iterate", runDir);
    }
  }
  for (const name of measured) {
    const medians = Object.fromEntries(SIZES.map((size) => [size, median(times[name][size])]));
    note(`${name}, ms at ${SIZES.join(" / ")} effects`, SIZES.map((size) => medians[size].toFixed(0)).join(" / "));
    const target = name === "`run:iterate` after one result" ? "≤ 3" : "≤ 1.5";
    row(`${name} at ${large} effects / at ${small}`, medians[large] / medians[small], target, medians);
  }
}

function packageSize() {
  const packed = spawnSync("npm", ["pack", "--dry-run", "--json"], {
    cwd: path.resolve(import.meta.dirname, "../packages/sdk"),
    encoding: "utf8",
  });
  const [{ files, unpackedSize }] = JSON.parse(packed.stdout);
  const pages = files.filter(({ path: name }) => name.startsWith("docs/")).reduce((sum, { size }) => sum + size, 0);
  const manifest = JSON.parse(
    fs.readFileSync(path.resolve(import.meta.dirname, "../packages/sdk/package.json"), "utf8"),
  );
  row("installed package without its pages, MB", (unpackedSize - pages) / 1e6, "≤ 3", { unpackedSize });
  note("pages of the documentation in the package, MB", (pages / 1e6).toFixed(2));
  row("dependencies of the package", Object.keys(manifest.dependencies ?? {}).length, "≤ 5", {});
}

/** The reference implementation takes longer for each step than for the one before: large sizes are only estimated. */
async function peers(ours) {
  const measured = [];
  for (const steps of SIZES.filter((size) => size <= 1000)) {
    const what = `public reference implementation, sequential, N = ${steps}`;
    const expected = expectedMs(measured, steps);
    const peer = expected > LONGEST_PEER_MS ? undefined : await measurePeer(work, steps, 2 * LONGEST_PEER_MS);
    if (peer === undefined) {
      // No step of a longer run was ever cheaper; one that was begun has taken all the time there was.
      const { ms: known, steps: count } = measured.at(-1) ?? { ms: 0, steps: 1 };
      const atLeast = Math.max((known / count) * steps, expected > LONGEST_PEER_MS ? 0 : 2 * LONGEST_PEER_MS);
      const minutes = (ms) => `${(ms / 60_000).toFixed(1)} min`;
      note(
        what,
        `not measured to the end: at least ${minutes(atLeast)}, about ${minutes(Math.max(atLeast, expected))} as its steps grow`,
      );
      row(`whole run of ${steps} steps: reference implementation / ours, at least`, atLeast / ours[steps], "", {
        atLeast,
        expected,
        ours: ours[steps],
      });
      continue;
    }
    measured.push({ steps, ms: peer });
    note(what, `${(peer / steps).toFixed(1)} ms per step`);
    row(
      `whole run of ${steps} steps: reference implementation / ours`,
      peer / ours[steps],
      steps === 1000 ? "≥ 100" : "",
      { peer, ours: ours[steps] },
    );
  }
}

/** How long a run takes if its steps go on growing as they did between the last two sizes. */
function expectedMs(measured, steps) {
  const [before, last] = measured.slice(-2).map(({ ms, steps: count }) => ({ perStep: ms / count, count }));
  if (last === undefined) return (before?.perStep ?? 0) * steps;
  const growth = Math.max(0, (last.perStep - before.perStep) / (last.count - before.count));
  return (last.perStep + growth * (steps - last.count)) * steps;
}

/** Median wall time of commands that take turns, so that a busy machine disturbs all of them alike. */
function interleaved(commands, rounds) {
  const samples = commands.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, [file, argv]] of commands.entries()) {
      const began = performance.now();
      spawnSync(file, argv);
      samples[index].push(performance.now() - began);
    }
  }
  return samples.map(median);
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function row(what, value, target, data) {
  add({ what, value, target, data });
}

function note(what, text) {
  add({ what, text });
}

/** The whole takes an hour: each row is told as it comes. */
function add(line) {
  results.rows.push(line);
  process.stderr.write(`${renderRow(line)}\n`);
}

function renderRow({ what, value, text, target }) {
  const shown = text ?? (value >= 10 ? value.toFixed(0) : value.toFixed(2));
  return `| ${[what, shown, target ?? ""].join(" | ")} |`;
}

function machine() {
  return {
    node: process.version,
    cpu: os.cpus()[0]?.model ?? "unknown",
    cores: os.cpus().length,
    platform: `${os.platform()} ${os.release()}`,
  };
}

function report() {
  const { node, cpu, cores, platform } = results.machine;
  const lines = [
    `${results.date.slice(0, 10)}, Node ${node.slice(1)}, ${cores} cores (${cpu}), ${platform}`,
    "",
    "| what | measured | target |",
    "| --- | --- | --- |",
  ];
  lines.push(...results.rows.map(renderRow));
  const dir = path.join(import.meta.dirname, "results");
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(
    path.join(dir, `${results.date.replaceAll(":", "-")}.json`),
    `${JSON.stringify(results, null, 2)}\n`,
  );
  process.stdout.write(`${lines.join("\n")}\n`);
}
