/** One attempt at an agent task: the command is run, and once more if its answer cannot be used. */
import path from "node:path";
import { type RecordedError, recordError } from "../model/errors.js";
import type { ProcessGroupRef } from "../model/events.js";
import type { Json, JsonObject } from "../model/json.js";
import { DEFAULT_OUTPUT_LIMIT, type RunningProcess, type SpawnResult } from "../spawn/spawn-request.js";
import { startChild } from "../spawn/start-child.js";
import { judgeAnswer } from "./agent-answer.js";
import { type AgentCommand, renderAgentCommand, usesPlaceholder } from "./agent-command.js";
import { agentFailed, answerInvalid, notStarted } from "./agent-errors.js";
import {
  firstTryFiles,
  keepRefusedAnswer,
  outputFileIn,
  readOutputFile,
  repairFiles,
  type TryFiles,
  writePrivately,
} from "./agent-files.js";
import { type RefusedAnswer, renderRepairPrompt } from "./agent-prompt.js";
import type { AgentTask } from "./agent-task.js";
import { interrupted, timedOut, withoutSecrets } from "./command-work.js";
import type { RunningWork, Work, WorkFacts, WorkPlace, WorkResult } from "./executor.js";
import { sealFile } from "./handed-over.js";
import { readLogTail } from "./task-logs.js";

export interface AgentPlan {
  work: Work;
  place: WorkPlace;
  task: AgentTask;
  command: AgentCommand;
  commandDir: string;
  env: Record<string, string>;
  secrets: string[];
  marker: string;
  schemaFile: string | undefined;
  prompt: string;
  outputLimitBytes: number | undefined;
  graceMs: number | undefined;
}

/** How a try ended; a refused answer may be asked for again. */
type Outcome =
  | { status: "ok"; value: Json }
  | Pick<WorkResult & { status: "error" }, "status" | "reason" | "error" | "permanent" | "noRoom">;
type TryEnd = Outcome | ({ status: "refused" } & RefusedAnswer);

interface Try {
  files: TryFiles;
  prompt: string;
}

export class AgentWork implements RunningWork {
  /** Of the first try. The second has the same marker, by which a successor finds it as well. */
  readonly group: ProcessGroupRef | undefined;
  readonly result: Promise<WorkResult>;
  readonly #plan: AgentPlan;
  readonly #deadline: number | undefined;
  readonly #listeners = new Set<(line: string) => void>();
  readonly #exits: SpawnResult[] = [];
  readonly #startedAt = new Date();
  #child: RunningProcess;
  #lastFiles: TryFiles;
  #refused: RefusedAnswer | undefined;
  #stopReason: string | undefined;

  constructor(plan: AgentPlan) {
    this.#plan = plan;
    const { timeoutMs } = plan.task;
    this.#deadline = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
    const first = { files: firstTryFiles(plan.place.taskDir), prompt: plan.prompt };
    this.#lastFiles = first.files;
    this.#child = this.#start(first);
    this.group = this.#child.group;
    this.result = this.#run(first);
  }

  async stop(reason: string): Promise<void> {
    this.#stopReason ??= reason;
    await this.#child.stop(reason);
    await this.result;
  }

