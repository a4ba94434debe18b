/** A run that a session of an agent works on: a contract with criteria and steps, checks, a pause, an amendment. */
export async function process(inputs, ctx) {
  const first = await ctx.task({ kind: "agent", id: "first" }, { of: inputs.of });
  const second = await ctx.task({ kind: "agent", id: "second" }, { after: first });
  return { first, second };
}
