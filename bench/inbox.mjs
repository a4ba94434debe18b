/** Measures the inbox: its start, how fast a question is on the page, long lists, its pages, and its memory over time. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { fileStorage } from "../packages/sdk/dist/journal/files/file-storage.js";
import { sealBehind, sealFirst } from "../packages/sdk/dist/journal/rules/chain.js";
import { headOf } from "../packages/sdk/dist/model/events.js";
import { openDesk } from "../packages/sdk/dist/operate.js";

const BIN = path.resolve(import.meta.dirname, "../packages/breakpoints/bin/babysitter-breakpoints.mjs");
const START = Date.UTC(2026, 0, 20, 8);
/** One question of a run in the long test, with what is said to it. */
const EVENTS_OF_QUESTION = 10;
const RUNS = 100;

/** Adds the rows about the inbox to a benchmark. */
export async function measureInbox({ work, rounds, quick, row, note }) {
  try {
    await starts({ work, rounds, row, note });
    await manyQuestions({ work, rounds, note }, quick ? 1_000 : 10_000);
    await latency({ work, note }, quick ? 50 : 300);
    await memory({ work, row, note }, quick ? 10_000 : 100_000);
  } finally {
    for (const child of servers) child.kill("SIGKILL");
  }
}

/** Those that run. */
const servers = new Set();

async function starts({ work, rounds, note }) {
  const samples = [];
  for (let n = 0; n < rounds; n += 1) {
    const server = await startServer(path.join(work, "inbox-start"));
    samples.push(server.readyMs);
    if (n === 0) note("first load of the inbox: all that the first page needs, gzipped", await firstLoad(server));
    await server.end();
  }
  note("inbox: from the start of its process until it listens, ms, median", at(samples, 0.5).toFixed(0));
}

/** The page, and what it names itself. */
async function firstLoad({ origin }) {
  const load = async (address) => {
    const response = await fetch(new URL(address, origin), { headers: { "Accept-Encoding": "gzip" } });
    const text = await response.text();
    return { text, bytes: Number(response.headers.get("content-length")) };
  };
  const { text, bytes } = await load("/");
  const needed = [...text.matchAll(/(?:src|href)="(\.?\/assets\/[^"]+)"/gu)].map(([, address]) => address);
  const loaded = await Promise.all(needed.map(async (address) => (await load(address)).bytes));
  const sum = loaded.reduce((total, size) => total + size, bytes);
  return `${(sum / 1024).toFixed(1)} KiB in ${needed.length + 1} files`;
}

async function manyQuestions({ work, rounds, note }, count) {
  const home = path.join(work, "inbox-many");
  const journals = Array.from({ length: RUNS }, (_, n) => new WrittenRun(home, `many-${n}`));
  for (const journal of journals) {
    journal.create();
    for (let n = 0; n < count / RUNS; n += 1) journal.ask(n);
    await journal.write();
  }
  const began = performance.now();
  const server = await startServer(home);
  while ((await server.read("/api/questions?limit=1")).open < count);
  const readMs = performance.now() - began;
  const times = async (query) => {
    const samples = [];
    for (let n = 0; n < rounds * 2; n += 1) {
      const before = performance.now();
      await server.read(`/api/questions?${query}`);
      samples.push(performance.now() - before);
    }
    return `${at(samples, 0.5).toFixed(1)} / ${at(samples, 0.95).toFixed(1)}`;
  };
  note(
    `${count} open questions in ${RUNS} runs: from the start of the process until all are listed, s`,
    (readMs / 1_000).toFixed(1),
  );
  note(`a page of 50 of ${count} open questions, ms, median / p95`, await times("limit=50"));
  note(`the same, searched for two words, ms, median / p95`, await times("limit=50&search=question+99"));
  await server.end();
  const again = await startServer(home);
  note(`inbox that has read ${count} questions before: until it listens, ms`, again.readyMs.toFixed(0));
  await again.end();
}

