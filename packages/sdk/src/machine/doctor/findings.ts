/** What the facts mean: one finding per link of the chain, each with the command that mends it. Pure. */
import { atLeast } from "../../model/version-numbers.js";
import type { ProgramFacts, SettingsFacts, SetupFacts } from "./setup-facts.js";
import { hostVersion } from "./versions.js";

/** `problem`: it cannot work like this. `warning`: it works, but not as you may think. */
export type Level = "ok" | "warning" | "problem";

export interface Finding {
  check: string;
  level: Level;
  text: string;
  /** What to run, or to do. */
  fix?: string;
}

const MIN_NODE = "20.19.0";
const MIN_HOST = "2.1.197";
/** With fewer blocks than this there is no room to warn and pause before the host cuts the loop. */
const MIN_CAP = 3;
const CAP_VARIABLE = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";

export function findingsOf(facts: SetupFacts): Finding[] {
  return CHECKS.flatMap((check) => check(facts));
}

type Check = (facts: SetupFacts) => Finding[];

const platform: Check = ({ platform: name }) =>
  name === "win32"
    ? [problem("platform", "native Windows is not supported yet", "Use WSL: https://learn.microsoft.com/windows/wsl")]
    : [];

const node: Check = ({ node: found }) => {
  const fix = `Install Node ${MIN_NODE} or newer (https://nodejs.org), and see that it is on the PATH of Claude Code.`;
  if (found === undefined) return [problem("node", "there is no node on PATH, so no hook can run", fix)];
  if (found.version === undefined) return [problem("node", `${found.path} does not run`, fix)];
  return atLeast(found.version, MIN_NODE)
    ? [ok("node", `${found.version} (${found.path})`)]
    : [problem("node", `${found.path} is ${found.version}; hooks need ${MIN_NODE} or newer`, fix)];
};

const cli: Check = ({ cli: { path, version }, others }) => [
  ok("babysitter", `${version} (${path})`),
  ...others.map((other) =>
    warning(
      "babysitter",
      `another babysitter is on PATH: ${other}; agents get the plugin's, but your own shell may not`,
      `Remove it (npm uninstall -g @a5c-ai/babysitter-sdk), or call this one: ${path}`,
    ),
  ),
];

const host: Check = ({ host: found, lastSession }) => {
  const running = hostVersion(lastSession?.host ?? null);
  if (found === undefined)
    return [
      running === undefined
        ? warning(
            "host",
            "claude is not on PATH here, so the plugin was not validated",
            "Put claude on PATH and ask again.",
          )
        : ok("host", `${running} in the last session; claude is not on PATH here`),
    ];
  const version = versionIn(found);
  if (version === undefined)
    return [
      problem(
        "host",
        `${found.path} does not say its version`,
        "Install Claude Code again: npm i -g @anthropic-ai/claude-code",
      ),
    ];
  return atLeast(version, MIN_HOST)
    ? [ok("host", `Claude Code ${version} (${found.path})`)]
    : [problem("host", `Claude Code ${version} is older than ${MIN_HOST}`, "claude update")];
};

const plugin: Check = ({ plugin: found, host: claude, cli: { version }, install }) => {
  // Without a host there is nothing to plug into: the command line alone may be all that is wanted.
  if (found === undefined)
    return [(claude === undefined ? warning : problem)("plugin", "no plugin was found", install)];
  const findings: Finding[] = [];
  if (found.version !== version)
    findings.push(
      warning(
        "plugin",
        `the plugin in ${found.root} is ${found.version ?? "of no version"}, this command line is ${version}`,
        "claude plugin update babysitter@a5c, then start Claude Code again",
      ),
    );
  if (found.validation?.ok === false)
    findings.push(
      problem(
        "plugin",
        `the host refuses it: ${found.validation.text}`,
        `claude plugin validate ${quoted(found.root)}`,
      ),
    );
  if (findings.length > 0) return findings;
  const judged = found.validation === undefined ? "not validated" : "validated by the host";
  return [ok("plugin", `${found.version ?? ""} in ${found.root}, ${judged}`)];
};

