/** Recorded with gates pinned: its breakpoint was removed, which blocked the run until a person accepted it. */
export async function process(inputs, ctx) {
  const built = await ctx.task({ kind: "agent", title: "build", agent: { prompt: "build" } });
  return { built };
}
