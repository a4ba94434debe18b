/** A night ferry: what to do when a step does not work out. */
import { defineTask } from "@a5c-ai/babysitter-sdk";

const shell = (id, title, section) => defineTask(id, () => ({ kind: "shell", title, shell: section }));

// Fails twice. Only exit code 75 ("try again later") is tried again, after 100 ms and then after 200 ms.
const radio = defineTask("radio", () => ({
  kind: "node",
  title: "Reach the ferry by radio",
  node: { entry: "tasks/radio.mjs" },
  retry: { attempts: 4, backoffMs: 100, factor: 2, on: ["exit:75"] },
}));

const tide = shell("tide", "Ask for the tide", { command: "echo 'no tide tables for today' >&2; exit 4" });

// A command whose exit code is its answer: it is returned, not thrown.
const fog = shell("fog", "Is there fog?", { command: "test -e /there/is/fog", allowFailure: true });

// Whatever takes longer is ended, with all that it has started.
const captain = shell("captain", "Wake the captain", { command: "sleep 600", timeoutMs: 300 });

// Fails until somebody has done something about it.
const ticket = defineTask("ticket", () => ({
  kind: "node",
  title: "Show the ticket",
  node: { entry: "tasks/ticket.mjs" },
}));

export async function process(_inputs, ctx) {
  const call = await ctx.task(radio);

  // A failed task throws an error with its code and what is known about it.
  const noTide = await ctx.task(tide).catch(({ code, data }) => ({
    code,
    exitCode: data.exitCode,
    stderr: data.stderr.trim(),
  }));

  const { success, exitCode } = await ctx.task(fog);

  const asleep = await ctx.task(captain).catch(({ code }) => code);

  // Nobody catches this one: the run fails. `babysitter run <run> --retry` gives it another try.
  const { seat } = await ctx.task(ticket);

  return { call, noTide, fog: { success, exitCode }, asleep, seat };
}
