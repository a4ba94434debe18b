/** `notify test`: a real message by each channel, and what becomes of it until the person has tapped it. */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { BabysitterError, EXIT_CODES } from "@a5c-ai/babysitter-sdk";
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { type InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import { channelNamed } from "../rules/extension-arguments.js";
import { overallOutcome, parseWait, type TestStep, testStep } from "../rules/test-progress.js";
import { Worker } from "../worker/worker.js";
import { type Call, say, usage } from "./command.js";
import { notEnabled } from "./enable-channel.js";
import { HOOKS_MS, toldToEnd } from "./told-to-end.js";
import { ownView } from "./worker.js";
import { workerParts } from "./worker-parts.js";

const USUAL_WAIT = "3m";
const LOOK_MS = 100;
const ID_BYTES = 6;

export async function notify(call: Call, args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { timeout: { type: "string" }, json: { type: "boolean" } },
  });
  const [act, ...names] = positionals;
  if (act !== "test") throw usage(`There is no "notify ${act ?? ""}"; use: notify test [channel…].`);
  const waitMs = parseWait(values.timeout ?? USUAL_WAIT);
  if (waitMs === undefined)
    throw usage(`--timeout must be a number followed by s, m or h, not ${JSON.stringify(values.timeout)}.`);
  return test(call, chosen(call.desk, names), waitMs);
}

function chosen({ channels }: InboxDesk, names: readonly string[]): notices.ChannelName[] {
  const records = channels.all();
  const named = [...new Set(names)].map((name) => channelNamed(name, "list"));
  const missing = named.find((name) => records[name] === undefined);
  if (missing !== undefined) throw notEnabled(missing);
  const enabled = notices.CHANNELS.filter((name) => records[name] !== undefined);
  if (enabled.length > 0) return named.length > 0 ? named : enabled;
  throw new BabysitterError("CHANNEL_NOT_ENABLED", "No channel is enabled, so nothing can be sent.", {
    hint: "For example: babysitter extension enable telegram --token -, or babysitter extension enable ntfy",
  });
}

async function test(call: Call, channels: readonly notices.ChannelName[], waitMs: number): Promise<number> {
  const { desk, env, json } = call;
  const ended = toldToEnd().then(() => "told" as const);
  const subject = `test:${randomBytes(ID_BYTES).toString("hex")}`;
  const due = new Date().toISOString();
  for (const channel of channels) desk.outbox.note({ type: "QUEUED", channel, subject, due });
  // While another one sends, it only waits.
  const worker = new Worker(workerParts({ desk, env, view: async () => ownView(call), log: () => undefined }));
  worker.start();
  const stop = new AbortController();
  const look = (): TestStep[] => stepsOf(desk, channels, subject);
  try {
    const over = watch(look, { waitMs, tell: json ? () => undefined : say, stop: stop.signal });
    const end = await Promise.race([over, ended]);
    const steps = look();
    dropUnsent(desk, steps, subject);
    return conclude(call, steps, end);
  } finally {
    stop.abort();
    await worker.stop();
    await Promise.race([desk.hooksCalled(), delay(HOOKS_MS, undefined, { ref: false })]);
  }
}

function stepsOf(desk: InboxDesk, channels: readonly notices.ChannelName[], subject: string): TestStep[] {
  const receipts = desk.outbox.receipts(subject);
  return channels.map((name) => {
    const isUnbound = name === "telegram" && desk.chats.bound(name) === undefined;
    const receipt = receipts.find(({ channel }) => channel === name);
    return testStep(name, receipt, isUnbound ? UNBOUND : undefined);
  });
}

const UNBOUND =
  "your chat is not bound yet; open the link that was printed, or get a new one: babysitter extension link telegram";

/** Tells each step as it comes, until every test is settled or the time is over. */
async function watch(
  look: () => TestStep[],
  { waitMs, tell, stop }: { waitMs: number; tell: (text: string) => unknown; stop: AbortSignal },
): Promise<"settled" | "late"> {
  const told = new Map<string, string>();
  for (const begin = performance.now(); !stop.aborted; await delay(LOOK_MS)) {
    const steps = look();
    for (const { channel, text } of steps) {
      if (told.get(channel) !== text) tell(text);
      told.set(channel, text);
    }
    if (steps.every(({ outcome }) => outcome !== "waiting")) return "settled";
    if (performance.now() - begin > waitMs) break;
  }
  return "late";
}

/** Nobody waits for these any more: they must not come tomorrow. */
function dropUnsent({ outbox }: InboxDesk, steps: readonly TestStep[], subject: string): void {
  for (const { channel, outcome, receipt } of steps)
    if (outcome === "waiting" && (receipt?.state === "queued" || receipt?.state === "failed"))
      outbox.note({ type: "DROPPED", channel, subjects: [subject], why: "the test was over" });
}

const OUTCOMES = {
  proved: { exit: EXIT_CODES.ok.exit, text: "All channels work." },
  failed: { exit: EXIT_CODES.failed.exit, text: "Not all channels work. To see why: babysitter extension list" },
  waiting: { exit: EXIT_CODES.expired.exit, text: "Nobody tapped in time." },
} as const;

function conclude({ json }: Call, steps: readonly TestStep[], end: "settled" | "late" | "told"): number {
  const outcome = overallOutcome(steps);
  const { exit, text } = OUTCOMES[outcome];
  if (json) say(JSON.stringify({ outcome, channels: steps }));
  else if (end !== "told") say(text);
  return end === "told" ? EXIT_CODES.interrupted.exit : exit;
}
