import { noTerms } from "../../loop/formats/loop-terms.js";
import { createBoundRun } from "../../loop-runs/create-bound-run.js";
import { entryAt } from "../../machine/local-ports.js";
import { rememberRun } from "../../machine/remember-project.js";
import { runName } from "../../machine/run-name.js";
import { line } from "../../model/terminal-text.js";
import type { CreatedRun } from "../../runs/create-run.js";
import { callerOf } from "../arguments/caller.js";
import { giverOf } from "../arguments/choose-loop.js";
import { loopMakerOf } from "../arguments/loop-maker-of.js";
import { refuseUnhooked } from "../arguments/refuse-unhooked.js";
import { hostSessionOf, sessionOf } from "../arguments/session-of.js";
import { lastWordsOf } from "../output/error-document.js";
import "../../index.js";
import { commandHooks, tellOfCreation } from "../../machine/lifecycle/lifecycle-hooks.js";
import { guardUserCode } from "../../machine/programs/user-code-guard.js";
import { defined } from "../../model/json.js";
import { RunJournal } from "../../runs/run-journal.js";
import { splitEntry } from "../arguments/entry-text.js";
import { inputsOf } from "../arguments/read-inputs.js";
import type { Command, CommandResult, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const { options, cwd, env } = invocation;
  const [entryText, processId] = [required(invocation, "entry"), required(invocation, "process-id")];
  const places = invocation.places();
  const target = splitEntry(entryText, cwd);
  const inputs = await inputsOf(invocation);
  const request = {
    processId,
    ...entryAt(target, { cwd, projectRoot: places.projectRoot }),
    ...defined({ inputs }),
    ...recordedOptions(invocation),
  };
  guardUserCode({ what: `The process file ${target.file}`, env, ...lastWordsOf(invocation) });
  const dryRun = options.flag("dry-run");
  // A session that is named is to work on the run until it is done.
  const session = hostSessionOf(invocation);
  if (session !== undefined) await refuseUnhooked(invocation);
  const { created, attachedTo, stateFile } = await createBoundRun(loopMakerOf(invocation), {
    run: request,
    session,
    terms: noTerms(),
    by: giverOf(invocation),
    dryRun,
    runName: (run) => runName(invocation, run),
    onCreated: (journal) => {
      rememberRun(invocation, journal);
      return tellOfCreation(journal, commandHooks(callerOf(invocation), journal));
    },
  });
  if (attachedTo !== undefined) return attachedAnswer(invocation, created, attachedTo);
  const bound =
    request.session === undefined
      ? {}
      : { session: { harness: request.harness ?? null, sessionId: request.session, ...defined({ stateFile }) } };
  const document = dryRun ? { dryRun: true, ...created, runsDir: places.runsDir, ...bound } : { ...created, ...bound };
  const text = dryRun
    ? line`Would create ${created.runId} in ${places.runsDir} from ${created.entry}.`
    : [
        `Created ${created.runId}`,
        line`  ${created.runDir}`,
        line`next: babysitter run:iterate ${runName(invocation, created)}`,
      ].join("\n");
  return { document, text: [...warningLines(created), text].join("\n") };
};

function warningLines({ warnings = [] }: CreatedRun): string[] {
  return warnings.map((warning) => line`warning: ${warning}`);
}

/** The session's loop had only a prompt so far: the process has become part of the same run. */
function attachedAnswer(invocation: Invocation, created: CreatedRun, { summary }: RunJournal): CommandResult {
  const { session } = summary.loop ?? {};
  return {
    document: { ...created, attached: true, ...defined({ session }) },
    text: [
      ...warningLines(created),
      line`Attached ${created.entry} to ${created.runId}`,
      line`  ${created.runDir}`,
      line`next: babysitter run:iterate ${runName(invocation, created)}`,
    ].join("\n"),
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
    session: sessionOf(invocation),
    pluginRoot: options.text("plugin-root"),
  });
}

function required({ options, name }: Invocation, flag: string): string {
  const value = options.text(flag);
  if (value === undefined) throw usageError({ name }, `--${flag} is missing.`);
  return value;
}
