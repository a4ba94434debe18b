/** A release checklist: checks in parallel, a decision about the notes, and a shop that does not always answer. */
import { defineTask } from "@a5c-ai/babysitter-sdk";

const check = defineTask("check", ({ name, command, version }) => ({
  kind: "shell",
  title: `Check the ${name}`,
  shell: { command, env: { VERSION: version }, cwd: `${import.meta.dirname}/product` },
}));

const writeNotes = defineTask("write-notes", ({ version }) => ({
  kind: "node",
  title: `Write the notes for ${version}`,
  node: { entry: "tasks/write-notes.mjs" },
}));

// Exit code 75 means "try again later"; anything else is a failure at once.
const upload = defineTask("upload", ({ version }) => ({
  kind: "node",
  title: `Upload ${version}`,
  node: { entry: "tasks/upload.mjs", timeoutMs: 30_000 },
  retry: { attempts: 4, backoffMs: 100, on: ["exit:75", "timed-out"] },
}));

const CHECKLIST = [
  { name: "syntax", command: "node --check shop.mjs" },
  { name: "changelog", command: 'grep -q "^## $VERSION$" CHANGELOG.md' },
  { name: "open ends", command: "! grep -n FIXME shop.mjs" },
];

/** @type {import("@a5c-ai/babysitter-sdk").ProcessFunction<{ version?: string }>} */
export default async function release({ version = "1.1.0" }, ctx) {
  // All checks run, whatever becomes of the others.
  const ends = await ctx.parallel.settled(CHECKLIST.map((item) => () => ctx.task(check, { ...item, version })));
  const failed = CHECKLIST.filter((_, index) => ends[index]?.status === "rejected").map(({ name }) => name);
  if (failed.length > 0) throw new Error(`${version} is not ready: ${failed.join(", ")}`);

  const { file } = await ctx.task(writeNotes, { version });
  const answer = await ctx.breakpoint({
    title: `Release ${version}?`,
    question: "All checks have passed. These are the notes.",
    context: { files: [{ path: file, format: "markdown" }] },
  });
  if (!answer.approved) return { released: null, because: answer.feedback ?? "no reason given" };

  const { address } = await ctx.task(upload, { version });
  return { released: version, address };
}
