/** Shows a draft to a human until they approve it. */
import { defineTask } from "@a5c-ai/babysitter-sdk";

const draftInvitation = defineTask("draft", ({ wish }) => ({
  kind: "node",
  title: wish === undefined ? "Draft the invitation" : `Draft it again: ${wish}`,
  node: { entry: "tasks/draft.mjs" },
}));

const MAX_ROUNDS = 3;

/** @type {import("@a5c-ai/babysitter-sdk").ProcessFunction} */
export default async function invite(_inputs, ctx) {
  let wish;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const draft = await ctx.task(draftInvitation, { wish });
    const answer = await ctx.breakpoint({ title: "Send this invitation?", question: draft.text, context: { round } });
    if (answer.approved) return { sent: draft.text, round, by: answer.respondedBy ?? "someone" };
    // A rejection is an answer like any other, as long as the process checks it.
    wish = answer.feedback;
  }
  return { sent: null, round: MAX_ROUNDS };
}

/**
 * Does not check the answer. A rejection still stops it: the run fails instead of continuing.
 *
 * @type {import("@a5c-ai/babysitter-sdk").ProcessFunction}
 */
export async function careless(_inputs, ctx) {
  await ctx.breakpoint({ question: "Delete everything?" });
  return "everything is deleted";
}
