/** Asks a question as a run of its own, opens it, and has the hooks called that tell people of it. */
import type { Ports } from "../../model/ports.js";
import { openBreakpoints } from "../../runs/open-breakpoints.js";
import { RunJournal } from "../../runs/run-journal.js";
import { askQuestion as createQuestion, type NewQuestion } from "../ask-question.js";
import { localContextFiles } from "../context-files.js";
import { commandHooks, tellOfCreation } from "../lifecycle/lifecycle-hooks.js";
import { OpenCalls } from "../lifecycle/open-calls.js";
import { type Desk, deskCaller } from "./desk.js";
import { callInBackground, NEVER } from "./hook-calls.js";

/** Answers the run of the question. */
export async function askQuestion(
  ports: Ports,
  place: { runsDir: string; projectRoot: string } & Pick<Desk, "env">,
  question: NewQuestion,
): Promise<RunJournal> {
  const own = await createQuestion(ports, place, question);
  const hooks = commandHooks(deskCaller(place, own), own, { signal: NEVER });
  const openCalls = hooks && new OpenCalls(own, ["process"], 0);
  if (hooks === undefined) await openBreakpoints(own, localContextFiles);
  const calls = (await hooks?.openQuestions()) ?? [];
  await own.saveCaches();
  const journal = await RunJournal.open(ports, own.runId);
  callInBackground(
    (async () => {
      await tellOfCreation(own, hooks);
      for (const call of calls) await hooks?.call(call);
      openCalls?.end();
    })(),
  );
  return journal;
}
