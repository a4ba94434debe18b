import { entryAt } from "../../local/local-ports.js";
import "../../index.js";
import { createRun } from "../../runs/create-run.js";
import { RunJournal } from "../../runs/run-journal.js";
import { portsOf, runName } from "../choose-run.js";
import { splitEntry } from "../entry-text.js";
import { readJsonInput } from "../input-files.js";
import type { Command, Invocation } from "../invocation.js";
import { commandHooks, tellOfCreation } from "../lifecycle-hooks.js";
import { usageError } from "../parse-arguments.js";
import { guardUserCode } from "../user-code-guard.js";

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
  const ports = portsOf(invocation);
  const created = await createRun(ports, request, { dryRun });
  if (!dryRun) {
    const journal = await RunJournal.open(ports, created.runId);
    await tellOfCreation(journal, commandHooks(invocation, journal));
  }
  const session =
    request.session === undefined ? {} : { session: { harness: request.harness ?? null, sessionId: request.session } };
  const document = dryRun
    ? { dryRun: true, ...created, runsDir: places.runsDir, ...session }
    : { ...created, ...session };
  const text = dryRun
    ? `Would create ${created.runId} in ${places.runsDir} from ${created.entry}.`
    : `Created ${created.runId}\n  ${created.runDir}\nnext: babysitter run:iterate ${runName(invocation, created)}`;
  return { document, text };
};

function recordedOptions({
  options,
  env,
}: Invocation): Partial<
  Record<"runId" | "processRevision" | "request" | "prompt" | "harness" | "session" | "pluginRoot", string>
> {
  const harness = options.text("harness");
  const sessionVariable =
    harness === undefined
      ? undefined
      : env["CLAUDE_CODE_SESSION_ID"] || env["AGENT_SESSION_ID"] || env["CLAUDE_SESSION_ID"] || undefined;
  const given = {
    runId: options.text("run-id"),
    processRevision: options.text("process-revision"),
    request: options.text("request"),
    prompt: options.text("prompt"),
    harness,
    session: options.text("session-id") ?? sessionVariable,
    pluginRoot: options.text("plugin-root"),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function required({ options, name }: Invocation, flag: string): string {
  const value = options.text(flag);
  if (value === undefined) throw usageError({ name }, `--${flag} is missing.`);
  return value;
}
