/** `breakpoint:create`: a question of its own, as a run that consists of it. */
import path from "node:path";
import { isAgentEnvironment } from "../../hosts/environments.js";
import { sessionIdIn } from "../../hosts/registry.js";
import { askQuestion } from "../../machine/ask-question.js";
import { callerPorts } from "../../machine/choose-run.js";
import { commandHooks, openQuietly, tellOfCreation } from "../../machine/lifecycle/lifecycle-hooks.js";
import { OpenCalls } from "../../machine/lifecycle/open-calls.js";
import { rememberRun } from "../../machine/remember-project.js";
import { defined, type JsonObject } from "../../model/json.js";
import { findBreakpoint } from "../../runs/list-breakpoints.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { awaitDecision, timeoutOf } from "../answers/await-decision.js";
import { withInboxHint } from "../answers/inbox-hint.js";
import { callerOf } from "../arguments/caller.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

const RISKS = ["low", "medium", "high"];

export const command: Command = async (invocation) => {
  const { options, env } = invocation;
  const payload = questionOf(invocation);
  const timeoutMs = timeoutOf(invocation);
  const ports = callerPorts(invocation);
  const { runsDir, projectRoot } = invocation.places();
  const runId = options.text("run-id");
  const asked = { payload, runId, session: askingSession(invocation) };
  const journal = await askQuestion(ports, { runsDir, projectRoot, env }, asked);
  rememberRun(invocation, journal);
  await tellPeople(invocation, journal);
  await journal.saveCaches();
  const [effectId = ""] = Object.keys(journal.summary.pending);
  const found = await findBreakpoint([journal], effectId);
  if (options.flag("wait")) return awaitDecision(invocation, found, timeoutMs);
  const next = `babysitter breakpoint:wait ${effectId}`;
  return {
    document: { breakpointId: effectId, runId: journal.runId, runDir: journal.runDir, state: "open", next },
    text: [
      `Asked ${effectId} (${journal.runId})`,
      withInboxHint(
        `to decide: babysitter breakpoint:show ${effectId}, then breakpoint:approve or breakpoint:reject`,
        invocation,
      ),
      `next: ${next}`,
    ].join("\n"),
  };
};

/** Takes the picture of what is asked; hooks tell people of it. */
async function tellPeople(invocation: Invocation, journal: RunJournal): Promise<void> {
  const hooks = commandHooks(callerOf(invocation), journal);
  if (hooks === undefined) {
    await openQuietly(journal, invocation.env);
    return;
  }
  const openCalls = new OpenCalls(journal, ["process"]);
  await tellOfCreation(journal, hooks);
  for (const call of await hooks.openQuestions()) await hooks.call(call);
  openCalls.end();
}

function questionOf(invocation: Invocation): JsonObject {
  const { options } = invocation;
  const question = options.text("question");
  if (question === undefined) throw usageError(invocation, "--question is missing.");
  const risk = options.text("risk");
  if (risk !== undefined && !RISKS.includes(risk))
    throw usageError(invocation, `--risk must be low, medium or high, not ${JSON.stringify(risk)}.`);
  const labels = options.texts("option");
  const files = options.texts("file").map((file) => ({ path: inProject(invocation, file) }));
  return {
    question,
    ...defined({ title: options.text("title"), risk }),
    ...(labels.length === 0 ? {} : { options: labels }),
    ...(files.length === 0 ? {} : { context: { files } }),
  };
}

/** Typed from where the user is, recorded from the project's root. */
function inProject(invocation: Invocation, file: string): string {
  const { projectRoot } = invocation.places();
  return path.relative(projectRoot, path.resolve(invocation.cwd, file)).split(path.sep).join("/");
}

/** What an agent asks is not for itself to answer: its run belongs to its session. */
function askingSession({ env }: Invocation): string | undefined {
  return isAgentEnvironment(env) ? (sessionIdIn(env) ?? "agent") : undefined;
}
