/** Two steps failed and were retried with other code than the one that requested them. Never edit: a recorded journal depends on it. */
const agent = (id, prompt) => ({ kind: "agent", id, agent: { prompt } });

export async function process(inputs, ctx) {
  const [built, linted] = await ctx.parallel.all([
    () => ctx.task(agent("build", "build it well"), { strict: true }),
    async () => "not linted",
  ]);
  return [built, linted, await ctx.task(agent("pack", "pack it"))];
}
