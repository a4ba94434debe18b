import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Doc } from "../fixtures/command-line.js";
import { killedAfter } from "../fixtures/journal/durable-project.js";
import { generator } from "../fixtures/journal/power-cut-disk.js";
import { Project } from "../fixtures/project.js";

/** Each time at other moments. More of them: KILLS=1000. */
const KILLS = Number(process.env["KILLS"] ?? 300);
const LANES = 2;
const ROUNDS = 3;
const WIDTH = 4;
const SEED = Number(process.env["KILL_SEED"] ?? Date.now() % 1_000_000);

const PROCESS = `
export async function process(inputs, ctx) {
  const seen = [];
  for (let round = 1; round <= ${ROUNDS}; round += 1) {
    ctx.log("round", round);
    const ids = Array.from({ length: ${WIDTH} }, (_, index) => "r" + round + "-t" + index);
    seen.push(...await Promise.all(ids.map((id) => ctx.task({ id, kind: "agent" }, { after: seen.length }))));
  }
  return { name: inputs.name, count: seen.length, values: seen.map((value) => value.say) };
}
`;

/** The result for an invocation key; now and then one that becomes a blob. */
function valueFor(key: string): { say: string; ballast?: string } {
  const index = Buffer.from(key).reduce((sum, byte) => sum + byte, 0);
  return index % 5 === 0 ? { say: key, ballast: key.repeat(20_000) } : { say: key };
}

describe("kill -9", () => {
  it(`J2 J4: ${KILLS} kills at random moments lose nothing that was acknowledged and stop nothing`, async () => {
    const project = new Project({ "process.mjs": PROCESS });
    const tally = { kills: 0, runs: 0, acknowledged: 0 };
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      const killer = new Killer(project, generator(SEED + lane), tally);
      while (tally.kills < KILLS) {
        tally.runs += 1;
        await surviveOneRun(project, `run-${tally.runs}`, killer);
      }
    });
    await Promise.all(lanes);
    console.log(`seed ${SEED}: ${tally.kills} kills over ${tally.runs} runs, ${tally.acknowledged} acknowledgements`);
    expect(tally.kills).toBeGreaterThanOrEqual(KILLS);
    expect(tally.acknowledged).toBeGreaterThan(tally.runs);
    const listed = await project.ask(["run:list"]);
    expect(listed.runs).toHaveLength(tally.runs);
  });
});

/** Kills commands at moments spread over their whole life, which it learns from the ones that it lets live. */
class Killer {
  readonly #project: Project;
  readonly #random: () => number;
  readonly #tally: { kills: number; acknowledged: number };
  readonly #lives = new Map<string, number>();

  constructor(project: Project, random: () => number, tally: { kills: number; acknowledged: number }) {
    this.#project = project;
    this.#random = random;
    this.#tally = tally;
  }

