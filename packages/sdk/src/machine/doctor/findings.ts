/** What the facts mean: one finding per link of the chain, each with the command that fixes it. Pure. */

import { type Finding, ok, problem, warning } from "../../hosts/finding.js";
import { shellQuoted } from "../../model/shell-quoted.js";
import { counted, shownDuration, shownTime } from "../../model/shown-amounts.js";
import { atLeast } from "../../model/version-numbers.js";
import { findingsOfChannels } from "./channel-findings.js";
import type { SetupFacts } from "./setup-facts.js";

const MIN_NODE = "20.19.0";

export function findingsOf(facts: SetupFacts): Finding[] {
  return CHECKS.flatMap((check) => check(facts));
}

type Check = (facts: SetupFacts) => Finding[];

const platform: Check = ({ platform: name }) =>
  name === "win32"
    ? [problem("platform", "native Windows is not supported yet", "Use WSL: https://learn.microsoft.com/windows/wsl")]
    : [];

const node: Check = ({ node: found, hosts }) => {
  const fix = `Install Node ${MIN_NODE} or newer (https://nodejs.org), and make sure that it is on the PATH of ${hosts.join(" and ")}.`;
  if (found === undefined) return [problem("node", "node is not on PATH, so no hook can run", fix)];
  if (found.version === undefined) return [problem("node", `${found.path} does not run`, fix)];
  return atLeast(found.version, MIN_NODE)
    ? [ok("node", `${found.version} (${found.path})`)]
    : [problem("node", `${found.path} is ${found.version}; hooks need ${MIN_NODE} or newer`, fix)];
};

const cli: Check = ({ cli: { path, version, from }, others }) => [
  ok("babysitter", `${version}, from the ${from.kind} ${from.dir} (${path})`),
  ...others.map((other) =>
    warning(
      "babysitter",
      `another babysitter is on PATH: ${other}; agents use the plugin's, but your own shell may not`,
      `Remove it (npm uninstall -g @a5c-ai/babysitter-sdk), or call this one: ${path}`,
    ),
  ),
];

const disk: Check = ({ links, state }) => [
  links.problem === undefined
    ? ok("runs", `${links.dir} can hold journals`)
    : problem(
        "runs",
        `${links.dir} cannot hold journals: ${links.problem}`,
        "Put the runs on a local disk that supports hard links: RUNS_DIR=<folder>",
      ),
  state.problem === undefined
    ? ok("state", state.dir)
    : problem(
        "state",
        `${state.dir} cannot be written: ${state.problem}`,
        "Fix its permissions, or choose another folder: BABYSITTER_HOME=<folder>",
      ),
];

const ENABLE = "babysitter ui --enable";

const inbox: Check = ({ inbox: facts }) => {
  if (facts === undefined) return [];
  const { program, onDemand, running } = facts;
  const place = running === undefined ? "not running" : `running at ${running.url} (process ${running.pid})`;
  if (program.is === "missing") return [ok("inbox", `not installed (${place}); \`babysitter ui\` shows how`)];
  if (program.is === "foreign") {
    const text = `${program.path} is not the inbox, but the registry's package of the same name`;
    return [warning("inbox", text, "Remove it. To see how to install the inbox: babysitter ui")];
  }
  if (program.is === "gone") {
    const text = `the recorded program is gone, so no question starts it: ${program.path} (${place})`;
    return [warning("inbox", text, `Install it again, then: ${ENABLE}. To do without: babysitter ui --disable`)];
  }
  return onDemand
    ? [ok("inbox", `${place}, started by questions: ${program.path}`)]
    : [ok("inbox", `${place}; to open it: babysitter ui; to let questions start it: ${ENABLE}`)];
};

/** Clocks of machines that share a folder differ a little. */
const CLOCK_TOLERANCE_MS = 60_000;

const clock: Check = ({ now, newest }) => {
  const behindMs = newest === undefined ? 0 : Date.parse(newest.at) - Date.parse(now);
  if (newest === undefined || behindMs <= CLOCK_TOLERANCE_MS) return [ok("clock", shownTime(now))];
  return [
    warning(
      "clock",
      `it shows ${shownTime(now)}, ${shownDuration(behindMs)} before the newest event of ${newest.runId} (${shownTime(newest.at)}): it is wrong now, or was wrong then`,
      "Compare `date` with another clock, and set it. Runs continue either way: they count elapsed time.",
    ),
  ];
};

const MAX_NAMED = 3;

const unreadable: Check = ({ unreadable: runs }) => {
  const [first] = runs;
  if (first === undefined) return [];
  const named = runs.slice(0, MAX_NAMED).map(({ runId, why }) => `${runId}: ${why}`);
  const more = runs.length > MAX_NAMED ? [`and ${runs.length - MAX_NAMED} more`] : [];
  const text = `${runs.length === 1 ? "one run" : `${runs.length} runs`} cannot be read: ${[...named, ...more].join("; ")}`;
  return [warning("runs", text, `babysitter run:check ${first.runId}`)];
};

const log: Check = ({ hookProblems, hookLog }) => {
  const last = hookProblems.at(-1);
  if (last === undefined) return [ok("hooks", "no problems in the last day")];
  const { at, hookType, code, message } = last;
  return [
    warning(
      "hooks",
      `${counted(hookProblems.length, "problem")} in the last day; the latest at ${shownTime(at)}: ${hookType}: ${code}: ${message}`,
      `tail ${shellQuoted(hookLog)}`,
    ),
  ];
};

const CHECKS: readonly Check[] = [
  platform,
  node,
  cli,
  ({ hostFindings }) => [...hostFindings],
  disk,
  inbox,
  ({ channels, inbox: facts }) => findingsOfChannels(channels, facts),
  unreadable,
  clock,
  log,
];
