/** Driven by `babysitter run`: attempts that fail and are tried again, an answer by policy, a sleep. */
const shell = (title, command, more = {}) => ({ kind: "shell", title, shell: { command }, ...more });

export async function process(inputs, ctx) {
  const [flaky, steady] = await ctx.parallel.all([
    () =>
      ctx.task(
        shell("flaky", "echo try >> tries; [ $(wc -l < tries) -ge 3 ]", { retry: { attempts: 3, backoffMs: 1 } }),
      ),
    () => ctx.task(shell("steady", "echo steady")),
  ]);
  const answer = await ctx.breakpoint({ question: "Go on?" });
  await ctx.sleep(1);
  const failed = await ctx.task(shell("hopeless", "exit 7")).catch((error) => error.exitCode);
  return { flaky: flaky.exitCode, steady: steady.stdout, approved: answer.approved, failed };
}
