/** A project in a temporary directory and the real command line in child processes of its own. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../packages/sdk/dist/cli/babysitter.cjs", import.meta.url));

/** Lets a number of commands go on at the same moment. */
export class StartLine {
  #missing: number;
  #go: () => void = () => {};
  readonly #open = new Promise<void>((resolve) => {
    this.#go = resolve;
  });

  constructor(count: number) {
    this.#missing = count;
  }

  /** Resolves when everybody has arrived. */
  arrive(): Promise<void> {
    this.#missing -= 1;
    if (this.#missing === 0) this.#go();
    return this.#open;
  }
}

/** More than a pipe holds: when it is gone, the command has begun to read. JSON allows it before a value. */
const BLANKS = " ".repeat(1_000_000);

export interface CommandOptions {
  stdin?: string;
  /** The value on stdin comes when all commands at this line have begun to read it. */
  line?: StartLine;
  /** Kill the command so many milliseconds after its start, with a signal that it cannot see. */
  killAfterMs?: number;
  durability?: "full" | "relaxed";
}

export interface CommandEnd {
  exitCode: number | null;
  killed: boolean;
  /** The document it printed; undefined when it did not get that far. */
  json: Document | undefined;
  ms: number;
}

// The documents of many commands, of which each test looks at a few fields.
// oxlint-disable-next-line typescript/no-explicit-any
export type Document = Record<string, any>;

export class CliProject {
  readonly home = fs.mkdtempSync(path.join(os.tmpdir(), "cli-project-"));
  readonly runsDir = path.join(this.home, ".a5c", "runs");
  #files = 0;

  constructor(process: string) {
    fs.writeFileSync(path.join(this.home, "process.mjs"), process);
  }

  remove(): void {
    fs.rmSync(this.home, { recursive: true, force: true });
  }

  /** Runs a command to its end. */
  run(args: string[], options: CommandOptions = {}): Promise<CommandEnd> {
    const { RUNS_DIR: _runs, REPO_ROOT: _repo, CLAUDE_PROJECT_DIR: _project, ...env } = process.env;
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [CLI, ...args, "--json"], {
        cwd: this.home,
        env: { ...env, BABYSITTER_DURABILITY: options.durability ?? "full" },
        stdio: ["pipe", "pipe", "pipe"],
      });
      const timer =
        options.killAfterMs === undefined
          ? undefined
          : setTimeout(() => child.kill("SIGKILL"), Math.max(0, options.killAfterMs));
      const chunks: Buffer[] = [];
      child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
      child.stderr.resume();
      child.stdin.on("error", () => {});
      const { stdin = "", line } = options;
      if (line === undefined) child.stdin.end(stdin);
      else child.stdin.write(BLANKS, () => void line.arrive().then(() => child.stdin.end(stdin)));
      child.on("error", reject);
      child.on("close", (exitCode, signal) => {
        clearTimeout(timer);
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ exitCode, killed: signal === "SIGKILL", json: parse(text), ms: performance.now() - began });
      });
    });
  }

  /** Runs a command that must succeed; answers its document. */
  async must(args: string[], options: CommandOptions = {}): Promise<Document> {
    const { exitCode, json } = await this.run(args, options);
    if (exitCode !== 0 || json === undefined)
      throw new Error(`${args.join(" ")} ended with ${exitCode}: ${JSON.stringify(json)}`);
    return json;
  }

  createArguments(runId: string, inputs: unknown = {}): string[] {
    return [...this.createFromStdin(runId).slice(0, -1), this.file(inputs)];
  }

  createFromStdin(runId: string): string[] {
    return ["run:create", "--process-id", "p", "--entry", "process.mjs", "--run-id", runId, "--inputs", "-"];
  }

  /** A file with a value in it. */
  file(value: unknown): string {
    this.#files += 1;
    const file = path.join(this.home, `value-${this.#files}.json`);
    fs.writeFileSync(file, JSON.stringify(value));
    return file;
  }

  runDir(runId: string): string {
    return path.join(this.runsDir, runId);
  }

  /** Sequence numbers of all files in a journal. */
  sequence(runId: string): number[] {
    return fs
      .readdirSync(path.join(this.runDir(runId), "journal"))
      .toSorted()
      .map((name) => Number(name.slice(0, 6)));
  }
}

function parse(text: string): Document | undefined {
  try {
    return JSON.parse(text) as Document;
  } catch {
    return undefined;
  }
}
