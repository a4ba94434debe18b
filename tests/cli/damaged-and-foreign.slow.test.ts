/** Looking at runs that others have made or damaged. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Project } from "../fixtures/project.js";

describe("run:list", () => {
  it("C21: lists every run with its state; runs of other tools and damaged ones are shown, not touched", async () => {
    const project = new Project({
      "wait.mjs": "export const process = (inputs, ctx) => ctx.task({ kind: 'agent', id: 'a' });\n",
      "done.mjs": "export const process = () => 1;\n",
      "fail.mjs": "export const process = () => { throw new Error('boom'); };\n",
      ".a5c/runs/foreign/run.json": '{"runId":"foreign","processId":"other"}',
      ".a5c/runs/foreign/journal/000001.01JABCDEFGHJKMNPQRSTVWXYZ0.json": '{"type":"RUN_CREATED","data":{}}',
      ".a5c/runs/just-a-folder/readme.txt": "hello",
    });
    const empty = new Project();
    expect(await empty.ask(["run:list"])).toEqual({ runsDir: empty.runsDir, runs: [] });
    expect(empty.tree()).toEqual({});
    await Promise.all(
      Object.entries({ waiting: "wait", completed: "done", failed: "fail", created: "wait", damaged: "wait" }).map(
        async ([runId, file]) => {
          await project.create(`${file}.mjs`, runId);
          if (runId !== "created") await project.run(["run:iterate", runId]);
        },
      ),
    );
    const [, second = ""] = Object.keys(project.journal("damaged")).toSorted();
    fs.writeFileSync(project.path(".a5c/runs/damaged/journal", second), "{");
    fs.rmSync(project.path(".a5c/runs/damaged/state"), { recursive: true });
    // Caches may be made by looking; nothing else may.
    const truth = (): Record<string, string> =>
      Object.fromEntries(Object.entries(project.tree()).filter(([name]) => !/\/state\//.test(name)));
    const before = truth();
    const listed = await project.ask(["run:list"]);
    const states = Object.fromEntries(listed.runs.map(({ runId, state }) => [runId, state]));
    expect(states).toEqual({
      waiting: "waiting",
      completed: "completed",
      failed: "failed",
      created: "created",
      damaged: "damaged",
      foreign: "foreign",
    });
    for (const run of listed.runs) expect(run.runDir).toBe(path.join(project.runsDir, run.runId));
    const row = (id: string) => listed.runs.find(({ runId }) => runId === id);
    expect(row("waiting")).toMatchObject({
      processId: "test/p",
      foreign: false,
      createdAt: expect.any(String) as string,
    });
    expect(row("foreign")).toMatchObject({ foreign: true });
    expect(row("damaged")?.why).toContain("run:check damaged");
    expect(row("failed")?.why).toContain("boom");
    const open = (await project.ask(["run:list", "--open"])).runs.map(({ runId }) => runId);
    expect(open.toSorted()).toEqual(["created", "damaged", "failed", "waiting"]);
    const { stdout } = await project.run(["run:list"]);
    expect(stdout).toMatch(/^# +RUN +STATE +AGE +PROCESS$/m);
    expect(stdout).toMatch(/^@\d +completed +completed +\d+ s/m);
    expect(truth()).toEqual(before);
    const foreign = ["run:status", "run:iterate", "run:events", "run:repair", "task:list"];
    const refusals = await Promise.all(foreign.map((name) => project.refuse([name, "foreign"])));
    expect(refusals.map(({ code, exit }) => `${code} ${exit}`)).toEqual(foreign.map(() => "FOREIGN_RUN 7"));
    expect(truth()).toEqual(before);
  });
});

it("C4: a damaged state.json is rebuilt by the next command, whichever it is", async () => {
  const project = new Project({
    "p.mjs": `export async function process(_, ctx) {
  await ctx.task({ kind: "agent", id: "a" });
  return ctx.breakpoint({ question: "May I?" });
}`,
  });
  await project.create("p.mjs", "r");
  const { nextActions } = await project.ask(["run:iterate", "r"]);
  const effectId = nextActions[0]?.effectId ?? "";
  const file = project.path(".a5c/runs/r/state/state.json");
  const good = fs.readFileSync(file, "utf8");
  const damages = ["", "{", good.slice(0, -40), good.replace('"requested"', '"completed"'), `${good}\n`];
  const commands = [
    ["run:status", "r"],
    ["run:list"],
    ["run:events", "r"],
    ["run:check", "r"],
    ["run:repair", "r"],
    ["task:list", "r"],
    ["task:show", "r", effectId],
    ["breakpoint:list"],
    ["report"],
    ["run:fork", "r", "--at", "1", "--run-id", "copy"],
    ["run:iterate", "r"],
    ["task:post", "r", effectId, "--status", "ok"],
    ["run:cancel", "r"],
    ["run:prune", "--older-than", "1d"],
  ];
  const left: string[] = [];
  for (const [at, args] of commands.entries()) {
    fs.writeFileSync(file, damages[at % damages.length] ?? "");
    await project.ask(args);
    const [, body = "", seal] = /^(.*),"seal":"([0-9a-f]{64})"\}\n$/su.exec(fs.readFileSync(file, "utf8")) ?? [];
    if (seal !== createHash("sha256").update(body).digest("hex")) left.push(args.join(" "));
  }
  expect(left).toEqual([]);
});
