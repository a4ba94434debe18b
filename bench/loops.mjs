/** Measures the Stop hook as a process, as hosts call it, and the hash of a working tree. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createRun, openRun } from "../packages/sdk/dist/index.js";

const STEPS = `
export async function process(inputs, ctx) {
  for (let n = 0; n <= inputs.steps; n += 1) await ctx.task({ id: "step", kind: "agent" }, { n });
}
`;

/** The kind of hook that is written in a shell with two helpers: state in a file, the last message from the transcript. */
const CLASSIC = `#!/bin/bash
input=$(cat)
session=$(printf '%s' "$input" | jq -r '.session_id // empty')
state="$STATE_DIR/$session.md"
[ -n "$session" ] && [ -f "$state" ] || exit 0
iteration=$(sed -n 's/^iteration: *//p' "$state" | head -1)
limit=$(sed -n 's/^max_iterations: *//p' "$state" | head -1)
promise=$(sed -n 's/^completion_promise: *"\\(.*\\)"$/\\1/p' "$state" | head -1)
[ "$limit" -gt 0 ] && [ "$iteration" -ge "$limit" ] && exit 0
transcript=$(printf '%s' "$input" | jq -r '.transcript_path')
last=$(grep '"role":"assistant"' "$transcript" | tail -1 | jq -r '.message.content | map(select(.type == "text") | .text) | join("\\n")')
said=$(printf '%s' "$last" | perl -0777 -ne 'print $1 if m{<promise>(.*?)</promise>}s')
[ "$said" = "$promise" ] && exit 0
sed "s/^iteration: .*/iteration: $((iteration + 1))/" "$state" > "$state.tmp" && mv "$state.tmp" "$state"
jq -n --arg reason "$(sed '1,/^---$/{/^---$/!d}' "$state")" '{decision: "block", reason: $reason}'
`;

/** Adds the rows about loops to a benchmark. */
export async function measureLoops({ work, cli, rounds, quick, row, note }) {
  const home = path.join(work, "loop-home");
  // Nobody sits here who could pause a loop.
  const answers = { BABYSITTER_BREAKPOINT_ANSWERS: "open" };
  const env = { ...process.env, ...answers, HOME: home, BABYSITTER_HOME: path.join(home, ".a5c") };
  for (const name of ["CLAUDECODE", "AI_AGENT", "CLAUDE_CODE_SESSION_ID"]) delete env[name];
  const sizes = quick ? [10, 500] : [10, 5000];
  for (const size of sizes) await bindRun({ work, cli, env, size });
  const classic = makeClassic(work);
  const transcript = path.join(work, "transcript.jsonl");
  fs.writeFileSync(transcript, transcriptOf());
  const stop = (sessionId) =>
    JSON.stringify({
      session_id: sessionId,
      hook_event_name: "Stop",
      last_assistant_message: "On it.",
    });
  const hook = [cli, "hook:run", "--hook-type", "stop", "--harness", "claude-code"];
  const cases = {
    node: () => spawnSync(process.execPath, ["-e", "0"]),
    idle: () => call(process.execPath, hook, { input: stop("nobody"), env, cwd: work }),
    classicIdle: () =>
      call("bash", [classic.script], { input: stop("nobody"), env: { ...env, STATE_DIR: classic.dir }, cwd: work }),
    classic: () =>
      call("bash", [classic.script], { input: stop("classic"), env: { ...env, STATE_DIR: classic.dir }, cwd: work }),
    ...Object.fromEntries(
      sizes.map((size) => [
        `bound ${size}`,
        () => blocked(call(process.execPath, hook, { input: stop(`s${size}`), env, cwd: work })),
      ]),
    ),
  };
  // A loop in which nothing happens would be paused after a few turns.
  const refresh = () => {
    for (const size of sizes)
      for (const verb of ["run:pause", "run:resume"])
        call(process.execPath, [cli, verb, path.join(work, "loop-runs", `loop-${size}`)], { env, cwd: work });
  };
  const ms = medians(cases, rounds * 2, refresh);
  const [small, large] = sizes.map((size) => ms[`bound ${size}`]);
  note(
    `Stop hook as a process, ms: \`node -e 0\` / no loop / bound at ${sizes.join(" / ")} steps`,
    [ms.node, ms.idle, small, large].map((value) => value.toFixed(0)).join(" / "),
  );
  note(
    "a classic hook in bash, jq and perl, ms: no loop / bound",
    `${ms.classicIdle.toFixed(0)} / ${ms.classic.toFixed(0)}`,
  );
  row("Stop hook without a loop / `node -e 0`", ms.idle / ms.node, "≤ 1.4", ms);
  row(`Stop hook bound to a run of ${sizes[1]} steps / of ${sizes[0]}`, large / small, "≤ 1.5", ms);
  row("Stop hook bound / the classic hook", small / ms.classic, "", ms);
  await measureTree({ work, quick, row, note });
}

