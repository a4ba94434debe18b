/** Text of others cannot speak for us: whatever names, titles and messages hold, every line is ours or marked. */
import { beforeAll, describe, expect, it } from "vitest";
import { HOSTILE, HOSTILE_ARGUMENT, problemsIn } from "../fixtures/hostile-text.js";
import { Project } from "../fixtures/project.js";
import { makeTempDir, removeTempDir } from "../fixtures/temp-dir.js";

const PROCESS = `const T = ${JSON.stringify(HOSTILE)};
const env = { T: ${JSON.stringify(HOSTILE_ARGUMENT)} };
export async function process(inputs, ctx) {
  ctx.log(T);
  ctx.log(T, T);
  ctx.log("data", { [T]: T });
  const command = 'printf %s "$T"; printf %s "$T" >&2; exit 3';
  await ctx.task({ kind: "shell", id: "shout", title: T, labels: [T], shell: { command, env } }, {}, { label: T }).catch(() => 0);
  await ctx.parallel.all([
    () => ctx.task({ kind: "agent", title: T, agent: { name: T, prompt: { role: T, task: T } } }, { [T]: T }, { label: T }),
    () => ctx.task({ kind: "agent", id: T, title: T }, T),
    () => ctx.breakpoint({ question: T, title: T, options: [T, "no"], context: { files: [{ path: T }], note: T } }),
  ]);
}
export async function prints() {
  console.log(T);
}
export async function fails() {
  throw Object.assign(new Error(T), { name: T, code: T, stack: T });
}
`;

describe("what people and agents read of a run full of hostile text", () => {
  let project: Project;
  const ids = { QUESTION: "", TASK: "" };

  beforeAll(async () => {
    const root = makeTempDir();
    project = new Project({ "p.mjs": PROCESS }, "project", root);
    const create = async (run: string, name: string, id: string) =>
      project.ask([
        "run:create",
        "--entry",
        `p.mjs#${name}`,
        "--run-id",
        run,
        "--process-id",
        id,
        "--prompt",
        HOSTILE_ARGUMENT,
      ]);
    await create("r", "process", HOSTILE_ARGUMENT);
    await create("broken", "fails", HOSTILE_ARGUMENT);
    await create("printing", "prints", "p");
    await project.ask(["run:iterate", "r"]);
    await project.ask(["run:iterate", "r"]);
    await project.ask(["run:iterate", "broken"]);
    const { tasks } = await project.ask(["task:list", "r"]);
    ids.QUESTION = tasks.find(({ kind }) => kind === "breakpoint")?.effectId ?? "no question";
    ids.TASK = tasks.find(({ kind }) => kind === "shell")?.effectId ?? "no task";
    await project.ask(["breakpoint:comment", ids.QUESTION, "--text", HOSTILE_ARGUMENT]);
    return () => removeTempDir(root);
  });

  it.concurrent.each(
    `
    run:list, run:status r, run:status broken, run:events r, run:iterate r, run:iterate broken, run:report r
    run:show r, run:show broken, run:watch broken, run:watch broken --logs, run:output broken, run:events broken -f
    run:check r, run:replay r, run:replay broken, run:cancel broken --dry-run, run:prune --dry-run
    task:list r, task:show r TASK, task:show r QUESTION, breakpoint:list, breakpoint:show QUESTION, report
    hook:list, hook:list T, doctor, config:show --origin, paths, run r --no-input, run broken, run r --verbose, run printing
    run:create --entry T --process-id T, run:status T, T, T:T, run:status --T, run:status r --T=T
    task:list r --kind T, run:events r --filter-type T, breakpoint:show T, breakpoint:approve QUESTION --option T
    task:post r TASK --status T, task:post r QUESTION --status ok --value T, task:show r T, run:fork r --at T
    run:list --runs-dir T, hook:dispatch T, loop:start T, loop:status T, session:state --session-id T, run T
    report --since T, run:replay T, run:create --entry p.mjs#T --process-id x, run r --agent T
    `
      .trim()
      .split(/\s*[,\n]\s*/u),
  )("%s", async (typed) => {
    const given: Record<string, string> = { ...ids, T: HOSTILE_ARGUMENT };
    const args = typed.replaceAll(/\b(?:T|TASK|QUESTION)\b/gu, (name) => `\0${name}\0`).split(" ");
    const { stdout, stderr } = await project.run(
      args.map((word) => word.replaceAll(/\0(\w+)\0/gu, (_, name: string) => given[name] ?? name)),
    );
    expect(problemsIn(stdout)).toEqual([]);
    expect(problemsIn(stderr)).toEqual([]);
  });

  it("JSON has it as it is", async () => {
    const { tasks } = await project.ask(["task:list", "r"]);
    expect(tasks.find(({ effectId }) => effectId === ids.TASK)?.label).toBe(HOSTILE);
  });
});
