/** An agent executes a task, and its answer is checked before the process sees it. */
import { defineTask } from "@a5c-ai/babysitter-sdk";

const nameTheBoat = defineTask("name-the-boat", ({ colour }) => ({
  kind: "agent",
  title: "Name the boat",
  agent: {
    prompt: `Find a name for a small ${colour} rowing boat, and say in one sentence why it fits.`,
    // An answer that does not match is sent back to the agent once, with what is wrong.
    outputSchema: {
      type: "object",
      properties: {
        name: { type: "string", maxLength: 20 },
        reason: { type: "string" },
      },
      required: ["name", "reason"],
      additionalProperties: false,
    },
  },
}));

/** @type {import("@a5c-ai/babysitter-sdk").ProcessFunction<{ colour?: string }>} */
export default async function paint({ colour = "green" }, ctx) {
  const { name, reason } = await ctx.task(nameTheBoat, { colour });
  return { painted: `${name} (${reason})` };
}
