/** Executes `agent` and `skill` tasks by a command of the user's choice, once per task, twice if it must be. */

import { BabysitterError, recordError } from "../model/errors.js";
import { kindsFor } from "../model/task-kinds.js";
import { childEnvironment } from "../spawn/child-environment.js";
import { type AgentCommand, usesPlaceholder } from "./agent-command.js";
import { clearTaskDir, outputFileIn, writeSchema } from "./agent-files.js";
import { renderAgentPrompt } from "./agent-prompt.js";
import { readAgentTask } from "./agent-task.js";
import { type AgentPlan, AgentWork } from "./agent-work.js";
import {
  baseEnvironment,
  type ExecutorSettings,
  failedAtOnce,
  missingSecrets,
  taskVariables,
  writeInput,
} from "./command-work.js";
import type { Executor, Work, WorkPlace } from "./executor.js";

export interface AgentExecutorSettings extends ExecutorSettings {
  command: AgentCommand;
  /** What a relative path of the program is relative to; the project root if missing. */
  commandDir?: string;
  /** How much of each log is kept, see SpawnRequest. */
  outputLimitBytes?: number;
  graceMs?: number;
}

export function createAgentExecutor(settings: AgentExecutorSettings): Executor {
  return {
    name: "agent",
    kinds: kindsFor("agent"),
    begin: (work, place) => {
      try {
        return new AgentWork(planOf(settings, work, place));
      } catch (error) {
        return failedAtOnce(recordError(error), BabysitterError.is(error) && error.code !== "INTERNAL");
      }
    },
  };
}

function planOf(settings: AgentExecutorSettings, work: Work, place: WorkPlace): AgentPlan {
  const { command, commandDir, outputLimitBytes, graceMs } = settings;
  const { taskDir } = place;
  const task = readAgentTask(work, place);
  const environment = environmentOf(settings, work, place, task);
  clearTaskDir(taskDir, work.attempt);
  const outputFile = outputFileIn(taskDir);
  return {
    work,
    place,
    task,
    command,
    commandDir: commandDir ?? place.projectRoot,
    ...environment,
    marker: `${settings.session}.${work.effectId}.${work.attempt}`,
    schemaFile: writeSchema(taskDir, task.schema),
    prompt: renderAgentPrompt({
      title: task.title,
      definition: work.definition,
      args: work.args,
      schema: task.schema,
      outputFile: usesPlaceholder(command, "outputFile") ? outputFile : undefined,
    }),
    outputLimitBytes,
    graceMs,
  };
}

function environmentOf(
  settings: AgentExecutorSettings,
  work: Work,
  place: WorkPlace,
  task: { env: Record<string, string>; secretEnv: readonly string[] },
): Pick<AgentPlan, "env" | "secrets"> {
  const output = { BABYSITTER_OUTPUT_JSON: outputFileIn(place.taskDir) };
  const extra = { ...task.env, ...taskVariables(work, place), ...output };
  const { env, secrets, missing } = childEnvironment(baseEnvironment(settings), extra, task.secretEnv);
  if (missing.length > 0) throw missingSecrets(work, missing);
  writeInput(work, place);
  return { env, secrets };
}
