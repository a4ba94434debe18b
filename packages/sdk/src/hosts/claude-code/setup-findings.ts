/** What the facts about Claude Code mean: one finding per link between it and us, with its fix. Pure. */
import type { JsonObject } from "../../model/json.js";
import { shellQuoted } from "../../model/shell-quoted.js";
import { shownTime } from "../../model/shown-amounts.js";
import { atLeast } from "../../model/version-numbers.js";
import type { LastSession } from "../../sessions/last-session.js";
import { type Finding, ok, problem, warning } from "../finding.js";
import type { HooksOff, Installation, ProgramFacts } from "../host.js";
import { versionIn } from "./environment.js";
import { CAP_VARIABLE } from "./limits.js";

/** Settings of the host, from a file or from its command line. */
export interface SettingsFacts {
  path: string;
  /** They are written on the command line, and there is no file to edit. */
  inline?: true;
  /** Why it cannot be read as settings. */
  problem?: string;
  /** Undefined: they do not say. */
  disableAllHooks?: boolean;
  /** Only hooks of the administrator run. */
  managedHooksOnly: boolean;
  /** Our plugin is switched off there, under this name. */
  switchedOff?: string;
  /** What they set in the environment of everything that the host starts. */
  variables?: JsonObject;
  /** The host's limit of blocks, where it is set there. */
  blockCap?: string;
}

/** Everything that was checked. */
export interface HostFacts {
  cli: { version: string; from: Installation };
  host?: ProgramFacts;
  plugin?: {
    root: string;
    version?: string;
    /** Only the last session had it, and the host has none installed now. */
    isGone?: boolean;
    /** What the host's validator said, where there is a host to ask. */
    validation?: { ok: boolean; text: string };
  };
  lastSession?: LastSession;
  /** Those that the host reads, in its order: what a later one says counts. */
  settings: SettingsFacts[];
  /** The flag of a mode in which the host runs no hooks. */
  mode?: string;
}

const MIN_HOST = "2.1.197";
/** With fewer blocks than this there is no room to warn and pause before the host cuts the loop. */
const MIN_CAP = 3;

/** The plugin comes from a clone, and where this program does too, from the same one. */
function installation({ kind, dir }: Installation): string {
  const [where, clone] = kind === "clone" ? ["", shellQuoted(dir)] : ["In a clone of Babysitter: ", '"$PWD"'];
  return `${where}claude plugin marketplace add ${clone} && claude plugin install babysitter@a5c`;
}

export function findingsOfHost(facts: HostFacts): Finding[] {
  return CHECKS.flatMap((check) => check(facts));
}

type Check = (facts: HostFacts) => Finding[];

/** The command line alone may be all that is wanted. */
function isAbsent({ host: claude, plugin: found, lastSession }: HostFacts): boolean {
  return claude === undefined && found === undefined && lastSession === undefined;
}

const host: Check = (facts) => {
  const { host: found, lastSession } = facts;
  if (isAbsent(facts))
    return [
      warning(
        "host",
        "Claude Code was not found: no claude on PATH, no plugin, no session so far",
        "If you want to use it, put claude on PATH and run this again.",
      ),
    ];
  const running = versionIn(lastSession?.host);
  if (found === undefined)
    return [
      running === undefined
        ? warning(
            "host",
            "claude is not on PATH here, so the plugin was not validated",
            "Put claude on PATH and run this again.",
          )
        : ok("host", `${running} in the last session; claude is not on PATH here`),
    ];
  const version = versionOf(found);
  if (version === undefined)
    return [
      problem(
        "host",
        `${found.path} did not report its version`,
        "Reinstall Claude Code: npm i -g @anthropic-ai/claude-code",
      ),
    ];
  return atLeast(version, MIN_HOST)
    ? [ok("host", `Claude Code ${version} (${found.path})`)]
    : [problem("host", `Claude Code ${version} is older than ${MIN_HOST}`, "claude update")];
};

