/** `babysitter run`: creates or resumes a run and drives it to its end. */
import crypto from "node:crypto";
import type { ProcessWorker } from "../../drive/process-worker.js";
import type { Ending, ProgressView } from "../../drive/progress.js";
import { drivenHosts } from "../../hosts/host-parts.js";
import { openLoop } from "../../loop-runs/change-loop.js";
import { callerPorts, chooseRun } from "../../machine/choose-run.js";
import { driveSettings } from "../../machine/drive-settings.js";
import { driveRun, startWorker } from "../../machine/driving/drive-run.js";
import { rememberRun } from "../../machine/remember-project.js";
import { EXIT_CODES } from "../../model/error-codes.js";
import { parseRunId } from "../../model/ids.js";
import { defined } from "../../model/json.js";
import { hasProcess } from "../../model/run-state.js";
import { noProcess } from "../../runs/no-process.js";
import { RunJournal } from "../../runs/run-journal.js";
import { withInbox } from "../answers/inbox-hint.js";
import { agentOf, retriesOf, silenceOf, waitsForPeople } from "../arguments/agent-options.js";
import { callerOf } from "../arguments/caller.js";
import { giverOf, personToChange } from "../arguments/choose-loop.js";
import { type Resumed, resumeFailed } from "../arguments/failed-run.js";
import { loopMakerOf } from "../arguments/loop-maker-of.js";
import { loopTerms } from "../arguments/loop-terms.js";
import { inputsOf } from "../arguments/read-inputs.js";
import { chooseTarget, type Target } from "../arguments/run-target.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { confirmHere } from "../progress/confirm.js";
import { openProgressView } from "../progress/open-progress-view.js";

export const command: Command = async (invocation) => {
  const target = await chooseTarget(invocation);
  if (invocation.options.flag("dry-run") && "file" in target)
    return (await import("./run-preview.js")).previewNewRun(invocation, target);
  const caller = callerOf(invocation);
  // A wrong setting is told before anything is begun.
  driveSettings(caller, invocation.places().projectRoot);
  const agent = agentOf(invocation);
  const session = crypto.randomBytes(12).toString("hex");
  const resumed = "run" in target ? await resume(invocation, target.run) : undefined;
  const view = withInbox(openProgressView(invocation), invocation);
  try {
    const opened = resumed ?? (await createRun(invocation, target as NewTarget, { session, view }));
    rememberRun(invocation, opened.journal);
    const { keepFailures = false, notices = [] } = resumed ?? {};
    const driven = { ...opened, keepFailures, notices, session, view };
    const ending = await (agent === undefined
      ? driveRun({ caller, ...driven, wait: invocation.options.flag("wait") })
      : driveAgent(invocation, { ...opened, session, view, agent }));
    const { runId, runDir } = opened.journal;
    return {
      document: { runId, runDir, ...ending },
      text: "",
      exitCode: EXIT_CODES[ending.exit].exit,
    };
  } finally {
    view.close();
  }
};

interface Opened {
  journal: RunJournal;
  /** The worker that created the run, still warm. */
  worker: ProcessWorker | undefined;
}

type NewTarget = Exclude<Target, { run: string | undefined }>;

async function resume(invocation: Invocation, run: string | undefined): Promise<Opened & Resumed> {
  const { ports, runId } = await chooseRun(invocation, run);
  const journal = await RunJournal.open(ports, runId);
  if (!hasProcess(journal.summary.created) && invocation.options.text("agent") === undefined) {
    throw noProcess(runId, openLoop(journal), drivenHosts()[0]);
  }
  return { ...(await resumeFailed(invocation, journal, confirmHere(invocation))), worker: undefined };
}

async function createRun(
  invocation: Invocation,
  target: NewTarget,
  { session, view }: { session: string; view: ProgressView },
): Promise<Opened> {
  const { options, cwd } = invocation;
  const given = await inputsOf(invocation);
  const { runsDir } = invocation.places();
  const worker = startWorker(callerOf(invocation), { session, view, runsDir, cwd });
  try {
    const { runId } = await worker.call({
      call: "create",
      run: {
        processId: options.text("process-id") ?? target.name,
        file: target.file,
        ...defined({ exportName: target.export, inputs: given, runId: options.text("run-id") }),
      },
    });
    return { journal: await RunJournal.open(callerPorts(invocation), parseRunId(runId)), worker };
  } catch (error) {
    worker.kill();
    throw error;
  }
}

/** The process lives in programs of its own then, one for each iteration. */
async function driveAgent(
  invocation: Invocation,
  { journal, worker, session, view, agent }: Opened & { session: string; view: ProgressView; agent: string },
): Promise<Ending> {
  await worker?.close();
  const isNew = worker !== undefined;
  const terms = loopTerms(invocation);
  const source = personToChange(invocation, { journal }, { terms, take: false });
  const caller = callerOf(invocation);
  // Most runs are driven without one.
  const { runWithAgent, tellOfNewRun } = await import("../../machine/driving/run-with-agent.js");
  if (isNew) await tellOfNewRun(caller, journal);
  return runWithAgent({
    caller,
    machine: loopMakerOf(invocation, { vouched: true }),
    journal,
    isNew,
    agent,
    terms,
    by: giverOf(invocation),
    source,
    session,
    view,
    permissionMode: invocation.options.text("permission-mode"),
    silenceMs: silenceOf(invocation),
    wait: waitsForPeople(invocation),
    retries: retriesOf(invocation),
  });
}
