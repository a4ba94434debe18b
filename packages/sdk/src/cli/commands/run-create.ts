import { entryAt } from "../../machine/local-ports.js";
import "../../index.js";
import { sessionIdIn } from "../../hosts/registry.js";
import { attachProcess } from "../../loop-runs/attach-process.js";
import { commandHooks, tellOfCreation } from "../../machine/lifecycle/lifecycle-hooks.js";
import { writeSessionView } from "../../machine/loops/session-view.js";
import { guardUserCode } from "../../machine/programs/user-code-guard.js";
import type { RunId } from "../../model/ids.js";
import { defined } from "../../model/json.js";
import type { Ports } from "../../model/ports.js";
import { createRun, type NewRunRequest } from "../../runs/create-run.js";
import { RunJournal } from "../../runs/run-journal.js";
import type { SessionRegistry } from "../../sessions/session-registry.js";
import { bindRun, runContract } from "../arguments/bind-run.js";
import { busyRunOf, canTakeProcess, sessionBusy } from "../arguments/bind-session.js";
import { invocationPorts, runName } from "../arguments/choose-run.js";
import { splitEntry } from "../arguments/entry-text.js";
import { readJsonInput } from "../arguments/input-files.js";
import { registryOf, sessionOf } from "../arguments/session-of.js";
import type { Command, CommandResult, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const { options, cwd, env } = invocation;
  const [entryText, processId] = [required(invocation, "entry"), required(invocation, "process-id")];
  const places = invocation.places();
  const target = splitEntry(entryText, cwd);
  const inputs = options.text("inputs");
  const request = {
    processId,
    ...entryAt(target, { cwd, projectRoot: places.projectRoot }),
    ...(inputs === undefined ? {} : { inputs: await readJsonInput(inputs, { flag: "inputs", cwd, env }) }),
    ...recordedOptions(invocation),
  };
  guardUserCode({ what: `The process file ${target.file}`, env, json: invocation.json, command: invocation.name });
  const dryRun = options.flag("dry-run");
  const ports = invocationPorts(invocation);
  const session = bindingOf(invocation);
  const registry = registryOf(invocation);
  const busy = session === undefined ? undefined : await runToJoin(invocation, registry, session.sessionId);
  if (busy !== undefined && !dryRun) return attached(invocation, busy, request);
  // A run that could not be bound would be there all the same.
  if (session !== undefined) await runContract(invocation, { goal: request.prompt ?? "" });
  const created = await createRun(ports, request, { dryRun });
  const stateFile = dryRun ? undefined : await begin(invocation, ports, created.runId, session);
  const bound =
    request.session === undefined
      ? {}
      : { session: { harness: request.harness ?? null, sessionId: request.session, ...defined({ stateFile }) } };
  const document = dryRun ? { dryRun: true, ...created, runsDir: places.runsDir, ...bound } : { ...created, ...bound };
  const text = dryRun
    ? `Would create ${created.runId} in ${places.runsDir} from ${created.entry}.`
    : `Created ${created.runId}\n  ${created.runDir}\nnext: babysitter run:iterate ${runName(invocation, created)}`;
  return { document, text };
};

/** The run that the session works on, which the process becomes part of; undefined when it works on none. */
async function runToJoin(
  invocation: Invocation,
  registry: SessionRegistry,
  sessionId: string,
): Promise<RunJournal | undefined> {
  const busy = await busyRunOf(invocation, registry, sessionId);
  if (busy !== undefined && !canTakeProcess(busy)) throw sessionBusy(busy.runId, sessionId);
  return busy;
}

/** Whoever names a host or a session, or is an agent in one, wants the session to work on the run until it is done. */
function bindingOf(invocation: Invocation): { sessionId: string } | undefined {
  const named = sessionOf(invocation);
  if (named !== undefined) return { sessionId: named };
  const sessionId = invocation.options.text("harness") === undefined ? undefined : sessionIdIn(invocation.env);
  return sessionId === undefined ? undefined : { sessionId };
}

async function begin(
  invocation: Invocation,
  ports: Ports,
  runId: RunId,
  session: { sessionId: string } | undefined,
): Promise<string | undefined> {
  const journal = await RunJournal.open(ports, runId);
  await tellOfCreation(journal, commandHooks(invocation, journal));
  if (session === undefined) return undefined;
  const { stateFile } = await bindRun(invocation, { run: journal.runDir, ...session, by: "start" });
  return stateFile;
}

/** The session's loop has only a prompt so far: the process becomes part of the same run. */
async function attached(invocation: Invocation, busy: RunJournal, request: NewRunRequest): Promise<CommandResult> {
  const created = await attachProcess(busy, request);
  await tellOfCreation(busy, commandHooks(invocation, busy));
  await writeSessionView(registryOf(invocation), busy);
  const { session } = busy.summary.loop ?? {};
  return {
    document: { ...created, attached: true, ...defined({ session }) },
    text: `Attached ${created.entry} to ${created.runId}\n  ${created.runDir}\nnext: babysitter run:iterate ${runName(invocation, created)}`,
  };
}

function recordedOptions(
  invocation: Invocation,
): Partial<Record<"runId" | "processRevision" | "request" | "prompt" | "harness" | "session" | "pluginRoot", string>> {
  const { options } = invocation;
  return defined({
    runId: options.text("run-id"),
    processRevision: options.text("process-revision"),
    request: options.text("request"),
    prompt: options.text("prompt"),
    harness: options.text("harness"),
    session: bindingOf(invocation)?.sessionId,
    pluginRoot: options.text("plugin-root"),
  });
}

function required({ options, name }: Invocation, flag: string): string {
  const value = options.text(flag);
  if (value === undefined) throw usageError({ name }, `--${flag} is missing.`);
  return value;
}
