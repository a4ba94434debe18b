/** Measures the driver: many short tasks against a bare pool, memory over a long run, the demo. */
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const CONCURRENCY = 4;

const PROCESS = `
export async function process(inputs, ctx) {
  const tasks = Array.from({ length: inputs.tasks }, (_, n) => n);
  const run = (n) => ctx.task({ kind: "shell", title: "task " + n, shell: { command: inputs.command } });
  if (inputs.parallel) await ctx.parallel.map(tasks, run);
  else for (const n of tasks) await run(n);
  return tasks.length;
}
`;

/** Adds the driver's rows to a benchmark. */
export async function measureDriver({ work, cli, quick, row, note }) {
  fs.writeFileSync(path.join(work, "tasks.mjs"), PROCESS);
  await againstBarePool({ work, cli, quick, row, note });
  await memory({ work, cli, quick, row, note });
  demo({ note });
}

/** Adds the row about very many tasks at once. */
export async function measureParallel({ work, cli, quick, note }) {
  fs.writeFileSync(path.join(work, "tasks.mjs"), PROCESS);
  const tasks = quick ? 200 : 2000;
  const { ms, samples } = await drive({ work, cli, tasks, command: "true", parallel: true, sample: true });
  const highest = (who) => (Math.max(...samples.map((sample) => sample[who])) / 1024).toFixed(0);
  note(
    `${tasks} parallel shell tasks, ${CONCURRENCY} at once: ms per task; memory of driver / process host at most, MB`,
    `${(ms / tasks).toFixed(1)}; ${highest("driver")} / ${highest("host")}`,
  );
}

async function againstBarePool({ work, cli, quick, row, note }) {
  const tasks = quick ? 40 : 200;
  const command = "sleep 0.05";
  const ratios = [];
  const samples = [];
  for (let round = 0; round < 3; round += 1) {
    const before = await barePool(work, { tasks, command });
    const driven = await drive({ work, cli, tasks, command, parallel: true });
    const after = await barePool(work, { tasks, command });
    ratios.push(driven.ms / ((before + after) / 2));
    samples.push(`${(driven.ms / 1000).toFixed(2)} s / ${((before + after) / 2000).toFixed(2)} s`);
  }
  const median = ratios.toSorted((a, b) => a - b)[1];
  note(`${tasks} shell tasks of 50 ms, ${CONCURRENCY} at once: driven / bare pool`, samples.join(", "));
  row(`${tasks} shell tasks of 50 ms, driven / bare Node pool with the same files`, median, "≤ 1.3", { ratios });
}

/** The same processes and the same files, synced alike, by a few lines of Node. */
async function barePool(work, { tasks, command }) {
  const dir = fs.mkdtempSync(path.join(work, "pool-"));
  const journal = path.join(dir, "journal");
  fs.mkdirSync(journal);
  const journalFd = fs.openSync(journal, "r");
  const text = JSON.stringify({ seq: 1, type: "EFFECT_REQUESTED", payload: "x".repeat(400) });
  let events = 0;
  const append = (sync) => {
    events += 1;
    const fd = fs.openSync(path.join(journal, `${events}.json`), "wx");
    fs.writeSync(fd, text);
    fs.fsyncSync(fd);
    fs.closeSync(fd);
    if (sync) fs.fsyncSync(journalFd);
  };
  const began = performance.now();
  for (let n = 0; n < tasks; n += 1) append(n === tasks - 1);
  let next = 0;
  const worker = async () => {
    while (next < tasks) {
      const taskDir = path.join(dir, "tasks", String(next));
      next += 1;
      fs.mkdirSync(taskDir, { recursive: true });
      for (const name of ["task.json", "inputs.json"]) fs.writeFileSync(path.join(taskDir, name), text);
      const logs = ["stdout.log", "stderr.log"].map((name) => fs.openSync(path.join(taskDir, name), "w"));
      const child = spawn("/bin/sh", ["-c", command], { stdio: ["ignore", ...logs], detached: true });
      append(true);
      await new Promise((resolve) => child.once("exit", resolve));
      for (const fd of logs) fs.closeSync(fd);
      append(true);
      fs.writeFileSync(path.join(taskDir, "result.json"), text);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const ms = performance.now() - began;
  fs.closeSync(journalFd);
  return ms;
}

async function memory({ work, cli, quick, row, note }) {
  const tasks = quick ? 300 : 5000;
  const { ms, samples } = await drive({ work, cli, tasks, command: "true", parallel: false, sample: true });
  const at = (part) => samples[Math.floor((samples.length - 1) * part)];
  const megabytes = (kilobytes) => (kilobytes / 1024).toFixed(0);
  note(`driven steps, one shell task after the other, N = ${tasks}`, `${(ms / tasks).toFixed(1)} ms per step`);
  note(
    `memory of the driver over ${tasks} tasks, MB at 10 % / 50 % / 100 %`,
    [0.1, 0.5, 1].map((part) => megabytes(at(part).driver)).join(" / "),
  );
  note(
    `memory of the process host, MB at 10 % / 50 % / 100 %`,
    [0.1, 0.5, 1].map((part) => megabytes(at(part).host)).join(" / "),
  );
  row(`memory of the driver at the end / at half of ${tasks} tasks`, at(1).driver / at(0.5).driver, "flat", {});
}

function drive({ work, cli, tasks, command, parallel, sample = false }) {
  const inputs = path.join(work, "tasks.json");
  fs.writeFileSync(inputs, JSON.stringify({ tasks, command, parallel }));
  const began = performance.now();
  const argv = [cli, "run", "tasks.mjs", "--inputs", inputs, "--concurrency", String(CONCURRENCY), "--json"];
  const env = { ...process.env, BABYSITTER_DURABILITY: "full" };
  const child = spawn(process.execPath, argv, { cwd: work, env, stdio: ["ignore", "pipe", "ignore"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => (stdout += chunk));
  const samples = [];
  const timer = sample ? setInterval(() => samples.push(memoryOf(child.pid)), 200) : undefined;
  return new Promise((resolve, reject) => {
    child.on("close", (code) => {
      clearInterval(timer);
      const ms = performance.now() - began;
      if (code !== 0 || JSON.parse(stdout).output !== tasks) reject(new Error(`the driver failed: ${stdout}`));
      else resolve({ ms, samples: samples.filter(({ driver, host }) => driver > 0 && host > 0) });
    });
  });
}

/** Resident memory in kilobytes, of the driver and of the program that hosts the process. */
function memoryOf(pid) {
  const children = read(`/proc/${pid}/task/${pid}/children`).trim().split(" ");
  const host = children.find((child) => read(`/proc/${child}/cmdline`).includes("internal:process-worker"));
  return { driver: residentOf(pid), host: residentOf(host) };
}

function residentOf(pid) {
  return Number(/^VmRSS:\s+(\d+)/mu.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
}

function read(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function demo({ note }) {
  const root = path.resolve(import.meta.dirname, "..");
  const began = performance.now();
  const { status } = spawnSync("npm", ["start"], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  if (status !== 0) throw new Error(`npm start ended with ${status}`);
  note("`npm start`, installed, to the finished demo", `${((performance.now() - began) / 1000).toFixed(1)} s`);
}
