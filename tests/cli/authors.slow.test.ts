/** Processes as authors of public libraries write them, answered task by task from their output schemas. */
import { describe, expect, it } from "vitest";
import { type ActionDoc } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  minimum?: number;
}

function sample(schema: Schema | undefined): unknown {
  if (schema?.enum !== undefined) return schema.enum[0];
  switch (schema?.type) {
    case "object":
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, inner]) => [key, sample(inner)]));
    case "array":
      return [sample(schema.items), sample(schema.items)];
    case "number":
    case "integer":
      return schema.minimum ?? 90;
    case "boolean":
      return true;
    case "string":
      return "text";
    case undefined:
    default:
      return {};
  }
}

function answerTo({ kind, taskDef }: ActionDoc): unknown {
  if (kind === "breakpoint") return { approved: true, respondedBy: "tester", feedback: "fine" };
  const { outputSchema } = (taskDef["agent"] ?? taskDef) as { outputSchema?: Schema };
  return sample(outputSchema ?? (taskDef["outputSchema"] as Schema | undefined));
}

/** Answers whatever is pending until the run ends. */
async function drive(
  project: Project,
  runId: string,
  answer: (action: ActionDoc, count: number) => unknown = answerTo,
): Promise<{ output: Record<string, unknown>; kinds: string[]; keys: string[] }> {
  const kinds: string[] = [];
  const keys: string[] = [];
  for (let step = 0; step < 30; step += 1) {
    const iteration = await project.ask(["run:iterate", runId, "--no-hooks"]);
    if (iteration.status === "completed") return { output: iteration.output as Record<string, unknown>, kinds, keys };
    if (iteration.status === "failed") throw new Error(`failed: ${JSON.stringify(iteration.error)}`);
    for (const action of iteration.nextActions) {
      kinds.push(action.kind);
      keys.push(action.invocationKey);
      await project.post(runId, action.effectId, answer(action, keys.length));
    }
  }
  throw new Error("the run does not end");
}

const FEATURE = `/**
 * @process library/feature
 */
import { defineTask } from '@a5c-ai/babysitter-sdk';

export async function process(inputs, ctx) {
  const { feature = 'login', targetQuality = 80, maxIterations = 3 } = inputs;
  const artifacts = [];
  const startTime = ctx.now();
  ctx.log('info', \`Starting \${feature}\`);

  const research = await ctx.task(researchTask, { feature, outputDir: ctx.artifactsDir });
  artifacts.push(...(research.artifacts || []));

  await ctx.breakpoint({
    question: \`Research for \${feature} is complete. Continue?\`,
    title: 'Research Review',
    context: {
      runId: ctx.runId,
      files: research.findings.map((f, i) => ({ path: \`artifacts/f\${i}.md\`, format: 'markdown', label: f })),
      summary: { feature, count: research.findings.length }
    }
  });

  let quality = 0;
  let attempt = 0;
  const history = [];
  while (quality < targetQuality && attempt < maxIterations) {
    attempt++;
    ctx.log(\`Attempt \${attempt}\`, { attempt, quality });
    const built = await ctx.task(implementTask, { feature, attempt, feedback: history.at(-1) ?? null });
    const [review, tests] = await ctx.parallel.all([
      () => ctx.task(reviewTask, { built, attempt }),
      () => ctx.task(testTask, { built, attempt }, { label: \`tests \${attempt}\` })
    ]);
    quality = review.score;
    history.push({ attempt, quality, passed: tests.passed });
  }
  const notes = await ctx.parallel.map(['api', 'ui'], async (area) => {
    const note = await ctx.task(noteTask, { area });
    return { area, ...note };
  });
  const endTime = ctx.now();
  return {
    success: quality >= targetQuality, attempts: attempt, history, notes, artifacts,
    duration: endTime - startTime,
    metadata: { processId: 'library/feature', timestamp: startTime.toISOString(), runId: ctx.runId }
  };
}

export const researchTask = defineTask('research', (args, taskCtx) => ({
  kind: 'agent',
  title: \`Research \${args.feature}\`,
  agent: {
    name: 'researcher',
    prompt: { role: 'analyst', task: 'Research', context: args, instructions: ['Read', 'Summarise'] },
    outputSchema: {
      type: 'object', required: ['findings'],
      properties: { findings: { type: 'array', items: { type: 'string' } }, artifacts: { type: 'array', items: { type: 'object', properties: { path: { type: 'string' } } } } }
    }
  },
  io: { inputJsonPath: \`tasks/\${taskCtx.effectId}/input.json\`, outputJsonPath: \`tasks/\${taskCtx.effectId}/result.json\` },
  labels: ['agent', 'research']
}));
export const implementTask = defineTask('implement', async (args, taskCtx) => ({
  kind: 'agent', title: \`Implement (attempt \${args.attempt})\`, description: 'Write it',
  agent: { name: 'dev', prompt: { context: args }, outputSchema: { type: 'object', properties: { filesChanged: { type: 'array', items: { type: 'string' } } } } },
  io: { inputJsonPath: \`tasks/\${taskCtx.effectId}/input.json\`, outputJsonPath: \`tasks/\${taskCtx.effectId}/result.json\` }
}));
export const reviewTask = defineTask('review', (args) => ({
  kind: 'agent', title: 'Review', agent: { name: 'reviewer', prompt: 'Score it', outputSchema: { type: 'object', properties: { score: { type: 'number' } } } }
}));
export const testTask = defineTask('test', () => ({
  kind: 'node', title: 'Test', node: { entry: './scripts/test.js', args: ['--ci'], timeoutMs: 60000 }, outputSchema: { type: 'object', properties: { passed: { type: 'boolean' } } }
}), { labels: ['ci'] });
export const noteTask = defineTask('note', (args) => ({ kind: 'skill', skill: { name: 'notes', context: args }, outputSchema: { type: 'object', properties: { text: { type: 'string' } } } }));
`;