const plugin: Check = (facts) => {
  const { plugin: found, host: claude, cli } = facts;
  const { version, from } = cli;
  if (isAbsent(facts)) return [];
  if (found === undefined)
    return [(claude === undefined ? warning : problem)("plugin", "the plugin was not found", installation(from))];
  if (found.isGone === true)
    return [
      warning(
        "plugin",
        `it is not installed in Claude Code; the last session loaded it from ${found.root}`,
        installation(from),
      ),
    ];
  const findings: Finding[] = [];
  if (found.version !== version)
    findings.push(
      warning(
        "plugin",
        `the plugin in ${found.root} is version ${found.version ?? "unknown"}, but this is ${version}`,
        "claude plugin update babysitter@a5c, then restart Claude Code",
      ),
    );
  if (found.validation?.ok === false)
    findings.push(
      problem(
        "plugin",
        `the host rejects it: ${found.validation.text}`,
        `claude plugin validate ${shellQuoted(found.root)}`,
      ),
    );
  if (findings.length > 0) return findings;
  const judged = found.validation === undefined ? "not validated" : "validated by the host";
  return [ok("plugin", `${found.version ?? ""} in ${found.root}, ${judged}`)];
};

/** How a session began, in the host's word and in ours. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  startup: "started",
  resume: "resumed",
  clear: "cleared",
  compact: "compacted",
  fork: "forked",
};

const sessions: Check = (facts) => {
  const { lastSession, cli } = facts;
  const { version } = cli;
  if (isAbsent(facts)) return [];
  // Right after the installation that is as it should be.
  if (lastSession === undefined)
    return [
      warning(
        "sessions",
        "no session has called the hooks yet",
        facts.plugin === undefined
          ? "Install the plugin, then start a session of Claude Code."
          : "Start a session of Claude Code.",
      ),
    ];
  const { at, source, sessionId, version: then, host: agent } = lastSession;
  const program = versionIn(agent) === undefined ? agent : `Claude Code ${versionIn(agent)}`;
  const about = [BEGINNINGS[source] ?? source, ...(program === null ? [] : [program]), `session ${sessionId}`];
  const text = `last one at ${shownTime(at)} (${about.join(", ")})`;
  if (then !== version)
    return [warning("sessions", `${text} used version ${then}; this is ${version}`, "Restart Claude Code.")];
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

/** What keeps the host from calling our hooks, without any doubt. */
export function hooksOff({ settings: files, mode }: Pick<HostFacts, "settings" | "mode">): HooksOff | undefined {
  if (mode !== undefined)
    return { what: `the host was started with ${mode}, which runs no hooks`, fix: `Start it without ${mode}.` };
  const decisive = files.findLast(({ disableAllHooks }) => disableAllHooks !== undefined);
  if (decisive?.disableAllHooks !== true) return undefined;
  const { path, inline } = decisive;
  const fix = inline ? "Start the host without it." : `Edit ${path}: remove "disableAllHooks".`;
  return { what: `${path} turns off all hooks`, fix };
}

const settings: Check = (facts) => {
  const off = hooksOff(facts);
  const findings = [
    ...(off === undefined ? [] : [problem("settings", off.what, off.fix)]),
    ...facts.settings.flatMap(settingsFindings),
  ];
  return findings.length > 0 ? findings : [ok("settings", "hooks are on")];
};

function settingsFindings({ path, problem: broken, managedHooksOnly, switchedOff }: SettingsFacts): Finding[] {
  const edit = `Edit ${path}`;
  return [
    ...(broken === undefined
      ? []
      : [warning("settings", `${path}: ${broken}`, `${edit}; the host ignores it until then.`)]),
    ...(managedHooksOnly
      ? [problem("settings", `${path} allows only hooks set by an administrator`, `Ask whoever manages ${path}.`)]
      : []),
    ...(switchedOff === undefined
      ? []
      : [problem("settings", `${path} disables ${switchedOff}`, `claude plugin enable ${switchedOff}`)]),
  ];
}

const CHECKS: readonly Check[] = [host, plugin, sessions, cap, settings];

function versionOf({ version }: ProgramFacts): string | undefined {
  return /^\d+\.\d+\.\d+/u.exec(version ?? "")?.[0];
}
