/** What the command of a criterion finds in its environment; documented for those who write criteria. */
import { childEnvironment } from "../spawn/child-environment.js";

export interface CriterionEnvironment {
  env: Record<string, string>;
  /** Values that must not get into the evidence. */
  secrets: string[];
}

/** They would run something before the command, or in its place, or nothing at all, or are about another place. */
const OF_THE_CALLER =
  /^(?:BASH_ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|ENV|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|CDPATH|PWD|OLDPWD|GIT_.*|(?:GNU)?MAKEFLAGS|MFLAGS|MAKEFILES|MAKEOVERRIDES|MAKELEVEL|npm_config_(?:script_shell|node_options|if_present|ignore_scripts|dry_run)|npm_lifecycle_.*|BABYSITTER_(?:INPUT|OUTPUT|RETURN)_JSON|FORCE_COLOR|CLICOLOR_FORCE)$/iu;

/** No one can answer or see colours, and nothing such as snapshots is updated as a side effect. */
const QUIET = { PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0", TERM: "dumb", NO_COLOR: "1" };

export function criterionEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  projectRoot: string,
  secretNames: readonly string[] = [],
): CriterionEnvironment {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !OF_THE_CALLER.test(name)));
  const extra = { CI: kept["CI"] ?? "1", ...QUIET, BABYSITTER_PROJECT_ROOT: projectRoot };
  return childEnvironment(kept, extra, secretNames);
}
