import path from "node:path";
import { readConfig } from "../../config/read-config.js";
import { answerApart, HERE } from "../../machine/children/answer-apart.js";
import { confinedNode } from "../../machine/children/confined-node.js";
import { quietLimitOf } from "../../machine/local-ports.js";
import {
  type CheckRequest,
  checkProcess,
  type ProcessCheck,
  type ReplayRequest,
  replayCheck,
  withPlace,
} from "../../machine/programs/check-process.js";
import { guardUserCode } from "../../machine/programs/user-code-guard.js";
import { type ErrorCode, EXIT_CODES } from "../../model/error-codes.js";
import { BabysitterError } from "../../model/errors.js";
import { defined, isJsonObject, type Json } from "../../model/json.js";
import type { EntryPoint } from "../../model/ports.js";
import { type Finding, finding } from "../../rehearsal/finding.js";
import { checkText, totalText } from "../answers/check-text.js";
import { splitEntry } from "../arguments/entry-text.js";
import { readJsonInput } from "../arguments/input-files.js";
import { inputsOf } from "../arguments/read-inputs.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";
import { lastWordsOf } from "../output/error-document.js";

const MAX_STEPS = 1_000;
/** A process that does not end a turn for so long will not end it at all, since nothing real is done in it. */
const TURN_LIMIT_MS = 20_000;
const STDIN_LIMIT_MS = 24 * 60 * 60_000;

export const command: Command = async (invocation) => {
  const { options, positionals, paint } = invocation;
  if (positionals.length === 0) throw usageError(invocation, "name the process file.");
  stepsOf(invocation);
  if (options.flag(HERE) && options.flag("replay")) return { document: await replayHere(invocation), text: "" };
  const inputs = await inputsOf(invocation);
  if (options.flag(HERE)) return { document: await checkProcess(requestOf(invocation), inputs), text: "" };
  const processes: ProcessCheck[] = [];
  for (const file of positionals) processes.push(await checkApart(invocation, file, inputs));
  const findings = processes.flatMap((one) => one.findings);
  const count = (level: Finding["level"]): number => findings.filter((one) => one.level === level).length;
  const counts = { errors: count("error"), warnings: count("warning"), notes: count("note") };
  const ok = counts.errors === 0 && (counts.warnings === 0 || !options.flag("strict"));
  return {
    document: { ok, counts, processes },
    text: [...processes.map((one) => checkText(one, paint)), totalText(counts, paint)].join("\n\n"),
    exitCode: ok ? EXIT_CODES.ok.exit : EXIT_CODES.failed.exit,
  };
};

function stepsOf({ options, name }: Invocation): number {
  const steps = Number(options.text("max-steps") ?? MAX_STEPS);
  if (Number.isInteger(steps) && steps > 0) return steps;
  throw usageError({ name }, `--max-steps ${options.text("max-steps")} is not a whole number above 0.`);
}

function requestOf(invocation: Invocation): CheckRequest {
  const { positionals, env } = invocation;
  const { projectRoot, runsDir } = invocation.places();
  guardUserCode({ what: "The process", env, ...lastWordsOf(invocation) });
  return {
    entry: entryOf(invocation, positionals[0] ?? ""),
    runsDir,
    quietLimitMs: quietLimitOf(env),
    taskKinds: readConfig({ projectRoot, env, flags: {} }).values["tasks.kinds"],
    maxSteps: stepsOf(invocation),
  };
}

function entryOf({ cwd, places }: Invocation, named: string): EntryPoint {
  const target = splitEntry(named, cwd);
  return { ...target, file: path.resolve(cwd, target.file), projectRoot: places().projectRoot };
}

function replayHere(invocation: Invocation): Promise<{ findings: Finding[] }> {
  const { cwd, env } = invocation;
  const read = async (): Promise<ReplayRequest | null> =>
    (await readJsonInput("-", { flag: "replay", cwd, env })) as unknown as ReplayRequest | null;
  return replayCheck(requestOf(invocation), read);
}

/** Played in one program and replayed in another, as an iteration would be. */
async function checkApart(invocation: Invocation, file: string, inputs: Json | undefined): Promise<ProcessCheck> {
  const input = inputs === undefined ? undefined : JSON.stringify(inputs);
  const playing = apart(invocation, file, inputs === undefined ? [] : ["--inputs=-"], input);
  const recorded = playing.then(
    ({ document: { record = null, plays = [] } }) =>
      JSON.stringify(record === null ? null : { inputs: inputs ?? {}, record, plays }),
    () => "null",
  );
  const [first, replayed] = await Promise.all([playing, apart(invocation, file, ["--replay"], recorded)]);
  const { record: _record, ...check } = first.document;
  if (!Array.isArray(check["findings"])) return { file, plays: [], findings: [fatalFinding(first, file)] };
  const { findings, ...rest } = check as unknown as ProcessCheck;
  const different = (replayed.document["findings"] ?? []) as unknown as Finding[];
  // What is different in another program is different in the same one, too.
  const others = different.length === 0 ? findings : findings.filter(({ code }) => code !== "MODULE_STATE");
  const placed = others.map((one) => (isUnplaced(one) ? withPlace(one, entryOf(invocation, file)) : one));
  return { ...rest, findings: [...different, ...placed] };
}

/** To find the line of a syntax error takes another program, which the one that has met it may not start. */
function isUnplaced({ code, line, message }: Finding): boolean {
  return code === "PROCESS_LOAD_FAILED" && line === undefined && message.includes("SyntaxError");
}

type Apart = Awaited<ReturnType<typeof answerApart>>;

function apart(
  invocation: Invocation,
  file: string,
  more: string[],
  stdin: string | Promise<string> | undefined,
): Promise<Apart> {
  const { env } = invocation;
  const runsDir = invocation.options.text("runs-dir");
  const place = runsDir === undefined ? [] : [`--runs-dir=${runsDir}`];
  return answerApart(["process:check", file, `--max-steps=${stepsOf(invocation)}`, ...place, ...more], {
    env: {
      ...env,
      BABYSITTER_TURN_LIMIT_MS: env["BABYSITTER_TURN_LIMIT_MS"] || String(TURN_LIMIT_MS),
      // The second program waits for the first one.
      BABYSITTER_STDIN_TIMEOUT_MS: String(STDIN_LIMIT_MS),
    },
    flags: confinedNode(),
    ...defined({ stdin }),
  });
}

/** A process that never yields takes the program with it; other errors are about the command. */
function fatalFinding({ document, ending }: Apart, file: string): Finding {
  const { error } = document;
  if (!isJsonObject(error)) return diedFinding(ending, file);
  const { code, message, hint } = error as { code: ErrorCode; message: string; hint?: string };
  if (code === "PROCESS_SPINS") return finding(code, file, message, hint ?? "");
  const details = isJsonObject(error["details"]) ? error["details"] : {};
  throw new BabysitterError(code, message, { details, ...defined({ hint }) });
}

function diedFinding(ending: string, file: string): Finding {
  return finding(
    "PROCESS_DIED",
    file,
    `The program that ran the check ended without a result (${ending}).`,
    "Look for what can end a program: lack of memory, native modules, signals.",
  );
}
