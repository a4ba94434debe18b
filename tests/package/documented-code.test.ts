import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { compile } from "../fixtures/package/compile.js";
import { asTypeScript, exampleFiles, filesOf, PAGES } from "../fixtures/package/documented-code.js";

/** Every file in its own folder, and beside it what it would be in TypeScript. */
function inBothForms(files: Record<string, string>, folder: string): Record<string, string> {
  const entries = Object.entries(files).flatMap(([name, text]) => {
    // Beside each other they are found under their new names too.
    const typed = (name.endsWith(".ts") ? text : asTypeScript(text)).replaceAll(
      /(?<=from "\.[^"]*\.)[cm]?[jt]s(?=")/gu,
      "js",
    );
    return [
      [path.posix.join("js", folder, name), text],
      [path.posix.join("ts", folder, name.replace(/\.[cm]?[jt]s$/u, ".ts")), typed],
    ];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

const PRELUDE = `import {
  defineTask, type DefinedTask, type ProcessContext, type ProcessFunction, type ShellResult, type TaskDef,
} from "@a5c-ai/babysitter-sdk";
declare const ctx: ProcessContext;
/** Equal, not only assignable. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <Fact extends true>(fact?: Fact): void => void fact;
const sh = defineTask("sh", ({ count }: { count: number }) => ({ kind: "shell", shell: { command: "git", args: ["log", -count] } }));
const build = defineTask<{ target: string }, { files: string[] }>("build", () => ({ kind: "node", node: { entry: "b.mjs" } }));
void [ctx, holds, sh, build];
`;

/** Each is the body of an async function, after the prelude. */
const ACCEPTED: Record<string, string> = {
  "a shell task resolves to what its command left": `
    holds<Same<typeof sh, DefinedTask<{ count: number }, ShellResult>>>();
    const result = await ctx.task(sh, { count: 1 }, { label: "x" });
    holds<Same<typeof result, ShellResult>>();`,
  "an async builder, a command line and a list of arguments": `
    const late = defineTask("late", async ({ n }: { n: number }, task) => ({ kind: "shell", title: task.effectId, shell: { argv: ["seq", n], allowFailure: true } }));
    holds<Same<Awaited<ReturnType<typeof ctx.task<never, typeof late>>>, ShellResult>>();
    const { stdout } = await ctx.task(defineTask("files", () => ({ kind: "shell", shell: "git ls-files" })));
    stdout.trim();`,
  "a builder that returns one of several definitions": `
    const either = defineTask("either", ({ quick }: { quick: boolean }) =>
      quick ? { kind: "shell", shell: "true" } : { kind: "node", node: { entry: "x.mjs" }, retry: { attempts: 2, on: ["exit:75"] } });
    await ctx.task(either, { quick: true });`,
  "the stated result of a node task": `
    const { files } = await ctx.task(build, { target: "app" });
    holds<Same<typeof files, string[]>>();
    const stated = await ctx.task<{ n: number }>({ kind: "node", node: { entry: "x.mjs", timeout: 1, stdin: "x" } });
    holds<Same<typeof stated, { n: number }>>();`,
  "tasks without types": `
    const untyped = defineTask("untyped", ({ text }) => ({ kind: "agent", agent: { prompt: text, outputSchema: { type: "object" }, tone: "kind" } }));
    const { anything } = await ctx.task(untyped, { text: "x" });
    await ctx.task(untyped);
    void anything;`,
  "plain objects, declared and inferred": `
    const plain = { id: "build", kind: "node", node: { entry: "./scripts/build.js", timeout: 300000 } };
    const { files } = await ctx.task(plain, { target: "app" });
    const declared: TaskDef = { kind: "shell", shell: { command: "ls", env: { A: "1", B: 2, C: undefined } }, retry: 3 };
    await ctx.task(declared);
    const shown = await ctx.task({ kind: "shell", shell: { command: "ls" } });
    holds<Same<typeof shown, ShellResult>>();
    void files;`,
  "kinds and fields of one's own": `
    const ticket: TaskDef = { kind: "ticket", ticket: { system: "x" }, priority: 3 };
    await ctx.task(ticket);
    await ctx.task(defineTask("t", () => ({ kind: "ticket", ticket: { system: "x" }, priority: 3 })));
    await ctx.task(defineTask("o", () => ({ kind: "orchestrator_task", orchestratorTask: { payload: 1 } })));
    await ctx.task(defineTask("l", () => ({ shell: { command: "x" } }), { kind: "shell", labels: ["slow"], owner: "me" }));`,
  "a question with options, files and risk": `
    const answer = await ctx.breakpoint(
      { question: "?", title: "!", options: ["a", { id: "b", label: "B", reject: true }], risk: "high", context: { files: ["x", { path: "y", format: "markdown" }], round: 3 } },
      { onReject: "return", label: "l" });
    if (!answer.approved) answer.feedback?.trim();
    (await ctx.task({ kind: "breakpoint", breakpoint: { payload: { question: "?" } } })).approved satisfies boolean;`,
  "an agent task by the builder's own word, a milestone, and work that nobody waits for": `
    const review = defineTask("review", ({ file }: { file: string }, { agent }) => agent({ title: "Review", prompt: file }));
    const { verdict } = await ctx.task(review, { file: "x" });
    ctx.checkpoint({ title: "Reviewed", message: "x", context: { verdict } });
    ctx.detach(ctx.task(sh, { count: 1 }));`,
  "branches, place by place": `
    const all = await ctx.parallel.all([() => ctx.task(sh, { count: 1 }), () => ctx.task(build, { target: "x" }), () => 3, ctx.sleep(3)]);
    holds<Same<typeof all, [ShellResult, { files: string[] }, number, void]>>();
    const many = await ctx.parallel.all(["a", "b"].map((target) => () => ctx.task(build, { target })));
    holds<Same<typeof many, { files: string[] }[]>>();
    const mapped = await ctx.parallel.map(["a"], (item, index) => ctx.task(build, { target: item + index }), { concurrency: 3 });
    holds<Same<typeof mapped, { files: string[] }[]>>();
    const first = await ctx.parallel.race([() => ctx.task(build, { target: "x" }), () => ctx.sleep(3)]);
    holds<Same<typeof first, void | { files: string[] }>>();
    const [end] = await ctx.parallel.settled([() => ctx.task(build, { target: "x" }), () => 3]);
    if (end.status === "fulfilled") end.value.files.at(0);`,
  "processes with and without types of their own": `
    const typed: ProcessFunction<{ count?: number }, { written: boolean }> = async ({ count = 5 }, it) => {
      await it.task(sh, { count });
      return { written: true };
    };
    const free: ProcessFunction = async (inputs, it) => it.log(inputs.anything);
    void [typed, free];`,
};

/** What the compiler must say about a mistake. */
const REFUSED: [what: string, code: string, message: RegExp][] = [
  [
    "a misspelt kind",
    'defineTask("x", () => ({ kind: "shel", shell: { command: "x" } }))',
    /only the kinds shell, node and agent/u,
  ],
  [
    "a misspelt kind of a node task",
    'defineTask("x", () => ({ kind: "nod", node: { entry: "x" } }))',
    /only the kinds shell, node and agent/u,
  ],
  [
    "a misspelt kind of an agent task",
    'defineTask("x", () => ({ kind: "agnet", agent: { prompt: "x" } }))',
    /only the kinds shell, node and agent/u,
  ],
  [
    "a misspelt kind in a plain object",
    'ctx.task({ kind: "shel", shell: { command: "x" } })',
    /only the kinds shell, node and agent/u,
  ],
  [
    "a misspelt kind in a declared object",
    'const t: TaskDef = { kind: "shel", shell: { command: "x" } }',
    /not assignable to type 'TaskDef'/u,
  ],
  ["a shell task without a command", 'defineTask("x", () => ({ kind: "shell", title: "x" }))', /'shell' is missing/u],
  [
    "a shell section without a command",
    'defineTask("x", () => ({ kind: "shell", shell: { timeoutMs: 1 } }))',
    /'argv' is missing/u,
  ],
  [
    "a misspelt command",
    'defineTask("x", () => ({ kind: "shell", shell: { comand: "x" } }))',
    /Did you mean to write 'command'/u,
  ],
  ["a node task without a file", 'defineTask("x", () => ({ kind: "node" }))', /'node' is missing/u],
  [
    "a misspelt entry",
    'defineTask("x", () => ({ kind: "node", node: { entri: "x" } }))',
    /Did you mean to write 'entry'/u,
  ],
  [
    "an unknown field of shell",
    'defineTask("x", () => ({ kind: "shell", shell: { command: "x", timeoutMS: 3 } }))',
    /shell has no field timeoutMS/u,
  ],
  [
    "an unknown field of node",
    'defineTask("x", () => ({ kind: "node", node: { entry: "x", command: "x" } }))',
    /node has no field command/u,
  ],
  [
    "an unknown field in an async builder",
    'defineTask("x", async () => ({ kind: "shell", shell: { command: "x", timoutMs: 3 } }))',
    /shell has no field timoutMs/u,
  ],
  [
    "an unknown field in a plain object",
    'ctx.task({ kind: "shell", shell: { command: "x", timoutMs: 3 } })',
    /shell has no field timoutMs/u,
  ],
  [
    "an unknown field in a declared object",
    'const t: TaskDef = { kind: "shell", shell: { command: "x", timoutMs: 3 } }',
    /Did you mean to write 'timeoutMs'/u,
  ],
  [
    "an unknown field in one of several definitions",
    'defineTask("x", ({ a }) => a ? { kind: "shell", shell: "x", retry: { attempts: 1, atempts: 3 } } : { kind: "shell", shell: "y" })',
    /retry has no field atempts/u,
  ],
  [
    "a field of a task in another case",
    'defineTask("x", () => ({ kind: "shell", shell: "x", timeoutMS: 3 }))',
    /timeoutMS differs only in case/u,
  ],
  [
    "the same in a declared object",
    'const t: TaskDef = { kind: "shell", shell: "x", timeoutMS: 3 }',
    /Did you mean to write 'timeoutMs'/u,
  ],
  [
    "a misspelt field of retry",
    'defineTask("x", () => ({ kind: "shell", shell: "x", retry: { atempts: 3 } }))',
    /Did you mean to write 'attempts'/u,
  ],
  [
    "another one beside a known one",
    'defineTask("x", () => ({ kind: "shell", shell: "x", retry: { attempts: 3, backofMs: 3 } }))',
    /retry has no field backofMs/u,
  ],
  [
    "attempts that are no number",
    'defineTask("x", () => ({ kind: "shell", shell: "x", retry: { attempts: "3" } }))',
    /'string' is not assignable to type 'number'/u,
  ],
  [
    "a time limit that is no number",
    'defineTask("x", () => ({ kind: "shell", shell: { command: "x", timeoutMs: "5s" } }))',
    /'string' is not assignable to type 'number'/u,
  ],
  [
    "arguments that are no list",
    'defineTask("x", () => ({ kind: "shell", shell: { command: "x", args: "y" } }))',
    /not assignable to type 'readonly Argument\[\]'/u,
  ],
  [
    "a prompt that is neither text nor object",
    'defineTask("x", () => ({ kind: "agent", agent: { prompt: 3 } }))',
    /'number' is not assignable to type 'string \| object/u,
  ],
  ["a builder that returns no definition", 'defineTask("x", () => "ls")', /'string' is not assignable/u],
  [
    "a definition instead of a builder",
    'defineTask("x", { kind: "shell", shell: "x" })',
    /'kind' does not exist in type '\(args/u,
  ],
  ["text instead of a task", 'ctx.task("sh")', /'string' is not assignable/u],
  ["missing arguments", "ctx.task(sh)", /Expected 2-3 arguments, but got 1/u],
  ["misspelt arguments", "ctx.task(sh, { cuont: 3 })", /Did you mean to write 'count'/u],
  ["arguments of another type", 'ctx.task(sh, { count: "3" })', /'string' is not assignable to type 'number'/u],
  ["misspelt options of a task", 'ctx.task(sh, { count: 3 }, { lable: "x" })', /Did you mean to write 'label'/u],
  ["a field that a shell result does not have", "(await ctx.task(sh, { count: 3 })).stdot", /Did you mean 'stdout'/u],
  [
    "a shell result as something else",
    "const text: string = await ctx.task(sh, { count: 3 })",
    /'ShellResult' is not assignable to type 'string'/u,
  ],
  [
    "a field that a stated result does not have",
    'void (await ctx.task(build, { target: "x" })).fils',
    /Did you mean 'files'/u,
  ],
  [
    "a wrong place in a tuple",
    "void (await ctx.parallel.all([() => ctx.task(sh, { count: 1 }), () => 3]))[1].stdout",
    /'stdout' does not exist on type 'number'/u,
  ],
  [
    "misspelt options of branches",
    'ctx.parallel.map(["a"], (item) => item, { concurency: 3 })',
    /Did you mean to write 'concurrency'/u,
  ],
  ["a sleep that is no number", 'ctx.sleep("5s")', /'string' is not assignable to parameter of type 'number'/u],
  ["a sleep until no time", "ctx.sleepUntil({})", /not assignable to parameter of type 'string \| number \| Date'/u],
  ["a question without a question", "ctx.breakpoint()", /Expected 1-2 arguments, but got 0/u],
  ["an unknown risk", 'ctx.breakpoint({ question: "?", risk: "hihg" })', /"hihg"' is not assignable/u],
  [
    "a misspelt risk",
    'ctx.breakpoint({ question: "?", riks: "high" })',
    /'riks' does not exist in type 'BreakpointPayload'/u,
  ],
  [
    "a misspelt field of an option",
    'ctx.breakpoint({ question: "?", options: [{ lable: "x" }] })',
    /Did you mean to write 'label'/u,
  ],
  [
    "a file to review without a path",
    'ctx.breakpoint({ question: "?", context: { files: [{ format: "x" }] } })',
    /'path' is missing/u,
  ],
  ["an unknown way to reject", 'ctx.breakpoint("?", { onReject: "thorw" })', /Did you mean '"throw"'/u],
  ["misspelt options of a question", 'ctx.breakpoint("?", { onRejct: "throw" })', /Did you mean to write 'onReject'/u],
  [
    "misspelt options of a hook",
    'ctx.hook("x", {}, { throwOnFailur: true })',
    /Did you mean to write 'throwOnFailure'/u,
  ],
  ["work without a promise to detach", "ctx.detach(sh)", /'then' is missing/u],
  ["a misspelt call", 'ctx.breakpiont("x")', /Did you mean 'breakpoint'/u],
  [
    "inputs that a process does not have",
    "const p: ProcessFunction<{ n: number }> = async ({ m }) => m",
    /'m' does not exist on type '\{ n: number; \}'/u,
  ],
  [
    "an output that a process has not promised",
    "const p: ProcessFunction<{}, { ok: boolean }> = async () => ({ okay: 1 })",
    /'ok' is missing/u,
  ],
];

describe("types", () => {
  const documented = {
    ...Object.assign({}, ...PAGES.map((page) => inBothForms(filesOf(page), page))),
    ...inBothForms(exampleFiles(), "examples"),
  } as Record<string, string>;
  const accepted = Object.entries(ACCEPTED).map(([, code], at) => [
    `accepted-${at}.ts`,
    `${PRELUDE}export async function f() {${code}\n}\n`,
  ]);
  const refused = REFUSED.map(([, code], at) => [
    `refused-${at}.ts`,
    `${PRELUDE}export async function f() {\n${code};\n}\n`,
  ]);
  const files = { ...documented, ...Object.fromEntries([...accepted, ...refused]) } as Record<string, string>;
  let messages: Map<string, string[]>;

  /** One program for all files: what takes time is reading the libraries. */
  beforeAll(() => {
    messages = compile(files);
  });

  it("C26: what pages and examples show compiles strictly, in JavaScript and in TypeScript", () => {
    expect(Object.keys(documented).length).toBeGreaterThan(20);
    expect(Object.keys(documented).flatMap((name) => messages.get(name) ?? [])).toEqual([]);
  });

  it.each(Object.keys(ACCEPTED).map((what, at) => [what, at] as const))("C26: accepted: %s", (_, at) => {
    expect(messages.get(`accepted-${at}.ts`) ?? []).toEqual([]);
  });

  it.each(REFUSED.map(([what, , message], at) => [what, message, at] as const))(
    "C26: refused: %s",
    (_, message, at) => {
      expect(messages.get(`refused-${at}.ts`)).toEqual([expect.stringMatching(message)]);
    },
  );

  it("C26: the same holds with the strictest options that projects have, and without the types of Node", () => {
    const strictest = {
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      types: [],
    };
    expect(Object.fromEntries(compile(Object.fromEntries(accepted) as Record<string, string>, strictest))).toEqual({});
  });
});
