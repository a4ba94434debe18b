/** Lives in two places, gets a result from a program whose clock is 1,000 days ahead, and sleeps after it. */
export async function process(inputs, ctx) {
  const first = await ctx.task({ kind: "agent", id: "first", agent: {} }, { runDir: ctx.runDir, inputs });
  await ctx.sleep(50);
  const second = await ctx.task({ kind: "agent", id: "second", agent: {} }, { first, runDir: ctx.runDir });
  return { first, second, times: [ctx.now().toISOString(), new Date().toISOString()] };
}
