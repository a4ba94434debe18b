/**
 * Which commands there are and where each is, in a file of its own: the command line reads it only when it has something to do.
 * Hosts call us at every end of a turn, mostly for nothing.
 */
import type { Command } from "./grammar/invocation.js";

export { findCommand } from "./grammar/find-command.js";

export const COMMAND_LOADERS: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  run: () => import("./commands/run.js"),
  "run:create": () => import("./commands/run-create.js"),
  "run:iterate": () => import("./commands/run-iterate.js"),
  "run:execute": () => import("./commands/run-execute.js"),
  "run:status": () => import("./commands/run-status.js"),
  "run:show": () => import("./commands/run-show.js"),
  "run:output": () => import("./commands/run-output.js"),
  "run:watch": () => import("./commands/run-watch.js"),
  "run:list": () => import("./commands/run-list.js"),
  "run:export": () => import("./commands/run-export.js"),
  "run:events": () => import("./commands/run-events.js"),
  "run:check": () => import("./commands/run-check.js"),
  "run:repair": () => import("./commands/run-repair.js"),
  "run:retry": () => import("./commands/run-retry.js"),
  "run:fork": () => import("./commands/run-fork.js"),
  "run:accept-code": () => import("./commands/run-accept-code.js"),
  "run:cancel": () => import("./commands/run-cancel.js"),
  "run:replay": () => import("./commands/run-replay.js"),
  "run:archive": () => import("./commands/run-archive.js"),
  "run:prune": () => import("./commands/run-prune.js"),
  "process:check": () => import("./commands/process-check.js"),
  "task:list": () => import("./commands/task-list.js"),
  "task:show": () => import("./commands/task-show.js"),
  "task:logs": () => import("./commands/task-logs.js"),
  "task:post": () => import("./commands/task-post.js"),
  "loop:start": () => import("./commands/loop-start.js"),
  "loop:verify": () => import("./commands/loop-verify.js"),
  "loop:check": () => import("./commands/loop-check.js"),
  "loop:step": () => import("./commands/loop-step.js"),
  "loop:amend": () => import("./commands/loop-amend.js"),
  "loop:import": () => import("./commands/loop-import.js"),
  "run:pause": () => import("./commands/run-pause.js"),
  "run:resume": () => import("./commands/run-resume.js"),
  "run:report": () => import("./commands/run-report.js"),
  "session:init": () => import("./commands/session-init.js"),
  "session:associate": () => import("./commands/session-associate.js"),
  "session:resume": () => import("./commands/session-resume.js"),
  "session:state": () => import("./commands/session-state.js"),
  "session:update": () => import("./commands/session-update.js"),
  "session:check-iteration": () => import("./commands/session-check-iteration.js"),
  "session:last-message": () => import("./commands/session-last-message.js"),
  "session:iteration-message": () => import("./commands/session-iteration-message.js"),
  "hook:list": () => import("./commands/hook-list.js"),
  "hook:dispatch": () => import("./commands/hook-dispatch.js"),
  "breakpoint:list": () => import("./commands/breakpoint-list.js"),
  "breakpoint:show": () => import("./commands/breakpoint-show.js"),
  "breakpoint:approve": () => import("./commands/breakpoint-approve.js"),
  "breakpoint:reject": () => import("./commands/breakpoint-reject.js"),
  "breakpoint:comment": () => import("./commands/breakpoint-comment.js"),
  "breakpoint:wait": () => import("./commands/breakpoint-wait.js"),
  "breakpoint:create": () => import("./commands/breakpoint-create.js"),
  extension: () => import("./commands/extension.js"),
  "notify:test": () => import("./commands/notify-test.js"),
  ui: () => import("./commands/ui.js"),
  report: () => import("./commands/report.js"),
  init: () => import("./commands/init.js"),
  "config:show": () => import("./commands/config-show.js"),
  paths: () => import("./commands/paths.js"),
  doctor: () => import("./commands/doctor.js"),
  uninstall: () => import("./commands/uninstall.js"),
  completion: () => import("./commands/completion.js"),
  help: () => import("./commands/help.js"),
};

/** What `run` does when it is not to run anything. */
export const runPreview = () => import("./commands/run-preview.js");

/** What the program calls itself for, by the words of host-command.ts. */
export const processWorker = () => import("../machine/programs/process-worker.js");
export const taskRunner = () => import("../machine/programs/task-runner.js");
export const verifier = () => import("../machine/programs/verifier.js");
