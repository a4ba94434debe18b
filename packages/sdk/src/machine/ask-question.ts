/** Asks a question without a process of the user's: as a run of its own, which waits for the answer. */
import type { JsonObject } from "../model/json.js";
import { defined } from "../model/json.js";
import type { Ports } from "../model/ports.js";
import { createRun } from "../runs/create-run.js";
import { advanceOneQuestion, ONE_QUESTION } from "../runs/one-question.js";
import type { RunJournal } from "../runs/run-journal.js";
import type { Environment } from "./caller.js";
import { entryAt, quietLimitOf } from "./local-ports.js";
import { placeOneQuestion } from "./one-question-file.js";

export interface NewQuestion {
  /** What ctx.breakpoint takes. */
  payload: JsonObject;
  runId?: string | undefined;
  /** Of the agent that asks, so that it cannot answer itself. */
  session?: string | undefined;
}

export async function askQuestion(
  ports: Ports,
  { runsDir, projectRoot, env }: { runsDir: string; projectRoot: string; env: Environment },
  { payload, runId, session }: NewQuestion,
): Promise<RunJournal> {
  const file = placeOneQuestion(runsDir, ports.randomHex(6));
  const created = await createRun(ports, {
    processId: ONE_QUESTION.processId,
    ...entryAt({ file, export: "process" }, { cwd: projectRoot, projectRoot }),
    inputs: payload,
    ...defined({ runId, session }),
  });
  return (await advanceOneQuestion(ports, created.runId, quietLimitOf(env))).journal;
}
