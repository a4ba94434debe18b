/** Sends or changes one message, and records what came of it. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { DeliveryProblem, type Outgoing } from "../channels/channel.js";
import type { EditJob, Job, SendJob } from "../rules/notify-jobs.js";
import { composeMessage, MAX_ITEMS, outcomeOfSubject } from "../rules/notify-messages.js";
import { afterTrouble, type Trouble } from "../rules/notify-outcome.js";
import { idOf, kindOf, type Situation } from "../rules/notify-situation.js";
import { type Ledger, textOf } from "./ledger.js";
import type { Line } from "./open-lines.js";
import { within } from "./time-limit.js";
import type { WorkerParts, WorkerView } from "./worker-parts.js";

const SEND_LIMIT_MS = 20_000;
/** So many runs are looked at again before something is sent about them. */
const MAX_LOOKS = 100;
const ID_BYTES = 12;

export interface JobParts {
  parts: WorkerParts;
  view: WorkerView;
  ledger: Ledger;
  line: Line;
  /** As it was planned. */
  situation: Situation;
  publicUrl: string | undefined;
  /** True when another worker has taken over. */
  isLost: () => Promise<boolean>;
  underWay: Set<string>;
}

/** Answers true when a new plan is needed at once: something has changed since this one was made. */
export async function doJob(job: Job, parts: JobParts): Promise<"done" | "changed" | "not-edited"> {
  return job.type === "send" ? sendOne(job, parts) : editOne(job, parts);
}

async function sendOne(job: SendJob, parts: JobParts): Promise<"done" | "changed"> {
  if (!(await isAsPlanned(job, parts)) || (await parts.isLost())) return "changed";
  const lines = await reportLines(job, parts);
  if (lines === undefined) return "done";
  const message = job.message ?? randomBytes(ID_BYTES).toString("hex");
  const tap = tapOf(parts.line, message);
  const outgoing = await compose({ ...job, message, tap }, parts, lines);
  parts.underWay.add(message);
  try {
    const { channel, kind, subjects, attempt, repeat } = job;
    // Without this on the disk nothing is sent: nobody would know of it after a crash.
    parts.ledger.note({
      type: "SENDING",
      message,
      channel,
      kind,
      subjects,
      attempt,
      repeat,
      ...(tap === undefined ? {} : { tap: hashOf(tap) }),
    });
    await deliver({ ...job, message }, outgoing, parts);
  } finally {
    parts.underWay.delete(message);
  }
  return "done";
}

async function deliver(
  { message, channel, attempt, kind, subjects }: SendJob & { message: string },
  outgoing: Outgoing,
  { ledger, line, parts }: JobParts,
): Promise<void> {
  const { doubts = 0 } = ledger.state().messages.get(message) ?? {};
  try {
    const { ref } = await within(SEND_LIMIT_MS, line.closing, (signal) => line.channel.send(outgoing, signal));
    ledger.noteSurely({ type: "ACCEPTED", message, ...(ref === undefined ? {} : { ref }) });
    parts.log(`${channel}: sent ${kind} (${subjects.length})`);
    ledger.works(channel);
  } catch (error) {
    const trouble = troubleIn(error);
    const [now, isStopped] = [new Date(), line.closing.aborted];
    ledger.noteSurely(afterTrouble({ message, attempt, doubts }, { ...trouble, isStopped }, now));
    parts.log(`${channel}: ${kind} not sent, or not surely: ${trouble.reason}`);
    if (!isStopped) ledger.fails(channel, trouble.reason);
  }
}

async function editOne({ message, channel, shows }: EditJob, parts: JobParts): Promise<"done" | "not-edited"> {
  const { ledger, line } = parts;
  const known = ledger.state().messages.get(message);
  if (known?.ref === undefined || line.channel.edit === undefined) return "done";
  const { kind, subjects, repeat, ref } = known;
  const isOver = subjects.every((subject) => outcomeOfSubject(parts.situation, subject) !== undefined);
  const tap = isOver ? undefined : tapOf(line, message);
  const outgoing = await compose({ message, kind, subjects, repeat, tap }, parts, []);
  try {
    await within(SEND_LIMIT_MS, line.closing, async (signal) => line.channel.edit?.(ref, outgoing, signal));
  } catch (error) {
    const { outcome, reason } = troubleIn(error);
    parts.parts.log(`${channel}: a message stays as it is: ${reason}`);
    if (outcome !== "refused") return "not-edited";
  }
  ledger.noteSurely({ type: "EDITED", message, shows });
  return "done";
}

