/** Who may change a loop that an agent works on: a person at a terminal, and nobody who only looks like one. */
import { describe, expect, it } from "vitest";
import { CLI, execute, type Finished } from "../fixtures/command-line.js";
import { LoopProject } from "../fixtures/loop-runs/loop-project.js";

const START = ["Tidy the shed", "--run-id", "shed", "--completion-promise", "FIN", "--criteria", "tests: false"];
const CHANGES = [
  ["loop:amend", "shed", "--criteria", "ok: true", "--drop-criterion", "tests"],
  ["loop:amend", "shed", "--accept-changes"],
  ["loop:pause", "shed"],
  ["loop:cancel", "shed"],
  ["run:pause", "shed"],
  ["run:cancel", "shed"],
  ["loop:resume", "shed", "--max-iterations", "999"],
  ["loop:resume", "shed", "--take", "--session-id", "mine"],
  ["session:resume", "--run-id", "shed", "--session-id", "mine", "--take"],
] as const;

function asTyped(args: readonly string[]): string {
  return args.map((word) => (/\s/u.test(word) ? `'${word}'` : word)).join(" ");
}

async function startedLoop(): Promise<LoopProject> {
  const project = new LoopProject();
  await project.start(START);
  return project;
}

/** Every way to continue a loop that stands still. */
const RESUMPTIONS = [
  ["loop:resume", "shed"],
  ["run:resume", "shed"],
  ["loop:resume", "shed", "--session-id", "mine"],
  ["session:resume", "--run-id", "shed", "--session-id", "mine"],
  ["session:associate", "--run-id", "shed", "--session-id", "mine"],
  ["run", "shed", "--agent", "claude-code"],
] as const;

/** The shell of an agent's tool, below a process with the name of a host; no variable says that it is one. */
async function inTool(project: LoopProject, script: string): Promise<Finished> {
  const where = { cwd: project.dir, home: project.home };
  return execute("/bin/sh", ["-c", '"$@"; exit $?', "sh", "bash", "-c", script], where, "claude");
}

