/** A night ferry: what to do when a step fails. */
import { defineTask } from "@a5c-ai/babysitter-sdk";

// Fails twice. Only exit code 75 ("try again later") is retried, after 100 ms and then after 200 ms.
const radio = defineTask("radio", () => ({
  kind: "node",
  title: "Reach the ferry by radio",
  node: { entry: "tasks/radio.mjs" },
  retry: { attempts: 4, backoffMs: 100, factor: 2, on: ["exit:75"] },
}));

const tide = defineTask("tide", () => ({
  kind: "shell",
  title: "Ask for the tide",
  shell: { command: "echo 'no tide tables for today' >&2; exit 4" },
}));

// A command whose exit code is its result: it returns instead of throwing.
const fog = defineTask("fog", () => ({
  kind: "shell",
  title: "Is there fog?",
  shell: { command: "test -e /there/is/fog", allowFailure: true },
}));

// A task that takes longer is stopped, with everything it started.
const captain = defineTask("captain", () => ({
  kind: "shell",
  title: "Wake the captain",
  shell: { command: "sleep 600", timeoutMs: 300 },
}));

// Fails until you fix the cause.
const ticket = defineTask("ticket", () => ({
  kind: "node",
  title: "Show the ticket",
  node: { entry: "tasks/ticket.mjs" },
}));

/** @type {import("@a5c-ai/babysitter-sdk").ProcessFunction} */
export default async function ferry(_inputs, ctx) {
  const call = await ctx.task(radio);

  // A failed task throws an error with its code and details.
  const noTide = await ctx.task(tide).catch(({ code, data }) => ({
    code,
    exitCode: data.exitCode,
    stderr: data.stderr.trim(),
  }));

  const { success, exitCode } = await ctx.task(fog);

  const asleep = await ctx.task(captain).catch(({ code }) => code);

  // This one is not caught: the run fails. `babysitter run <run> --retry` retries it.
  const { seat } = await ctx.task(ticket);

  return { call, noTide, fog: { success, exitCode }, asleep, seat };
}
