/** Asks for tasks when timers say so, while others run. Never edit: recorded journals depend on it. */
import { setTimeout as delay, setInterval as ticks } from "node:timers/promises";

const shell = (title, command) => ({ kind: "shell", title, shell: { command } });
const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref());

/** Polls until it has looked often enough, then asks. */
function poll(ctx, times) {
  return new Promise((resolve) => {
    let looks = 0;
    const timer = setInterval(() => {
      looks += 1;
      if (looks < times) return;
      clearInterval(timer);
      resolve(ctx.task(shell("polled", "echo polled"), { looks }));
    }, 20);
  });
}

async function notified(ctx) {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const { value } = Atomics.waitAsync(cell, 0, 0);
  void after(90).then(() => Atomics.notify(cell, 0));
  return ctx.task(shell("notified", "echo notified"), { how: await value });
}

export async function process(inputs, ctx) {
  let beats = 0;
  const heart = setInterval(() => {
    beats += 1;
  }, 7);
  const slow = ctx.task(shell("slow", "sleep 0.6; echo slow"));
  const late = Promise.all([poll(ctx, 5), notified(ctx), after(50).then(() => ctx.task(shell("unref", "echo unref")))]);
  const raced = await Promise.race([ctx.task(shell("tortoise", "sleep 0.9")), after(150).then(() => "timer")]);
  const branches = await ctx.parallel.map(["a", "b"], async (name, index) => {
    const long = new Promise((resolve) => AbortSignal.timeout(40 * (index + 1)).addEventListener("abort", resolve));
    const first = await ctx.task(shell(name, `sleep 0.1; echo ${name}`), { beats: beats > 0 });
    await long;
    for await (const _ of ticks(10)) break;
    await delay(5);
    return [first.stdout, (await ctx.task(shell(`${name} again`, "true"), { beats, random: Math.random() })).exitCode];
  });
  const results = (await late).map(({ stdout }) => stdout);
  const counted = await ctx.task(shell("counted", "true"), { beats, raced });
  clearInterval(heart);
  return { slow: (await slow).stdout, raced, branches, results, counted: counted.exitCode };
}