/** A run with so many finished steps that a session works on. */
async function bindRun({ work, cli, env, size }) {
  process.env.BABYSITTER_DURABILITY = "relaxed";
  fs.writeFileSync(path.join(work, "loop-steps.mjs"), STEPS);
  const { runDir } = await createRun({
    runsDir: path.join(work, "loop-runs"),
    runId: `loop-${size}`,
    process: { processId: "bench", importPath: path.join(work, "loop-steps.mjs") },
    inputs: { steps: size },
  });
  const run = await openRun({ runDir });
  for (let step = 0; step < size; step += 1) {
    const { nextActions } = await run.iterate();
    await run.post(nextActions[0].effectId, { status: "ok", value: step });
  }
  await run.iterate();
  await run.close();
  call(
    process.execPath,
    [
      cli,
      "session:resume",
      "--session-id",
      `s${size}`,
      "--run-id",
      runDir,
      "--harness",
      "claude-code",
      "--max-iterations",
      "0",
    ],
    { env, cwd: work },
  );
}

function makeClassic(work) {
  const dir = path.join(work, "classic");
  fs.mkdirSync(dir);
  const script = path.join(dir, "stop.sh");
  fs.writeFileSync(script, CLASSIC, { mode: 0o755 });
  fs.writeFileSync(
    path.join(dir, "classic.md"),
    '---\nactive: true\niteration: 1\nmax_iterations: 0\ncompletion_promise: "DONE"\n---\n\nGo on.\n',
  );
  return { dir, script };
}

/** A turn with a few tool calls, as hosts write it down. */
function transcriptOf() {
  const message = (content, n) => ({
    type: "assistant",
    uuid: `a${n}`,
    message: {
      id: `m${n}`,
      role: "assistant",
      content: [content],
      usage: { input_tokens: 10, output_tokens: 5 },
      model: "claude-sonnet-4-5",
    },
  });
  const rows = [
    { type: "user", uuid: "u1", message: { role: "user", content: "Do it." } },
    ...Array.from({ length: 50 }, (_, n) => message({ type: "tool_use", id: `t${n}`, name: "Bash", input: {} }, n)),
    message({ type: "text", text: "On it." }, 50),
  ];
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

async function measureTree({ work, quick, row, note }) {
  const { treeHash } = await import("../packages/sdk/dist/checks/tree-hash.js");
  const count = quick ? 1000 : 10_000;
  const project = path.join(work, "tree");
  for (let n = 0; n < count; n += 1) {
    const dir = path.join(project, `d${n % 100}`);
    if (n < 100) fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(path.join(dir, `f${n}.txt`), `file ${n}\n`.repeat(20));
  }
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
  ])
    spawnSync("git", args, { cwd: project });
  spawnSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", "commit", "-qm", "all"], { cwd: project });
  const cache = path.join(work, "tree-cache");
  const timed = async (dir) => {
    const began = performance.now();
    await treeHash(project, dir);
    return performance.now() - began;
  };
  const first = await timed(cache);
  const same = [];
  const changed = [];
  const bare = [];
  for (let round = 0; round < 7; round += 1) {
    same.push(await timed(cache));
    fs.appendFileSync(path.join(project, "d1/f1.txt"), `${round}\n`);
    changed.push(await timed(cache));
    const began = performance.now();
    spawnSync("git", ["status", "--porcelain"], { cwd: project });
    bare.push(performance.now() - began);
  }
  note(
    `hash of a tree of ${count} files, ms: first / nothing changed / one file changed / \`git status\` there`,
    [first, median(same), median(changed), median(bare)].map((value) => value.toFixed(0)).join(" / "),
  );
  row(`hash of an unchanged tree of ${count} files / \`git status\``, median(same) / median(bare), "", {
    first,
    same,
    changed,
    bare,
  });
}

function call(program, args, options) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", ...options });
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

/** A hook that lets go measures nothing. */
function blocked(stdout) {
  if (!stdout.includes('"block"')) throw new Error(`the hook did not block: ${stdout}`);
}

/** Medians of several ways, each measured once per round, so that all see the same machine. */
function medians(cases, rounds, refresh) {
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    refresh();
    for (const [name, work] of Object.entries(cases)) {
      const began = performance.now();
      work();
      times[name].push(performance.now() - began);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, samples]) => [name, median(samples)]));
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