/** The index may lag behind: what is decided must not be sent. */
async function isAsPlanned({ subjects }: SendJob, { view }: JobParts): Promise<boolean> {
  const ids = subjects.filter((subject) => kindOf(subject) === "question").map(idOf);
  const runs = new Map(ids.slice(0, MAX_LOOKS).flatMap((id) => placeOf(view, id)));
  for (const { place, run } of runs.values()) await view.live.refresh(place, run);
  return ids.every((id) => view.index.row(id)?.state === "open");
}

function placeOf({ index }: WorkerView, id: string): [string, { place: string; run: string }][] {
  const found = index.find(id);
  return found === undefined ? [] : [[`${found.place}\0${found.run}`, found]];
}

/** Undefined when there is nothing to report; that is recorded. */
async function reportLines(
  { kind, subjects, channel }: SendJob,
  { parts, ledger }: JobParts,
): Promise<readonly string[] | undefined> {
  if (kind !== "report") return [];
  const lines: string[] = [];
  for (const subject of subjects) lines.push(...(await parts.report(idOf(subject)).catch(noReport(parts.log))));
  if (lines.length > 0) return lines;
  ledger.note({ type: "DROPPED", channel, subjects, why: "nothing to report" });
  return undefined;
}

/** That there is none is worth telling as well. */
function noReport(log: (text: string) => void): (error: unknown) => string[] {
  return (error) => {
    log(`The report cannot be made: ${textOf(error)}`);
    return ["The report could not be made. To see why: babysitter report"];
  };
}

type Composed = Pick<SendJob, "kind" | "subjects" | "repeat"> & { message: string; tap?: string | undefined };

async function compose(
  { message, kind, subjects, repeat, tap }: Composed,
  { line, view, situation, publicUrl }: JobParts,
  lines: readonly string[],
): Promise<Outgoing> {
  const { open, decided, troubles } = situation;
  const { fields } = line.record;
  return composeMessage(
    { id: message, kind, subjects, repeat, fields, publicUrl, tap },
    {
      questions: new Map([...decided, ...open.map((row) => [row.id, row] as const)]),
      options: fields.includes("options") ? await optionsOf(view, subjects) : new Map(),
      troubles: new Map(troubles.map((row) => [row.subject, row])),
      outcomeOf: (subject) => outcomeOfSubject(situation, subject),
      lines,
    },
  );
}

async function optionsOf({ questions }: WorkerView, subjects: readonly string[]): Promise<Map<string, string[]>> {
  const options = new Map<string, string[]>();
  for (const subject of subjects.slice(0, MAX_ITEMS)) {
    const id = idOf(subject);
    // A question that cannot be looked at is sent without its answers.
    const question = kindOf(subject) === "question" ? await questions.look(id).catch(() => undefined) : undefined;
    if (question !== undefined)
      options.set(
        id,
        question.options.map(({ label }) => label),
      );
  }
  return options;
}

/** The same for each attempt, so that a tap on any of them counts; nobody knows it who does not know the settings. */
function tapOf({ channel, record }: Line, message: string): string | undefined {
  if (channel.proves !== "acknowledged") return undefined;
  return createHmac("sha256", JSON.stringify(record.settings)).update(message).digest("base64url");
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Errors that no channel has described may quote tokens and addresses. */
function troubleIn(error: unknown): Trouble {
  if (!(error instanceof DeliveryProblem)) return { outcome: "in-doubt", reason: "an unexpected error" };
  return { outcome: error.outcome, reason: error.message, retryAfterMs: error.retryAfterMs };
}
