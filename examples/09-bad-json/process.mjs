/** An agent whose answers are not always JSON: it is asked again, and if that does not help, a human decides. */
import { defineTask } from "@a5c-ai/babysitter-sdk";

/** @type {import("@a5c-ai/babysitter-sdk").DefinedTask<{ reviewer: string }, { bugs: string[] }>} */
const review = defineTask("review", ({ reviewer }) => ({
  kind: "agent",
  title: "Review the harbour wall",
  agent: {
    name: reviewer,
    prompt: "List the holes in the harbour wall.",
    outputSchema: {
      type: "object",
      properties: { bugs: { type: "array", items: { type: "string" } } },
      required: ["bugs"],
    },
  },
}));

/** @type {import("@a5c-ai/babysitter-sdk").ProcessFunction<{ reviewer?: string }>} */
export default async function wall({ reviewer = "careful" }, ctx) {
  try {
    const { bugs } = await ctx.task(review, { reviewer });
    return { bugs };
  } catch (error) {
    // The answer itself is in error.data, and in the files of the task.
    if (!(error instanceof Error) || !("code" in error) || error.code !== "AGENT_ANSWER_INVALID") throw error;
    const answer = await ctx.breakpoint({ title: "Open the harbour without a review?", question: error.message });
    return { bugs: null, open: answer.approved };
  }
}