const sessions: Check = ({ lastSession, host: claude, cli: { version }, install }) => {
  if (lastSession === undefined) {
    const level = claude === undefined ? warning : problem;
    return [
      level(
        "sessions",
        "no session has called our hooks yet",
        `Start a session, or install the plugin first: ${install}`,
      ),
    ];
  }
  const { at, source, sessionId, version: then, host: agent } = lastSession;
  const text = `last one at ${at} (${source}, ${sessionId}${agent === null ? "" : `, ${agent}`})`;
  if (then !== version)
    return [
      warning("sessions", `${text} was answered by version ${then}, this is ${version}`, "Start Claude Code again."),
    ];
  return [ok("sessions", text)];
};

const cap: Check = ({ lastSession, settings }) => {
  const written = settings.filter(({ blockCap }) => blockCap !== undefined);
  const where = written.map(({ path, blockCap }) => `${path}: ${blockCap}`).join(", ");
  const value = lastSession?.blockCap ?? undefined;
  if (value === undefined) return written.length === 0 ? [] : [ok("block cap", where)];
  if (value === 0) return [ok("block cap", `off (${CAP_VARIABLE}=0)`)];
  if (value < MIN_CAP)
    return [
      problem(
        "block cap",
        `the host ends a loop after ${value} turns without a tool call${where === "" ? "" : ` (${where})`}`,
        `Remove ${CAP_VARIABLE} from the environment and from "env" in the settings, or set it to 8 or more.`,
      ),
    ];
  return [ok("block cap", `${value} turns without a tool call; loops pause before that`)];
};

const settings: Check = ({ settings: files }) => {
  const findings = files.flatMap(settingsFindings);
  return findings.length > 0 ? findings : [ok("settings", "hooks are on")];
};

function settingsFindings({
  path,
  problem: broken,
  disableAllHooks,
  managedHooksOnly,
  switchedOff,
}: SettingsFacts): Finding[] {
  const edit = `Edit ${path}`;
  return [
    ...(broken === undefined
      ? []
      : [warning("settings", `${path}: ${broken}`, `${edit}; the host ignores it as it is.`)]),
    ...(disableAllHooks
      ? [problem("settings", `${path} switches all hooks off`, `${edit}: remove "disableAllHooks".`)]
      : []),
    ...(managedHooksOnly
      ? [problem("settings", `${path} lets only hooks of the administrator run`, `Ask whoever manages ${path}.`)]
      : []),
    ...(switchedOff === undefined
      ? []
      : [problem("settings", `${path} switches ${switchedOff} off`, `claude plugin enable ${switchedOff}`)]),
  ];
}

const disk: Check = ({ links, state }) => [
  links.problem === undefined
    ? ok("runs", `${links.dir} can hold journals`)
    : problem(
        "runs",
        `${links.dir} cannot hold journals: ${links.problem}`,
        "Put the runs on a local disk that knows hard links: RUNS_DIR=<folder>",
      ),
  state.problem === undefined
    ? ok("state", state.dir)
    : problem(
        "state",
        `${state.dir} cannot be written: ${state.problem}`,
        "Mend its rights, or choose another folder: BABYSITTER_HOME=<folder>",
      ),
];

const log: Check = ({ hookProblems, hookLog }) => {
  const last = hookProblems.at(-1);
  if (last === undefined) return [ok("hooks", "no problems in the last day")];
  const { at, hookType, code, message } = last;
  return [
    warning(
      "hooks",
      `${hookProblems.length} problem(s) in the last day; the last at ${at}: ${hookType}: ${code}: ${message}`,
      `tail ${quoted(hookLog)}`,
    ),
  ];
};

const CHECKS: readonly Check[] = [platform, node, cli, host, plugin, sessions, cap, settings, disk, log];

function versionIn({ version }: ProgramFacts): string | undefined {
  return /^\d+\.\d+\.\d+/u.exec(version ?? "")?.[0];
}

function ok(check: string, text: string): Finding {
  return { check, level: "ok", text };
}

function warning(check: string, text: string, fix: string): Finding {
  return { check, level: "warning", text, fix };
}

function problem(check: string, text: string, fix: string): Finding {
  return { check, level: "problem", text, fix };
}

/** For a line that somebody copies into a shell. */
function quoted(word: string): string {
  return /^[\w./:@+-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
