import { describe, expect, it } from "vitest";
import { Project } from "../fixtures/project.js";

const ESM = `import { defineTask } from "@a5c-ai/babysitter-sdk";
const work = defineTask("work", (args) => ({ kind: "agent", title: "Work", agent: { prompt: String(args.n) } }));
export async function process(inputs, ctx) { return { done: await ctx.task(work, { n: 1 }) }; }
`;
const CJS = `const { defineTask } = require("@a5c-ai/babysitter-sdk");
const work = defineTask("work", (args) => ({ kind: "agent", title: "Work", agent: { prompt: String(args.n) } }));
exports.process = async (inputs, ctx) => ({ done: await ctx.task(work, { n: 1 }) });
`;
const TS = `import { defineTask, type ProcessContext } from "@a5c-ai/babysitter-sdk";
import { title } from "./title.ts";
interface Args { n: number }
const work = defineTask<Args, string>("work", (args) => ({ kind: "agent", title, agent: { prompt: String(args.n) } }));
export async function process(_inputs: unknown, ctx: ProcessContext): Promise<{ done: string }> {
  return { done: await ctx.task(work, { n: 1 } satisfies Args) };
}
`;

describe("process files", () => {
  it("C1 C6: ESM, CommonJS and TypeScript run by their syntax, whatever the package type, with nothing installed", async () => {
    const types = { module: '{"type":"module"}', commonjs: '{"type":"commonjs"}', none: "{}" };
    const kinds: Record<string, string> = {
      "esm.js": ESM,
      "cjs.js": CJS,
      "esm.mjs": ESM,
      "cjs.cjs": CJS,
      "typed.ts": TS,
    };
    const files: Record<string, string> = {};
    const entries: string[] = [];
    for (const [type, manifest] of Object.entries(types)) {
      files[`${type}/package.json`] = manifest;
      files[`${type}/title.ts`] = 'export const title: string = "Work";\n';
      for (const [name, text] of Object.entries(kinds)) {
        files[`${type}/${name}`] = text;
        // Extensions that name a format say the same everywhere; once is enough for them.
        if (/\.[jt]s$/.test(name) || type === "none") entries.push(`${type}/${name}`);
      }
    }
    // Spaces, percent signs and letters beyond ASCII are ordinary in folder names.
    const project = new Project(files, "mein projekt 100% ü");
    await Promise.all(
      entries.map(async (entry, index) => {
        const runId = `r${index}`;
        await project.create(entry, runId);
        const waiting = await project.ask(["run:iterate", runId]);
        expect({ ...waiting, entry }).toMatchObject({
          entry,
          status: "waiting",
          nextActions: [{ taskId: "work", kind: "agent", taskDef: { title: "Work", agent: { prompt: "1" } } }],
        });
        await project.post(runId, waiting.nextActions[0]?.effectId ?? "", entry);
        expect({ ...(await project.ask(["run:iterate", runId])), entry }).toMatchObject({
          entry,
          status: "completed",
          output: { done: entry },
        });
      }),
    );
  });
});