  onOutput(listener: (line: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #run(first: Try): Promise<WorkResult> {
    let outcome: Outcome;
    try {
      const end = await this.#end(first);
      outcome = end.status === "refused" ? await this.#repair(end) : end;
    } catch (error) {
      outcome = failed(recordError(error));
    }
    const { secrets } = this.#plan;
    return { ...withoutSecrets(outcome, secrets), facts: this.#facts() };
  }

  /** The same attempt once more, unless someone has said stop or the time is over. */
  async #repair(refused: RefusedAnswer): Promise<Outcome> {
    const { place, prompt } = this.#plan;
    if (this.#stopReason !== undefined) return this.#interrupted();
    if (this.#deadline !== undefined && performance.now() >= this.#deadline) return this.#timedOut();
    this.#refused = refused;
    keepRefusedAnswer(place.taskDir);
    const second = { files: repairFiles(place.taskDir), prompt: renderRepairPrompt(prompt, refused) };
    this.#child = this.#start(second);
    this.#lastFiles = second.files;
    const end = await this.#end(second);
    return end.status === "refused" ? failed(answerInvalid(this.#plan.work, end)) : end;
  }

  #start({ files, prompt }: Try): RunningProcess {
    const { command, task, env, marker, secrets, outputLimitBytes, graceMs } = this.#plan;
    const onStdin = !usesPlaceholder(command, "promptFile");
    writePrivately(files.promptFile, prompt);
    const child = startChild({
      argv: this.#argv(files),
      cwd: task.cwd,
      env,
      stdoutFile: files.stdoutFile,
      stderrFile: files.stderrFile,
      marker,
      secrets,
      ...(onStdin ? { stdin: prompt } : {}),
      ...(outputLimitBytes === undefined ? {} : { outputLimitBytes }),
      ...(graceMs === undefined ? {} : { graceMs }),
      ...(this.#deadline === undefined ? {} : { timeoutMs: Math.max(this.#deadline - performance.now(), 1) }),
    });
    child.onOutput((line) => {
      for (const listener of this.#listeners) listener(line);
    });
    return child;
  }

  #argv({ promptFile }: TryFiles): [string, ...string[]] {
    const { command, commandDir, work, place, task, schemaFile } = this.#plan;
    const [program, ...args] = renderAgentCommand(command, {
      promptFile,
      outputFile: outputFileIn(place.taskDir),
      schemaFile,
      effectId: work.effectId,
      runId: work.runId,
      title: task.titleArgument,
      cwd: task.cwd,
      model: task.model,
    });
    // The command may run elsewhere than where it was named.
    return [program.includes("/") ? path.resolve(commandDir, program) : program, ...args];
  }

  async #end(made: Try): Promise<TryEnd> {
    const exit = await this.#child.result;
    this.#exits.push(exit);
    sealFile(outputFileIn(this.#plan.place.taskDir), this.#plan.secrets);
    const { outcome } = exit;
    if (outcome === "stopped") return this.#interrupted();
    if (outcome === "timed-out") return this.#timedOut();
    return outcome === "exited" ? this.#judge(made, exit) : notStarted(this.#plan.work, this.#plan.command, exit);
  }

  #judge({ files, prompt }: Try, exit: SpawnResult): TryEnd {
    const { work, place, task } = this.#plan;
    const stdout = this.#readStdout(files, exit);
    const verdict = judgeAnswer({ file: readOutputFile(place.taskDir), stdout, prompt }, task.check);
    const said = verdict.kind === "failure" ? verdict.message : undefined;
    if (exit.exitCode !== 0 || verdict.kind === "failure") return failed(agentFailed(work, files, exit, said));
    return verdict.kind === "usable" ? { status: "ok", value: verdict.value } : { ...verdict, status: "refused" };
  }

  /** Of a log with a gap, only what follows the gap. */
  #readStdout({ stdoutFile }: TryFiles, { stdout }: SpawnResult): string {
    const { outputLimitBytes = DEFAULT_OUTPUT_LIMIT } = this.#plan;
    return readLogTail(stdoutFile, stdout.truncated ? Math.floor(outputLimitBytes / 2) : outputLimitBytes).text;
  }

  #interrupted(): Outcome {
    return { status: "error", reason: "interrupted", error: interrupted(this.#plan.work, this.#stopReason) };
  }

  #timedOut(): Outcome {
    const { work, task } = this.#plan;
    return { status: "error", reason: "timed-out", error: timedOut(work, task.timeoutMs) };
  }

  #facts(): WorkFacts {
    const { runDir } = this.#plan.place;
    const last = this.#exits.at(-1);
    const relative = (file: string): string => path.relative(runDir, file).replaceAll(path.sep, "/");
    const notes = this.#notes();
    return {
      startedAt: this.#exits[0]?.startedAt ?? this.#startedAt.toISOString(),
      finishedAt: last?.finishedAt ?? new Date().toISOString(),
      durationMs: this.#exits.reduce((sum, { durationMs }) => sum + durationMs, 0),
      exitCode: last?.exitCode ?? null,
      signal: last?.signal ?? null,
      stdoutRef: relative(this.#lastFiles.stdoutFile),
      stderrRef: relative(this.#lastFiles.stderrFile),
      ...(Object.keys(notes).length === 0 ? {} : { notes }),
    };
  }

  #notes(): JsonObject {
    const notes: JsonObject = {};
    const sum = (count: (exit: SpawnResult) => number): number =>
      this.#exits.reduce((all, exit) => all + count(exit), 0);
    const escapees = sum((exit) => exit.escapees);
    const survivors = sum((exit) => exit.survivors);
    if (this.#refused !== undefined) notes["firstAnswerRefused"] = [...this.#refused.problems];
    if (escapees > 0) notes["escapees"] = escapees;
    if (survivors > 0) notes["survivors"] = survivors;
    if (this.#exits.some(({ stdout, stderr }) => stdout.truncated || stderr.truncated)) notes["logsTruncated"] = true;
    const broken = this.#exits.map(({ stdout, stderr }) => stdout.writeError ?? stderr.writeError).find(Boolean);
    if (broken !== undefined) notes["logError"] = broken.message;
    return notes;
  }
}

function failed(error: RecordedError): Outcome {
  return { status: "error", reason: "failed", error };
}
