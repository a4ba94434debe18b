/** Runs git without letting it run anything else, and without anything that the caller's environment tells it. */
import { type ChildProcess, spawn } from "node:child_process";

export interface GitCall {
  cwd: string;
  /** Variables on top of the cleaned environment. */
  env?: Readonly<Record<string, string>>;
  stdin?: Buffer;
}

/** Nothing that is asked here takes longer, unless something is wrong with the disk. */
const LIMIT_MS = 120_000;
const MAX_PROBLEM = 300;

/** Programs that a configuration could name, and the network, are out of reach. */
const HARMLESS = [
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  ["core.hooksPath", "/dev/null"],
  ["protocol.allow", "never"],
  // With the above it is safe to look at a repository of another user, as in containers.
  ["safe.directory", "*"],
].flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** Git is missing, or it has refused. */
export class GitProblem extends Error {}

/** Whoever gives up on git ends, and nobody is left then who would end a git that hangs. */
const running = new Set<ChildProcess>();

function endWithUs(child: ChildProcess): void {
  if (running.size === 0) process.on("exit", endAll);
  running.add(child);
  child.on("close", () => {
    running.delete(child);
    if (running.size === 0) process.off("exit", endAll);
  });
}

function endAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** What git has printed; rejects with a {@link GitProblem}. */
export function runGit(args: readonly string[], { cwd, env = {}, stdin }: GitCall): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", [...HARMLESS, ...args], {
      cwd,
      env: { ...cleanedEnvironment(), ...env },
      stdio: ["pipe", "pipe", "pipe"],
      timeout: LIMIT_MS,
      killSignal: "SIGKILL",
    });
    endWithUs(child);
    const output: Buffer[] = [];
    let problem = "";
    child.stdout.on("data", (piece: Buffer) => output.push(piece));
    child.stderr.on("data", (piece: Buffer) => {
      problem = `${problem}${piece.toString("utf8")}`.slice(0, MAX_PROBLEM);
    });
    // Git may end before it has read everything; its exit code says enough.
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin);
    child.on("error", (error) => reject(new GitProblem(error.message)));
    child.on("close", (code, signal) => {
      if (code === 0) resolve(Buffer.concat(output));
      else reject(new GitProblem(`git ${args[0]} ended with ${code ?? signal}: ${problem.trim()}`));
    });
  });
}

/** Inside a git hook the environment names an index and a repository that are not meant. */
function cleanedEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("GIT_"),
  );
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    LC_ALL: "C",
  };
}
