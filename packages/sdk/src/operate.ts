/**
 * For programs that show runs to people and pass on what they decide, such as an inbox or a viewer. Each use case takes
 * the runs of a directory, or the journal of one of them, and data.
 *
 *   const runs = openRuns({ runsDir: ".a5c/runs" });
 *   for (const question of await listBreakpoints(await openJournals(runs), { all: false })) …
 *
 * Who decides is found out from evidence: a program that passes on a decision cannot say whose it is.
 */
export type { Device } from "./inbox/access-state.js";
export type { InboxAccess, SignIn } from "./inbox/inbox-access.js";
export { localContextFiles } from "./machine/context-files.js";
export { askQuestion } from "./machine/desk/ask-question.js";
export { comment, decide } from "./machine/desk/decide-with-evidence.js";
export type { Evidence } from "./machine/desk/evidence.js";
export { type InboxDesk, openDesk, openRuns } from "./machine/desk/open-desk.js";
export { parseRunId, type RunId } from "./model/ids.js";
export type { Ports } from "./model/ports.js";
export { type RunStatus, type RunSummary, statusOf } from "./model/run-state.js";
export type { Assertion, PublicKey } from "./model/signed-decision.js";
export { type ApprovedVersion, approvedVersions } from "./runs/approved-versions.js";
export type { CommentAnswer, CommentPlace } from "./runs/comment-breakpoint.js";
export { challengeOf, type DecisionAnswer, type DecisionWords } from "./runs/decide-breakpoint.js";
export { type BreakpointDescription, describeBreakpoint } from "./runs/describe-breakpoint.js";
export { describeRun, type RunDescription } from "./runs/describe-run.js";
export { listTasks, showTask, type TaskDescription, type TaskListing } from "./runs/describe-task.js";
export {
  type BreakpointListing,
  type FoundBreakpoint,
  findBreakpoint,
  listBreakpoints,
  listOpenBreakpoints,
  openJournals,
} from "./runs/list-breakpoints.js";
export { type EventQuery, listEvents } from "./runs/list-events.js";
export { type ListedRun, listRuns } from "./runs/list-runs.js";
export { openBreakpoints } from "./runs/open-breakpoints.js";
export { type Report, reportRuns } from "./runs/report-runs.js";
export { RunJournal } from "./runs/run-journal.js";
export type { Driving } from "./runs/standing.js";
export { stateAt } from "./runs/state-at.js";
export type { UnreadableRun } from "./runs/unreadable-runs.js";
export { type WaitOptions, waitFor } from "./runs/wait-for.js";