  /** Starts the command and kills it up to three times; then lets it live. Tells who was acknowledged before. */
  async attempt(args: string[]): Promise<{ acknowledged: Doc[]; last: { code: number | null; doc: Doc } }> {
    const [name = ""] = args;
    const acknowledged: Doc[] = [];
    const tries = 1 + Math.floor(this.#random() * 3);
    for (let index = 0; index < tries && this.#lives.has(name); index += 1) {
      const end = await this.#project.run(args, killedAfter(this.#random() * 1.1 * (this.#lives.get(name) as number)));
      if (end.signal === "SIGKILL") this.#tally.kills += 1;
      const said = documentOf(end.stdout);
      if (said === undefined) continue;
      acknowledged.push(said);
      this.#tally.acknowledged += 1;
    }
    const began = performance.now();
    const { code, stdout } = await this.#project.run(args);
    this.#lives.set(name, performance.now() - began);
    const doc = documentOf(stdout);
    assert.ok(doc !== undefined, `${args.join(" ")} printed nothing after a kill`);
    return { acknowledged, last: { code, doc } };
  }
}

/** What a command printed; undefined when it did not get that far. */
function documentOf(stdout: string): Doc | undefined {
  try {
    return JSON.parse(stdout) as Doc;
  } catch {
    return undefined;
  }
}

async function surviveOneRun(project: Project, runId: string, killer: Killer): Promise<void> {
  const inputs = `${runId}.json`;
  project.write({ [inputs]: JSON.stringify({ name: runId }) });
  const create = ["run:create", "--process-id", "p", "--entry", "process.mjs", "--run-id", runId, "--inputs", inputs];
  const created = await killer.attempt([...create, "--json"]);
  if (created.last.code !== 0) assert.equal(created.last.doc.error.code, "RUN_EXISTS");
  if (created.acknowledged.length > 0) assert.notEqual(created.last.code, 0, "an acknowledged run is gone");
  const posted = new Map<string, object>();
  for (let step = 0; ; step += 1) {
    assert.ok(step < ROUNDS + 2, "the run does not end");
    const { last } = await killer.attempt(["run:iterate", runId, "--json"]);
    assert.equal(last.code, 0, JSON.stringify(last.doc));
    const { status, output, nextActions } = last.doc;
    if (status === "completed") {
      assert.deepEqual(output, expectedOutput(runId));
      break;
    }
    for (const { effectId, invocationKey } of nextActions)
      await survivePost(project, { runId, effectId, invocationKey }, { killer, posted });
  }
  await expectWhole(project, runId, posted);
}

async function survivePost(
  project: Project,
  { runId, effectId, invocationKey }: { runId: string; effectId: string; invocationKey: string },
  { killer, posted }: { killer: Killer; posted: Map<string, object> },
): Promise<void> {
  const value = valueFor(invocationKey);
  const file = `${effectId}.json`;
  project.write({ [file]: JSON.stringify(value) });
  const { acknowledged, last } = await killer.attempt([
    "task:post",
    runId,
    effectId,
    "--status",
    "ok",
    "--value",
    file,
    "--json",
  ]);
  fs.unlinkSync(project.path(file));
  assert.equal(last.code, 0, JSON.stringify(last.doc));
  // Only one of all these commands can have recorded it.
  const outcomes = [...acknowledged, last.doc].map(({ outcome }) => outcome);
  assert.ok(outcomes.filter((outcome) => outcome === "committed").length <= 1, outcomes.join(" "));
  if (acknowledged.length > 0) assert.equal(last.doc.outcome, "duplicate");
  posted.set(effectId, value);
}

function expectedOutput(name: string): object {
  const values: string[] = [];
  for (let round = 1; round <= ROUNDS; round += 1)
    for (let index = 0; index < WIDTH; index += 1) values.push(`r${round}-t${index}:1`);
  return { name, count: values.length, values };
}

/** Every acknowledged result is there once, the chain is whole, each request was recorded once. */
async function expectWhole(project: Project, runId: string, posted: Map<string, object>): Promise<void> {
  const checked = await project.ask(["run:check", runId]);
  expect(checked.findings).toEqual([]);
  const { events } = await project.ask(["run:events", runId]);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(project.sequence(runId)).toEqual(events.map(({ seq }) => seq));
  const requested = events.filter(({ type }) => type === "EFFECT_REQUESTED").map(({ effectId }) => effectId);
  expect(new Set(requested).size).toBe(requested.length);
  const resolved = events.filter(({ type }) => type === "EFFECT_RESOLVED");
  expect(resolved.map(({ effectId }) => effectId).toSorted()).toEqual([...posted.keys()].toSorted());
  for (const { effectId, payload } of resolved) {
    const stored = payload["result"] as { value?: object; blob?: string };
    const value =
      stored.blob === undefined
        ? stored.value
        : (JSON.parse(
            fs.readFileSync(path.join(project.runDir(runId), "blobs", `${stored.blob}.json`), "utf8"),
          ) as object);
    expect(value).toEqual(posted.get(effectId));
  }
}
