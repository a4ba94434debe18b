/** A project whose process asks a human, driven through the command line. */
import type { TestContext } from "vitest";
import { type CallOptions, Project } from "../cli/command-line.js";

export interface BreakpointDoc {
  breakpointId: string;
  runId: string;
  runDir: string;
  state: string;
  outcome: string;
  question: string;
  risk?: string;
  shown: string;
  next: string | null;
  result: Record<string, unknown> | null;
  files: { path: string; text?: string; refused?: string; now?: string; cutAt?: number }[];
  comments: { text: string; author: string }[];
  breakpoints: BreakpointDoc[];
}

/** A process with this body, and files beside it; all goes away with the test, which may be one of several at once. */
export function askingProject(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  body: string,
  files: Record<string, string> = {},
): Project {
  const project = new Project({ "p.mjs": `export async function process(inputs, ctx) {\n${body}\n}\n`, ...files });
  onTestFinished(() => project.remove());
  return project;
}

export const GATE = `const { approved, feedback, option, comments } = await ctx.breakpoint({ question: "Ship it?", options: ["now", "later"] });
  return { approved, feedback, option, comments: comments.length };`;

/** Creates a run of the project's process and asks; answers the id of the question. */
export async function ask(project: Project, runId: string, more: string[] = []): Promise<string> {
  await project.create("p.mjs", runId, more);
  const { nextActions } = await project.ask(["run:iterate", runId]);
  return nextActions[0]?.effectId as string;
}

/** A command with --json; answers its document, whatever its exit code. */
export async function call(
  project: Project,
  args: string[],
  options: CallOptions = {},
): Promise<{ code: number | null; doc: BreakpointDoc; error: { code: string; message: string; hint: string } }> {
  const done = await project.run([...args, "--json"], options);
  const doc = done.json() as unknown as BreakpointDoc & { error: { code: string; message: string; hint: string } };
  return { code: done.code, doc, error: doc.error };
}
