/** Who decides on this command line, as far as one can tell. */
import fs from "node:fs";
import os from "node:os";
import { isatty } from "node:tty";
import { readConfig } from "../config/read-config.js";
import {
  type AnswersPolicy,
  type ChangeSource,
  type DecisionSource,
  type DecisionWay,
  isVerified,
} from "../model/who-may-decide.js";
import type { RunJournal } from "../runs/run-journal.js";
import { isGivenByAnAgent, realHome } from "./agents-above.js";
import type { Caller, Environment } from "./caller.js";

export function decisionSource({ env }: Pick<Caller, "env">, via: DecisionWay = "cli"): DecisionSource {
  return { via, terminal: hasTerminal(), agent: isGivenByAnAgent(env) };
}

/** Who changes something, by the same evidence. */
export function changeSource(source: DecisionSource): ChangeSource {
  return { by: userName(), via: source.via, verified: isVerified(source) };
}

/** True when there is a controlling terminal and its keyboard is what this command reads. */
function hasTerminal(): boolean {
  if (!isatty(0)) return false;
  try {
    fs.closeSync(fs.openSync("/dev/tty", fs.constants.O_RDWR | fs.constants.O_NOCTTY));
    return true;
  } catch {
    return false;
  }
}

/** The name of whoever has started this command. */
export function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    // A user without an entry in the password file, as in some containers.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

const ANSWERS_VARIABLE = "BABYSITTER_BREAKPOINT_ANSWERS";

/**
 * Whose answers count in the project of this run. A variable is too easily set by the very agent that it is about,
 * also one that says where the settings are, and so is a link to the run from another project.
 */
export function answersOf({ env }: Pick<Caller, "env">, { ports, runDir, summary }: RunJournal): AnswersPolicy {
  const { projectRoot } = ports.locate(fs.realpathSync(runDir), summary.created);
  const trusted = isGivenByAnAgent(env) ? homeOnly(env) : env;
  const configured = readConfig({ projectRoot, env: trusted, flags: {} }).values["breakpoints.answers"];
  // What the loop was started with cannot be relaxed from inside it.
  return summary.loop?.contract.settings.answers === "bound" ? "bound" : configured;
}

/** The other variables stay: a wrong value is to be told as everywhere. */
function homeOnly(env: Environment): Environment {
  const { [ANSWERS_VARIABLE]: _answers, XDG_CONFIG_HOME: _config, ...rest } = env;
  return { ...rest, HOME: realHome() };
}
