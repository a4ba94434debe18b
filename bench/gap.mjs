/**
 * Measures how long a host pauses at the end of a turn: from the model's last byte to the next request, with our Stop
 * hook, and with hooks that only say "go on". All of them take their turns in alternation.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createRun, openRun } from "../packages/sdk/dist/index.js";
import { endTurn } from "../packages/sdk/dist/loop-runs/end-turn.js";
import { localPorts } from "../packages/sdk/dist/machine/local-ports.js";
import { sdkAccess } from "../packages/sdk/dist/machine/sdk-access.js";
import { RunJournal } from "../packages/sdk/dist/runs/run-journal.js";
import { environmentOf, HostLane, loadRig, makePlace } from "./host-lane.mjs";

const SIZES = [10, 1000];
const GO_ON = JSON.stringify({ hookSpecificOutput: { hookEventName: "Stop", additionalContext: "Go on." } });
const STEPS = `
export async function process(inputs, ctx) {
  for (let n = 0; n <= inputs.steps; n += 1) await ctx.task({ id: "step", kind: "agent" }, { n });
}
`;
/** A turn that did something, as far as the journal is concerned. */
const QUIET_WORLD = {
  changed: async () => [],
  spend: async () => undefined,
  startVerification: () => undefined,
  isAlive: () => false,
  discovered: () => [],
  changeOf: async () => undefined,
};

/** Adds the rows about the pauses of hosts to a benchmark. */
export async function measureGap({ work, cli, rounds, row, note }) {
  const rig = await loadRig(work);
  for (const version of rig.HOST_VERSIONS)
    for (const kind of ["prompt", "process"]) {
      const dir = path.join(work, `gap-${version}-${kind}`);
      const lanes = await beginLanes({ rig, version, dir, cli, kind });
      const seen = await takeTurns(lanes, rounds);
      tell({ version, kind, seen, row, note });
    }
}

async function beginLanes({ rig, version, dir, cli, kind }) {
  fs.mkdirSync(dir);
  fs.writeFileSync(path.join(dir, "go-on.cjs"), `process.stdout.write(${JSON.stringify(GO_ON)});\n`);
  const empty = { shell: `echo '${GO_ON}'`, node: `node '${path.join(dir, "go-on.cjs")}'` };
  const lanes = {};
  for (const [name, command] of Object.entries(empty))
    lanes[name] = { host: await HostLane.begin({ rig, version, place: makePlace(path.join(dir, name), command) }) };
  for (const size of SIZES) {
    const place = makePlace(path.join(dir, `ours-${size}`));
    const prepare = await (kind === "prompt" ? promptLoop : processLoop)({ place, cli, size });
    lanes[`ours ${size}`] = { host: await HostLane.begin({ rig, version, place }), prepare };
  }
  return lanes;
}

async function takeTurns(lanes, rounds) {
  const names = Object.keys(lanes);
  const seen = Object.fromEntries(names.map((name) => [name, []]));
  try {
    for (let round = -2; round < rounds; round += 1)
      for (let index = 0; index < names.length; index += 1) {
        const name = names[(index + Math.max(round, 0)) % names.length];
        await lanes[name].prepare?.();
        const turn = await lanes[name].host.turn();
        // The first turns fill caches, in every lane.
        if (round >= 0 && turn.ms !== undefined) seen[name].push(turn);
      }
  } finally {
    for (const { host } of Object.values(lanes)) await host.end();
  }
  return seen;
}

function tell({ version, kind, seen, row, note }) {
  const names = Object.keys(seen);
  const of = (pick) => Object.fromEntries(names.map((name) => [name, pick(seen[name])]));
  const ms = of((turns) =>
    quantile(
      0.5,
      turns.map((turn) => turn.ms),
    ),
  );
  const quick = of((turns) =>
    quantile(
      0.1,
      turns.map((turn) => turn.ms),
    ),
  );
  const cpu = of((turns) => turns.reduce((sum, turn) => sum + turn.cpuMs, 0) / turns.length);
  const shown = (values) => names.map((name) => values[name].toFixed(0)).join(" / ");
  const what = `${version}, ${kind} loop`;
  note(
    `${what}: pause of the host, ms, with an empty hook in sh / in node / ours at ${SIZES.join(" / ")} events`,
    `${shown(ms)}; quickest tenth ${shown(quick)}; CPU of hooks ${shown(cpu)}; ${names.map((name) => seen[name].length).join(" / ")} turns`,
  );
  for (const size of SIZES)
    row(
      `${what}: pause with our Stop hook at ${size} events / with an empty node hook`,
      ms[`ours ${size}`] / ms.node,
      "≤ 1.3",
      { ms, quick, cpu, turns: seen },
    );
}

/** A prompt loop of the session with so many events behind it. */
async function promptLoop({ place, cli, size }) {
  const { sessionId, project } = place;
  const session = ["--session-id", sessionId, "--harness", "claude-code", "--max-iterations", "0"];
  const started = call(cli, place, ["loop:start", "Write x", "--completion-promise", "DONE", ...session]);
  const env = { BABYSITTER_DURABILITY: "relaxed" };
  const ports = localPorts({ runsDir: path.dirname(started.runDir), sdk: sdkAccess(), env });
  const journal = await RunJournal.open(ports, started.runId);
  for (let n = 0; journal.summary.head.seq < size; n += 1) {
    const world = {
      ...QUIET_WORLD,
      tree: async () => `tree ${n}`,
      turn: async () => ({ blocks: ["On it."], tools: 1, denied: 0, key: `turn ${n}`, missing: false }),
    };
    const input = { valid: true, sessionId, subagent: false, background: 0, lastMessage: "On it." };
    await endTurn(journal, input, { ports: world, host: {}, runName: "r", projectRoot: project, patienceMs: 0 });
  }
  if (journal.summary.loop.paused !== undefined) throw new Error("the loop was paused");
  return undefined;
}

/** A run with a process of so many events that the session works on; between two turns a step of it gets done. */
async function processLoop({ place, cli, size }) {
  const { sessionId, project } = place;
  process.env.BABYSITTER_DURABILITY = "relaxed";
  fs.writeFileSync(path.join(project, "steps.mjs"), STEPS);
  const { runDir } = await createRun({
    runsDir: path.join(project, ".a5c/runs"),
    runId: `steps-${size}`,
    process: { processId: "bench", importPath: path.join(project, "steps.mjs") },
    inputs: { steps: size + 1000 },
  });
  const step = async (isEnough) => {
    const run = await openRun({ runDir });
    while (!isEnough()) {
      const { nextActions } = await run.iterate();
      await run.post(nextActions[0].effectId, { status: "ok", value: 0 });
    }
    await run.iterate();
    await run.close();
  };
  const events = () => fs.readdirSync(path.join(runDir, "journal")).length;
  await step(() => events() >= size - 3);
  const session = ["--session-id", sessionId, "--harness", "claude-code", "--max-iterations", "0"];
  call(cli, place, ["session:resume", "--run-id", runDir, ...session]);
  return () => {
    let done = 0;
    return step(() => done++ > 0);
  };
}

function call(cli, place, args) {
  const env = environmentOf(place);
  const child = spawnSync(process.execPath, [cli, ...args, "--json"], { cwd: place.project, env, encoding: "utf8" });
  if (child.status !== 0) throw new Error(`${args.join(" ")}: ${child.stdout}${child.stderr}`);
  return JSON.parse(child.stdout);
}

function quantile(part, values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)];
}
