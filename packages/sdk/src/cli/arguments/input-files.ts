import fs from "node:fs";
import path from "node:path";
import { BabysitterError } from "../../model/errors.js";
import { defined, type Json, parseJson } from "../../model/json.js";

/** How long a silent stdin is waited for. */
const STDIN_LIMIT_MS = 10_000;

export interface InputSource {
  /** Without one it is an argument of the command. */
  flag?: string;
  /** What to do when it is not there. */
  hint?: string;
  cwd: string;
  /** A second place to look, such as the run directory. */
  alternative?: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** JSON from a file named on the command line, or from stdin for `-`. */
export async function readJsonInput(name: string, source: InputSource): Promise<Json> {
  const text = (await readInput(name, source)).toString("utf8");
  try {
    return parseJson(text);
  } catch (cause) {
    const shown = text.trim() === "" ? "it is empty" : (cause as Error).message;
    throw new BabysitterError("INPUT_NOT_JSON", `${named(source, name)} is not valid JSON: ${shown}.`, {
      details: defined({ flag: source.flag, file: name }),
      cause,
    });
  }
}

/** The bytes of a file named on the command line, or of stdin for `-`. */
export async function readInput(name: string, source: InputSource): Promise<Buffer> {
  if (name === "-") return readStdin(source);
  const candidates = [source.cwd, ...(source.alternative === undefined ? [] : [source.alternative])].map((dir) =>
    path.resolve(dir, name),
  );
  for (const file of candidates) {
    try {
      return fs.readFileSync(file);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") continue;
      throw unreadable(name, source, `${file}: ${code ?? (cause as Error).message}`);
    }
  }
  throw unreadable(name, source, `tried ${candidates.join(" and ")}`);
}

function unreadable(name: string, source: InputSource, why: string): BabysitterError {
  return new BabysitterError("INPUT_NOT_FOUND", `${named(source, JSON.stringify(name))} cannot be read (${why}).`, {
    hint: source.hint ?? "Paths are relative to the current folder; use - for stdin.",
    details: defined({ flag: source.flag, file: name }),
  });
}

function named({ flag }: InputSource, name: string): string {
  return flag === undefined ? name : `--${flag} ${name}`;
}

let stdinTaken: string | undefined;

function readStdin(source: InputSource): Promise<Buffer> {
  const option = source.flag === undefined ? "-" : `--${source.flag}`;
  if (stdinTaken !== undefined) {
    throw new BabysitterError("USAGE", `${stdinTaken} and ${option} cannot both read stdin.`, {
      hint: "Put one of them in a file.",
    });
  }
  stdinTaken = option;
  const limit = Number(source.env["BABYSITTER_STDIN_TIMEOUT_MS"]) || STDIN_LIMIT_MS;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const stdin = process.stdin;
    const giveUp = (): void => {
      stdin.destroy();
      reject(
        new BabysitterError(
          "STDIN_TIMEOUT",
          `${named(source, "-")} reads stdin, but no data arrived for ${limit} ms.`,
          {
            hint: "Pipe something in, or close it with < /dev/null. BABYSITTER_STDIN_TIMEOUT_MS sets the timeout.",
          },
        ),
      );
    };
    let timer = setTimeout(giveUp, limit);
    stdin.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(giveUp, limit);
    });
    stdin.on("error", reject);
    stdin.on("end", () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    });
  });
}