describe("a loop that an agent works on", () => {
  it("L14: an agent cannot make it from below a host, with a stripped environment", async () => {
    const project = await startedLoop();
    const before = project.journal("shed");
    for (const args of CHANGES) {
      const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(" ");
      const { code, stderr } = await inTool(project, `env -i PATH="$PATH" HOME="$HOME" ${words}`);
      expect([code, stderr]).toEqual([7, expect.stringContaining("is for people, but an agent ran this command")]);
    }
    expect(project.journal("shed")).toEqual(before);
  });

  it("L14: nor can a script without a terminal", async () => {
    const project = await startedLoop();
    const before = project.journal("shed");
    for (const args of CHANGES)
      expect(await project.refuse([...args])).toMatchObject({
        code: "ONLY_FOR_PEOPLE",
        exit: 7,
        message: expect.stringContaining("and this command has no terminal") as string,
        hint: `Type it in a terminal: babysitter ${asTyped(args)}`,
      });
    expect(project.journal("shed")).toEqual(before);
  });

  it("L14: recorded with who, when and by which way, and shown in report and status", async () => {
    const project = await startedLoop();
    await project.doc([...CHANGES[0]], { as: "person" });
    const source = { by: expect.any(String) as string, via: "cli", verified: false };
    const [{ payload, timestamp: at } = { payload: {}, timestamp: "" }] = project.events("shed", "LOOP_AMENDED");
    expect(payload).toMatchObject({ by: "person", source });
    const contractChanges = [
      {
        at,
        source,
        terms: [
          { term: "criterion tests", was: "false" },
          { term: "criterion ok", is: "true" },
        ],
      },
    ];
    expect(await project.status("shed")).toMatchObject({ contractChanges });
    expect(await project.doc(["loop:report", "shed"])).toMatchObject({ contractChanges });
    const line = `criterion tests: removed, was "false" (${at} by `;
    expect((await project.run(["loop:status", "shed"])).stdout).toContain(`Contract changed:\n  ${line}`);
    const report = await project.run(["loop:report", "shed"]);
    expect(report.stdout).toMatch(/## Contract changed\n\n- `criterion tests: removed/u);
  });

  it("L14: shown at the end", async () => {
    const project = await startedLoop();
    await project.doc([...CHANGES[0]], { as: "person" });
    project.write({ "done.txt": "" });
    const { message } = await project.claim("<promise>FIN</promise>");
    expect(message).toContain("✅ Babysitter run: done and verified: ok.");
    expect(message).toContain('Contract changed after the loop began:\n  criterion tests: removed, was "false" (');
  });

  it("L14: limits that were raised are a change too; pausing and resuming are none", async () => {
    const project = await startedLoop();
    await project.doc(["loop:pause", "shed"], { as: "person" });
    await project.doc(["loop:resume", "shed"], { as: "person" });
    expect(await project.status("shed")).toMatchObject({ contractChanges: [] });
    await project.doc(["loop:resume", "shed", "--max-iterations", "99"], { as: "person" });
    const terms = [{ term: "limit iterations", was: "50", is: "99" }];
    expect(await project.status("shed")).toMatchObject({ contractChanges: [{ terms, source: { via: "cli" } }] });
    expect(project.events("shed", "LOOP_PAUSED")[0]?.payload).toMatchObject({ source: { via: "cli" } });
  });

  it("a cancellation says by whom", async () => {
    const project = await startedLoop();
    await project.doc(["loop:cancel", "shed", "--reason", "enough"], { as: "person" });
    const [event] = project.events("shed", "RUN_CANCELLED");
    expect(event?.payload).toMatchObject({
      reason: "enough",
      source: { via: "cli", by: expect.any(String) as string },
    });
  });
});

describe("a loop that a person has paused", () => {
  it("L14: is not resumed by an agent from below a host, with a stripped environment", async () => {
    const project = await startedLoop();
    await project.doc(["loop:pause", "shed"], { as: "person" });
    const before = project.journal("shed");
    for (const args of RESUMPTIONS) {
      const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(" ");
      const { code, stderr } = await inTool(project, `env -i PATH="$PATH" HOME="$HOME" ${words}`);
      expect([args, code, stderr]).toEqual([
        args,
        7,
        expect.stringContaining(
          "Resuming a loop that a person has paused is for people, but an agent ran this command",
        ),
      ]);
    }
    expect(project.journal("shed")).toEqual(before);
  });

  it("L14: nor by a script without a terminal, nor where an agent's pause came first", async () => {
    const project = await startedLoop();
    await project.pauseByFile();
    expect((await project.doc(["loop:pause", "shed"], { as: "person" })).paused).toBe(true);
    const before = project.journal("shed");
    for (const args of RESUMPTIONS)
      expect([args, (await project.refuse([...args])).code]).toEqual([args, "ONLY_FOR_PEOPLE"]);
    expect(project.journal("shed")).toEqual(before);
  });

  it("L14: is resumed by a person, who is recorded", async () => {
    const project = await startedLoop();
    await project.doc(["loop:pause", "shed"], { as: "person" });
    expect((await project.doc(["loop:resume", "shed"], { as: "person" })).resumed).toBe(true);
    const [event] = project.events("shed", "LOOP_RESUMED");
    expect(event?.payload).toMatchObject({ by: "person", source: { via: "cli" } });
  });

  it("one that nobody in particular has paused is resumed by anyone", async () => {
    const project = await startedLoop();
    await project.pauseByFile();
    expect((await project.doc(["loop:resume", "shed"], { env: { CLAUDECODE: "1" } })).resumed).toBe(true);
  });
});

describe("everybody may change", () => {
  it("a loop that no agent has worked on", async () => {
    const project = new LoopProject();
    await project.doc(["loop:start", ...START]);
    await project.doc([...CHANGES[0]]);
    expect((await project.run(["loop:cancel", "shed"])).code).toBe(0);
  });

  it("a loop of a project whose answers are open, but not an agent that is marked as one", async () => {
    const project = new LoopProject({ ".a5c/config.json": '{ "breakpoints": { "answers": "open" } }\n' });
    await project.start(START);
    const env = { CLAUDECODE: "1" };
    expect((await project.refuse([...CHANGES[0]], { env })).code).toBe("ONLY_FOR_PEOPLE");
    await project.doc([...CHANGES[0]]);
    await project.doc(["loop:cancel", "shed"]);
  });
});