/** From the time that the file of an event has until a listening page has heard of it. */
async function latency({ work, note }, count) {
  const home = path.join(work, "inbox-live");
  const journal = new WrittenRun(home, "live");
  journal.create();
  await journal.write();
  const server = await startServer(home);
  const stream = await server.live();
  const samples = [];
  for (let n = 0; n < count; n += 1) {
    journal.ask(n);
    await journal.write();
    const writtenAt = Math.max(...journal.newFiles().map((file) => fs.statSync(file).mtimeMs));
    samples.push((await stream.heardOf(questionId("live", n))) - writtenAt);
    // A run that writes all the time is read a few times a second; this is one that asks now and then.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const numbers = [0.5, 0.95, 1].map((share) => at(samples, share).toFixed(0));
  note(`question in a journal until a page has heard of it, ms, median / p95 / worst of ${count}`, numbers.join(" / "));
  await server.end();
}

/** Runs that ask, comment and decide as fast as the disk takes it, while a page listens. */
async function memory({ work, row, note }, events) {
  const home = path.join(work, "inbox-memory");
  const journals = Array.from({ length: RUNS }, (_, n) => new WrittenRun(home, `memory-${n}`));
  for (const journal of journals) {
    journal.create();
    await journal.write();
  }
  const server = await startServer(home);
  const stream = await server.live();
  const questions = events / EVENTS_OF_QUESTION;
  const began = performance.now();
  const samples = [];
  for (let done = 0; done < questions; done += 1) {
    const journal = journals[done % RUNS];
    const n = Math.floor(done / RUNS);
    journal.ask(n);
    for (let said = 2; said < EVENTS_OF_QUESTION; said += 1) journal.comment(n);
    journal.decide(n);
    await journal.write();
    if ((done + 1) % (questions / 20) !== 0) continue;
    // Nobody is so far behind that what comes now would be left out.
    await stream.heardOf(questionId(journal.runId, n));
    samples.push(residentMb(server.pid));
  }
  const seconds = (performance.now() - began) / 1_000;
  note(
    `${events} events in ${RUNS} runs at ${Math.round(events / seconds)} events per second: changes heard`,
    String(stream.count),
  );
  const [tenth, half, end] = [samples[1], samples[9], samples[19]];
  note(
    "memory of the inbox meanwhile, MB at 10 % / 50 % / 100 %",
    [tenth, half, end].map((mb) => mb.toFixed(0)).join(" / "),
  );
  row("memory of the inbox at the end / at half", end / half, "flat", { samples });
  await server.end();
}

/** A run whose events are written as they are, in batches. */
class WrittenRun {
  #drafts = [];
  #head;
  #seen = new Set();
  #store;

  constructor(home, runId) {
    this.runId = runId;
    this.runsDir = path.join(home, "project", ".a5c", "runs");
    this.#store = fileStorage({ runsDir: this.runsDir, durability: "relaxed" }).store;
  }

  create() {
    this.#add("RUN_CREATED", {
      runId: this.runId,
      processId: "bench/inbox",
      entry: { path: "p.mjs", export: "process" },
      projectRoot: "../../..",
      inputs: { value: {} },
      codeHash: "code",
      semantics: 1,
      seed: "seed",
    });
  }

  ask(n) {
    const question = `Is this question ${n} of ${this.runId}?`;
    this.#add(
      "EFFECT_REQUESTED",
      {
        kind: "breakpoint",
        scope: "",
        argsHash: "0",
        after: 0,
        iteration: 1,
        definition: { value: { kind: "breakpoint", breakpoint: { payload: { question } } } },
        args: { value: {} },
      },
      n,
    );
  }

  comment(n) {
    this.#add("BREAKPOINT_COMMENTED", { text: "hm", author: "mia", via: "cli", verified: false }, n);
  }

  decide(n) {
    const value = { approved: true, feedback: "yes", respondedBy: "mia", via: "web", verified: true };
    this.#add("EFFECT_RESOLVED", { status: "ok", attempt: 1, by: "post", result: { value } }, n);
  }

  async write() {
    const drafts = this.#drafts;
    this.#drafts = [];
    if (this.#head === undefined) {
      const first = sealFirst(this.runId, drafts[0]);
      const events = [first, ...sealBehind(headOf(first), drafts.slice(1))];
      await this.#store.create(this.runId, events);
      this.#head = headOf(events.at(-1));
    } else {
      const events = sealBehind(this.#head, drafts);
      const { conflict } = await this.#store.append(this.runId, events);
      if (conflict) throw new Error(`${this.runId} has another head`);
      this.#head = headOf(events.at(-1));
    }
  }

  /** Files of its journal that were not there when this was asked last. */
  newFiles() {
    const folder = path.join(this.runsDir, this.runId, "journal");
    const found = fs.readdirSync(folder).filter((name) => !this.#seen.has(name));
    for (const name of found) this.#seen.add(name);
    return found.map((name) => path.join(folder, name));
  }

  #add(type, payload, n) {
    const place =
      n === undefined
        ? {}
        : { effectId: questionId(this.runId, n), invocationKey: `breakpoint:${n + 1}`, taskId: "breakpoint" };
    this.#drafts.push({ type, timestamp: new Date(START + (n ?? 0)).toISOString(), ...place, payload });
  }
}

function questionId(runId, n) {
  return `effect-${createHash("sha256").update(`${runId}\n${n}`).digest("hex").slice(0, 20)}`;
}

async function startServer(home) {
  const project = path.join(home, "project");
  fs.mkdirSync(path.join(project, ".a5c", "runs"), { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, REPO_ROOT: project };
  const began = performance.now();
  const child = spawn(process.execPath, [BIN, "start", "--port", "0", "--api-port", "0", "--json"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  servers.add(child);
  child.once("exit", () => servers.delete(child));
  const { value: line } = await readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const readyMs = performance.now() - began;
  const { port, pid } = JSON.parse(line);
  const origin = `http://localhost:${port}`;
  const { link } = openDesk({ env }).access.makeLink("bench");
  const signed = await fetch(`${origin}/api/sign-in`, {
    method: "POST",
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify({ link, name: "bench" }),
  });
  const headers = { Authorization: `Bearer ${(await signed.json()).token}` };
  const end = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  };
  const read = async (address) => (await fetch(`${origin}${address}`, { headers })).json();
  const live = async () => new Stream(await fetch(`${origin}/api/live`, { headers }));
  return { origin, pid, readyMs, read, live, end };
}

/** What a page hears; only when each question was heard of last is kept. */
class Stream {
  count = 0;
  #heard = new Map();
  #wake = () => undefined;

  constructor(response) {
    void this.#listen(response).catch(() => undefined);
  }

  async #listen(response) {
    let text = "";
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const now = performance.timeOrigin + performance.now();
      const parts = (text + piece).split("\n\n");
      text = parts.pop();
      for (const part of parts) {
        const data = /^data: (.*)$/mu.exec(part)?.[1];
        const { changed = [] } = data === undefined ? {} : JSON.parse(data);
        if (changed.length > 0) this.count += 1;
        for (const { id } of changed) this.#heard.set(id, now);
      }
      this.#wake();
    }
  }

  async heardOf(id) {
    while (!this.#heard.has(id)) await new Promise((resolve) => void (this.#wake = resolve));
    return this.#heard.get(id);
  }
}

function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+) kB/u.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}

/** The value below which this share of them is. */
function at(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
