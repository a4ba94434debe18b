/** Counts and checks two letters in parallel, asks for a decision, and publishes a summary. */
import { defineTask } from "@a5c-ai/babysitter-sdk";

// A node task is one of your files, run in a separate program. Its return value is the result.
const countWords = defineTask("count-words", ({ letter }) => ({
  kind: "node",
  title: `Count words in ${letter}`,
  node: { entry: "tasks/count-words.mjs" },
}));

// A shell task is a command line. It runs in the project's root unless told otherwise.
const lookOver = defineTask("look-over", () => ({
  kind: "shell",
  title: "Look for blanks at line ends",
  shell: { command: "sh tasks/look-over.sh letters/*.txt", cwd: import.meta.dirname },
}));

const publish = defineTask("publish", () => ({
  kind: "node",
  title: "Publish the summary",
  node: { entry: "tasks/publish.mjs" },
}));

/** @type {import("@a5c-ai/babysitter-sdk").ProcessFunction} */
export default async function letters(_inputs, ctx) {
  ctx.log("Two letters have come in.");

  // All three are requested together and run in parallel; the results keep the order of this list.
  const [question, answer] = await ctx.parallel.all([
    () => ctx.task(countWords, { letter: "to-the-lighthouse.txt" }),
    () => ctx.task(countWords, { letter: "to-the-harbour.txt" }),
    () => ctx.task(lookOver),
  ]);

  const words = question.words + answer.words;
  const decision = await ctx.breakpoint({
    title: "Publish the letters?",
    question: `Together they have ${words} words, and no blanks at line ends.`,
  });
  if (!decision.approved) return { published: false, because: decision.feedback ?? "no reason given" };

  // Nothing is kept in memory for this: close the laptop here, and the run continues when it is driven again.
  await ctx.sleep(700, { label: "Let the ink dry" });

  const { file } = await ctx.task(publish, { letters: [question, answer] });
  return { published: true, words, file };
}