describe("processes of public libraries", () => {
  it("C5 C6: names that JavaScript objects inherit are ordinary names for tasks and patches", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) {
  const patched = ["constructor", "toString", "usual"].map((id) => ctx.patched(id));
  const results = [];
  for (const id of ["__proto__", "constructor", "toString"]) results.push(await ctx.task({ kind: "agent", id }));
  return { patched, results };
}`,
    });
    await project.create("p.mjs", "r");
    const { output } = await drive(project, "r", ({ taskId }) => taskId);
    expect(output).toEqual({ patched: [true, true, true], results: ["__proto__", "constructor", "toString"] });
  });

  it("C6 C7 C9 C11 C20: a typical feature process runs unchanged to its end", async () => {
    const project = new Project({ "feature.js": FEATURE });
    await project.create("feature.js#process", "lib-1");
    let reviews = 0;
    const { output, kinds, keys } = await drive(project, "lib-1", (action) => {
      // The first review is not good enough, so the loop goes round twice.
      if (action.taskId === "review") return { score: (reviews += 1) === 1 ? 60 : 95 };
      return answerTo(action);
    });
    expect(output).toMatchObject({
      success: true,
      attempts: 2,
      history: [
        { attempt: 1, quality: 60, passed: true },
        { attempt: 2, quality: 95, passed: true },
      ],
      notes: [
        { area: "api", text: "text" },
        { area: "ui", text: "text" },
      ],
      artifacts: [{ path: "text" }, { path: "text" }],
      metadata: { processId: "library/feature", runId: "lib-1" },
    });
    expect(output["duration"]).toBeGreaterThan(0);
    expect(kinds).toEqual([
      "agent",
      "breakpoint",
      "agent",
      "agent",
      "node",
      "agent",
      "agent",
      "node",
      "skill",
      "skill",
    ]);
    expect(keys).toEqual([
      "research:1",
      "breakpoint:1",
      "implement:1",
      "par1[0]/review:1",
      "par1[1]/test:1",
      "implement:2",
      "par2[0]/review:1",
      "par2[1]/test:1",
      "par3[0]/note:1",
      "par3[1]/note:1",
    ]);
    // Builders saw their own effect, labels and options reached the task.
    const [first] = (await project.ask(["task:list", "lib-1"])).tasks;
    const shown = await project.ask(["task:show", "lib-1", first?.effectId ?? ""]);
    expect(shown.task).toMatchObject({
      labels: ["agent", "research"],
      io: { inputJsonPath: `tasks/${first?.effectId}/input.json` },
    });
    const tests = (await project.ask(["task:list", "lib-1"])).tasks.filter(({ taskId }) => taskId === "test");
    expect(tests.map(({ label }) => label)).toEqual(["tests 1", "tests 2"]);
    expect((await project.ask(["task:show", "lib-1", tests[0]?.effectId ?? ""])).task).toMatchObject({
      labels: ["ci"],
    });
    // Every line was recorded once, over all replays.
    const logged = (await project.ask(["run:events", "lib-1", "--filter-type", "PROCESS_LOGGED"])).events.flatMap(
      ({ payload }) => payload["entries"] as { message: string }[],
    );
    expect(logged.map(({ message }) => message)).toEqual(["Starting login", "Attempt 1", "Attempt 2"]);
  });

  it("C6: native Promise.all, retries with try/catch, Date and random values in arguments replay without surprise", async () => {
    const project = new Project({
      "p.mjs": `import { defineTask } from "@a5c-ai/babysitter-sdk";
const step = defineTask("step", (args) => ({ kind: "agent", title: args.name, agent: { prompt: args.name } }));
async function retry(ctx, name, times) {
  for (let attempt = 1; ; attempt++) {
    try { return await ctx.task(step, { name, attempt }); }
    catch (error) { if (attempt === times) throw error; }
    finally { ctx.log("tried " + name); }
  }
}
export async function process(inputs, ctx) {
  const id = crypto.randomUUID();
  const started = Date.now();
  const [a, b] = await Promise.all([retry(ctx, "a", 3), retry(ctx, "b", 3)]);
  const c = await ctx.task(step, { name: "c", id, started, at: new Date(), roll: Math.random() });
  return { a, b, c, same: started === new Date(started).getTime(), id };
}`,
    });
    await project.create("p.mjs", "r");
    const first = await project.ask(["run:iterate", "r"]);
    const [a, b] = first.nextActions.map(({ effectId }) => effectId);
    const fail = ["--status", "error", "--error", "-"];
    await project.ask(["task:post", "r", a ?? "", ...fail], { stdin: '{"message":"flaky"}' });
    await project.post("r", b ?? "", "B");
    const { output } = await drive(project, "r", (action) => action.taskDef["title"]);
    expect(output).toMatchObject({ a: "a", b: "B", c: "c", same: true });
    expect(output["id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("C7: a rejected gate that nobody reads ends the run; one that is read decides", async () => {
    const project = new Project({
      "unread.mjs": `export async function process(inputs, ctx) {
  await ctx.breakpoint({ question: "Deploy to production?" });
  return ctx.task({ kind: "shell", shell: { command: "deploy" }, id: "deploy" });
}`,
      "read.mjs": `export async function process(inputs, ctx) {
  const answer = await ctx.breakpoint({ question: "Deploy?", title: "Gate", options: ["now", "later"] });
  return answer.approved ? "deployed" : { reason: answer.feedback, by: answer.respondedBy, option: answer.option };
}`,
    });
    await Promise.all([project.create("unread.mjs", "unread"), project.create("read.mjs", "read")]);
    const rejection = { approved: false, feedback: "too risky", respondedBy: "ana", option: "later" };
    for (const runId of ["unread", "read"]) {
      const { nextActions } = await project.ask(["run:iterate", runId, "--no-hooks"]);
      expect(nextActions[0]).toMatchObject({
        kind: "breakpoint",
        taskDef: { breakpoint: { payload: expect.anything() as unknown } },
      });
      await project.post(runId, nextActions[0]?.effectId ?? "", rejection);
    }
    const unread = await project.ask(["run:iterate", "unread"]);
    expect(unread).toMatchObject({
      status: "failed",
      error: { name: "BreakpointRejectedError", code: "BREAKPOINT_REJECTED" },
    });
    expect((await project.ask(["task:list", "unread"])).tasks).toHaveLength(1);
    expect(await project.ask(["run:iterate", "read"])).toMatchObject({
      status: "completed",
      output: { reason: "too risky", by: "ana", option: "later" },
    });
  });
});
