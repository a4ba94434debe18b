/**
 * For programs that show runs to people and pass on what they decide, such as an inbox or a viewer. Each use case takes
 * the runs of a directory, or the journal of one of them, and data.
 *
 *   const runs = openRuns({ runsDir: ".a5c/runs" });
 *   for (const question of await listBreakpoints(await openJournals(runs), { all: false })) …
 *
 * Who decides is found out from evidence: a program that passes on a decision cannot say whose it is.
 */
export type { InboxAccess } from "./inbox/inbox-access.js";
export { localContextFiles } from "./machine/context-files.js";
export { askQuestion } from "./machine/desk/ask-question.js";
export { changeRun } from "./machine/desk/change-run.js";
export { comment, decide } from "./machine/desk/decide-with-evidence.js";
export type { Evidence } from "./machine/desk/evidence.js";
export { type InboxDesk, openDesk, openRuns } from "./machine/desk/open-desk.js";
export { reportLoop } from "./machine/desk/report-loop.js";
export { RunFiles } from "./machine/desk/run-files.js";
export { secretRules } from "./machine/desk/secret-rules.js";
export { openInbox } from "./machine/inbox/open-inbox.js";
export { parseRunId } from "./model/ids.js";
export type { Ports } from "./model/ports.js";
export { type RunSummary, statusOf } from "./model/run-state.js";
export type { PublicKey } from "./model/signed-decision.js";
export { approvedVersions } from "./runs/approved-versions.js";
export { challengeOf } from "./runs/decide-breakpoint.js";
export { type BreakpointDescription, describeBreakpoint } from "./runs/describe-breakpoint.js";
export { describeRun } from "./runs/describe-run.js";
export { listTasks, showTask } from "./runs/describe-task.js";
export {
  type BreakpointListing,
  type FoundBreakpoint,
  findBreakpoint,
  listBreakpoints,
  listOpenBreakpoints,
  openJournals,
} from "./runs/list-breakpoints.js";
export { listEvents } from "./runs/list-events.js";
export { listRuns } from "./runs/list-runs.js";
export { openBreakpoints } from "./runs/open-breakpoints.js";
export { reportAllRuns } from "./runs/report-runs.js";
export { RunJournal } from "./runs/run-journal.js";
export { stateAt } from "./runs/state-at.js";
export type { UnreadableRun } from "./runs/unreadable-runs.js";
export { waitFor } from "./runs/wait-for.js";
