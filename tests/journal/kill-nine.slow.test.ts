import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliProject, type CommandEnd, type Document } from "../fixtures/cli/cli-project.js";
import { generator } from "../fixtures/journal/power-cut-disk.js";

const KILLS = 1_000;
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
  let project: CliProject;

  beforeAll(() => {
    project = new CliProject(PROCESS);
  });
  afterAll(() => project.remove());

  it(`J2 J4: ${KILLS} kills at random moments lose nothing that was acknowledged and stop nothing`, async () => {
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
    const listed = await project.must(["run:list"]);
    expect(listed["runs"]).toHaveLength(tally.runs);
  });
});

/** Kills commands at moments spread over their whole life, which it learns from the ones that it lets live. */
class Killer {
  readonly #project: CliProject;
  readonly #random: () => number;
  readonly #tally: { kills: number; acknowledged: number };
  readonly #lives = new Map<string, number>();

  constructor(project: CliProject, random: () => number, tally: { kills: number; acknowledged: number }) {
    this.#project = project;
    this.#random = random;
    this.#tally = tally;
  }

  /** Starts the command and kills it up to three times; then lets it live. Tells who was acknowledged before. */
  async attempt(args: string[]): Promise<{ acknowledged: Document[]; last: CommandEnd }> {
    const [name = ""] = args;
    const acknowledged: Document[] = [];
    const tries = 1 + Math.floor(this.#random() * 3);
    for (let index = 0; index < tries && this.#lives.has(name); index += 1) {
      const killAfterMs = this.#random() * 1.1 * (this.#lives.get(name) as number);
      const end = await this.#project.run(args, { killAfterMs, durability: "relaxed" });
      if (end.killed) this.#tally.kills += 1;
      if (end.json === undefined) continue;
      acknowledged.push(end.json);
      this.#tally.acknowledged += 1;
    }
    const last = await this.#project.run(args, { durability: "relaxed" });
    this.#lives.set(name, last.ms);
    assert.ok(last.json !== undefined, `${args.join(" ")} printed nothing after a kill`);
    return { acknowledged, last };
  }
}

async function surviveOneRun(project: CliProject, runId: string, killer: Killer): Promise<void> {
  const created = await killer.attempt(project.createArguments(runId, { name: runId }));
  if (created.last.exitCode !== 0) assert.equal(created.last.json?.["error"].code, "RUN_EXISTS");
  if (created.acknowledged.length > 0) assert.notEqual(created.last.exitCode, 0, "an acknowledged run is gone");
  const posted = new Map<string, object>();
  for (let step = 0; ; step += 1) {
    assert.ok(step < ROUNDS + 2, "the run does not end");
    const { last } = await killer.attempt(["run:iterate", runId]);
    assert.equal(last.exitCode, 0, JSON.stringify(last.json));
    const { status, output, nextActions } = last.json as Document;
    if (status === "completed") {
      assert.deepEqual(output, expectedOutput(runId));
      break;
    }
    for (const { effectId, invocationKey } of nextActions as Document[])
      await survivePost(project, { runId, effectId, invocationKey }, { killer, posted });
  }
  await expectWhole(project, runId, posted);
}

async function survivePost(
  project: CliProject,
  { runId, effectId, invocationKey }: { runId: string; effectId: string; invocationKey: string },
  { killer, posted }: { killer: Killer; posted: Map<string, object> },
): Promise<void> {
  const value = valueFor(invocationKey);
  const file = project.file(value);
  const { acknowledged, last } = await killer.attempt([
    "task:post",
    runId,
    effectId,
    "--status",
    "ok",
    "--value",
    file,
  ]);
  fs.unlinkSync(file);
  assert.equal(last.exitCode, 0, JSON.stringify(last.json));
  // Only one of all these commands can have recorded it.
  const outcomes = [...acknowledged, last.json as Document].map((document) => document["outcome"] as string);
  assert.ok(outcomes.filter((outcome) => outcome === "committed").length <= 1, outcomes.join(" "));
  if (acknowledged.length > 0) assert.equal(last.json?.["outcome"], "duplicate");
  posted.set(effectId, value);
}

function expectedOutput(name: string): object {
  const values: string[] = [];
  for (let round = 1; round <= ROUNDS; round += 1)
    for (let index = 0; index < WIDTH; index += 1) values.push(`r${round}-t${index}:1`);
  return { name, count: values.length, values };
}

/** Every acknowledged result is there once, the chain is whole, each request was recorded once. */
async function expectWhole(project: CliProject, runId: string, posted: Map<string, object>): Promise<void> {
  const checked = await project.must(["run:check", runId], { durability: "relaxed" });
  expect(checked["findings"]).toEqual([]);
  const { events } = (await project.must(["run:events", runId], { durability: "relaxed" })) as { events: Document[] };
  expect(events.map(({ seq }) => seq as number)).toEqual(events.map((_, index) => index + 1));
  expect(project.sequence(runId)).toEqual(events.map(({ seq }) => seq as number));
  const requested = events.filter(({ type }) => type === "EFFECT_REQUESTED").map(({ effectId }) => effectId as string);
  expect(new Set(requested).size).toBe(requested.length);
  const resolved = events.filter(({ type }) => type === "EFFECT_RESOLVED");
  expect(resolved.map(({ effectId }) => effectId as string).toSorted()).toEqual([...posted.keys()].toSorted());
  for (const { effectId, payload } of resolved) {
    const stored = payload.result as { value?: object; blob?: string };
    const value =
      stored.blob === undefined
        ? stored.value
        : (JSON.parse(
            fs.readFileSync(path.join(project.runDir(runId), "blobs", `${stored.blob}.json`), "utf8"),
          ) as object);
    expect(value).toEqual(posted.get(effectId));
  }
}
