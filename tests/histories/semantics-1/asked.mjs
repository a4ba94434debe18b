/** Lifecycle hooks, a question with a context file, a comment and an answer. */
export async function process(inputs, ctx) {
  const planned = await ctx.hook("post-planning", { steps: 1 });
  const answer = await ctx.breakpoint({
    question: "Which colour?",
    options: ["Red", "Blue"],
    context: { files: [{ path: "plan.md", format: "markdown" }] },
  });
  return {
    planned: planned.executedHooks,
    approved: answer.approved,
    option: answer.option,
    said: answer.comments.length,
  };
}
