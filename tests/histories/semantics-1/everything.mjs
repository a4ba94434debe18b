/** Uses every ctx call at least once. Never edit: recorded journals depend on it. */
import { defineTask } from "@a5c-ai/babysitter-sdk";

const work = defineTask("work", ({ name }) => ({ kind: "agent", title: name, agent: { prompt: name } }));

export async function process(inputs, ctx) {
  ctx.log("begin", { seed: Math.random() });
  const first = await ctx.task(work, { name: "first", at: ctx.now() });
  const branches = await ctx.parallel.map(
    ["a", "b", "c"],
    async (name) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await ctx.task(work, { name, attempt });
        } catch (error) {
          ctx.log(`${name} failed: ${error.message}`);
          if (attempt === 3) throw error;
        }
      }
    },
    { concurrency: 2 },
  );
  const race = await Promise.race([ctx.task(work, { name: "hare" }), ctx.task(work, { name: "tortoise" })]);
  const path = ctx.patched("new-path") ? "new" : "old";
  await ctx.sleep(60_000);
  const hook = await ctx.hook("post-planning", { path });
  const answer = await ctx.breakpoint({ question: "Go on?", title: "Review" });
  if (!answer.approved) return { stopped: answer.feedback };
  const last = await ctx.task(
    { id: "last", kind: "shell", shell: { command: "true" } },
    { uuid: crypto.randomUUID(), run: ctx.runId },
  );
  return { first, branches, race, path, hook: hook.success, last, at: ctx.now().toISOString(), inputs };
}
