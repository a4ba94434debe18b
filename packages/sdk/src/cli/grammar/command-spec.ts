/** What the rows of the command table are made of. */
export interface OptionSpec {
  type: "string" | "boolean";
  /** Name of the value in help texts. */
  value?: string;
  help: string;
  hidden?: boolean;
  /** One letter that stands for it. */
  short?: string;
  /** May be given several times. */
  many?: boolean;
}

export interface CommandSpec {
  name: string;
  /** Other names for the same command. */
  aliases?: string[];
  summary: string;
  /** `many`, of the last one only: any number of them may be given. */
  positionals: { name: string; optional?: boolean; many?: boolean; help: string }[];
  options: Record<string, OptionSpec>;
  details?: string;
  examples?: string[];
}

export const flag = (help: string): OptionSpec => ({ type: "boolean", help });
export const text = (value: string, help: string): OptionSpec => ({ type: "string", value, help });

/** What every command takes. */
export const GLOBAL_OPTIONS: Record<string, OptionSpec> = {
  "runs-dir": {
    type: "string",
    value: "dir",
    help: "Runs directory (default: .a5c/runs of the project; env RUNS_DIR).",
  },
  json: { type: "boolean", help: "Print exactly one JSON document, errors included." },
  verbose: {
    type: "boolean",
    help: "Also print to stderr what is read and written, which hooks ran and how long everything took; on errors, also the stack trace.",
  },
  help: { type: "boolean", help: "Show help for the command." },
  version: { type: "boolean", help: "Print the version." },
};

/** Where session files are, for scripts that keep them elsewhere. */
export const SESSION_PLACE = {
  "state-dir": text("dir", "Directory of the session files (default: ~/.a5c/state)."),
  "plugin-root": text("dir", "Root directory of a plugin that keeps session files in skills/babysit/state."),
};

/** What a process is given. */
export const INPUTS: Record<string, OptionSpec> = {
  inputs: text("json", "Inputs: JSON such as '{\"count\":3}', a JSON file, or - for stdin (default: {})."),
  input: {
    ...text("name=value", "One input field; the value is read as JSON if possible, otherwise as text. Repeatable."),
    many: true,
  },
};

/** True for the argument that names a run. */
export function isRunArgument({ name }: { name: string }): boolean {
  return name === "run" || name === "process-or-run";
}
