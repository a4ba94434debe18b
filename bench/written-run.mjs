/** Writes journals as fast as the disk takes them, without executing anything. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileStorage } from "../packages/sdk/dist/journal/files/file-storage.js";
import { sealBehind, sealFirst } from "../packages/sdk/dist/journal/rules/chain.js";
import { headOf } from "../packages/sdk/dist/model/events.js";

/** Between the beginnings of two tasks. */
const STEP_MS = 1_000;
const START = Date.UTC(2026, 0, 20, 8);

/** A run whose events are written as they are, in batches. */
export class WrittenRun {
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

  /** Tasks that are requested, started and done at once, numbered from `first`: three events each. */
  wave(first, width) {
    for (let n = first; n < first + width; n += 1) this.request(n, Math.floor(first / width));
    for (let n = first; n < first + width; n += 1) {
      const payload = { attempt: 1, executor: "shell", host: "bench" };
      this.#add("EFFECT_STARTED", payload, n, { task: "step", ms: n * STEP_MS + STEP_MS / 4 });
    }
    for (let n = first; n < first + width; n += 1) {
      const payload = { status: "ok", attempt: 1, by: "shell", result: { value: { n, exitCode: 0 } } };
      this.#add("EFFECT_RESOLVED", payload, n, { task: "step", ms: (n + width) * STEP_MS });
    }
  }

  /** A task that nobody has started yet. */
  request(n, iteration = 0) {
    const title = `step ${n}`;
    const definition = { value: { kind: "shell", title, shell: { command: `make part-${n}` } } };
    const rest = { scope: "", argsHash: "0", after: 0, args: { value: {} } };
    this.#add("EFFECT_REQUESTED", { kind: "shell", title, iteration, definition, ...rest }, n, {
      task: "step",
      ms: n * STEP_MS,
    });
  }

  complete(steps) {
    const payload = { output: { value: { steps } }, completionProof: "proof", iteration: 1, abandoned: [] };
    this.#add("RUN_COMPLETED", payload, undefined, { ms: (steps + 1) * STEP_MS });
  }

  /** What a task has printed. */
  log(n, text) {
    const folder = path.join(this.runsDir, this.runId, "tasks", effectIdOf(this.runId, n));
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, "stdout.log"), text);
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

  /** Of the newest file in its journal that was not there when this was asked last, by the clock of the disk. */
  lastWrittenAt() {
    const folder = path.join(this.runsDir, this.runId, "journal");
    const found = fs.readdirSync(folder).filter((name) => !this.#seen.has(name));
    for (const name of found) this.#seen.add(name);
    // Others may put notes there for a moment.
    const stats = found.map((name) => fs.statSync(path.join(folder, name), { throwIfNoEntry: false }));
    return Math.max(...stats.map((stat) => stat?.mtimeMs ?? 0));
  }

  #add(type, payload, n, { task = "breakpoint", ms = n ?? 0 } = {}) {
    const place =
      n === undefined ? {} : { effectId: effectIdOf(this.runId, n), invocationKey: `${task}:${n + 1}`, taskId: task };
    this.#drafts.push({ type, timestamp: new Date(START + ms).toISOString(), ...place, payload });
  }
}

export function effectIdOf(runId, n) {
  return `effect-${createHash("sha256").update(`${runId}\n${n}`).digest("hex").slice(0, 20)}`;
}
