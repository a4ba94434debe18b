/** Who decides on this command line, as far as one can tell. */
import fs from "node:fs";
import os from "node:os";
import { isatty } from "node:tty";
import { readConfig } from "../config/read-config.js";
import type { AnswersPolicy, DecisionSource, DecisionWay } from "../model/who-may-decide.js";
import type { RunJournal } from "../runs/run-journal.js";
import { isAgentEnvironment } from "./agent-environment.js";
import type { Invocation } from "./invocation.js";

export function decisionSource({ env }: Pick<Invocation, "env">, via: DecisionWay = "cli"): DecisionSource {
  return { via, terminal: hasTerminal(), agent: isAgentEnvironment(env) };
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

/** Whose answers count in the project of this run. A variable is too easily set by the very agent that it is about. */
export function answersOf({ env }: Pick<Invocation, "env">, { ports, runDir, summary }: RunJournal): AnswersPolicy {
  const { projectRoot } = ports.locate(runDir, summary.created);
  const { [ANSWERS_VARIABLE]: given, ...rest } = env;
  const trusted = isAgentEnvironment(env) || given === undefined ? rest : env;
  return readConfig({ projectRoot, env: trusted, flags: {} }).values["breakpoints.answers"];
}
