/** A command that someone types in another terminal, where no agent is. Answers its exit code. */
import pty from "@lydell/node-pty";
import { CLI, cleanEnvironment } from "../../fixtures/command-line.js";
import type { HostProject } from "./host-run.js";

export async function typedElsewhere({ home, dir }: HostProject, args: string[]): Promise<number> {
  const env = { ...cleanEnvironment(home), TERM: "xterm" };
  const child = pty.spawn(process.execPath, [CLI, ...args], { cols: 200, rows: 50, cwd: dir, env });
  return new Promise((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
}
