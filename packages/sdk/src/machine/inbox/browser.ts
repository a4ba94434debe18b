/** Shows a file in the browser of whoever sits at this machine. */
import { spawn } from "node:child_process";
import os from "node:os";
import path from "node:path";
import type { Environment } from "../caller.js";
import { isProgram } from "../file-places.js";

/** What opens files here; undefined where there is no screen that this person looks at. */
export function browserOpener(env: Environment): string | undefined {
  return chooseOpener({ platform: process.platform, release: os.release(), env, find: (name) => onPath(name, env) });
}

interface Surroundings {
  platform: NodeJS.Platform;
  release: string;
  env: Environment;
  find: (name: string) => string | undefined;
}

export function chooseOpener({ platform, release, env, find }: Surroundings): string | undefined {
  // The screen, if any, is that of another machine.
  if (env["SSH_CONNECTION"] || env["SSH_TTY"]) return undefined;
  if (platform === "darwin") return find("open");
  const isWsl = Boolean(env["WSL_DISTRO_NAME"]) || /microsoft/iu.test(release);
  const ofWindows = isWsl ? find("wslview") : undefined;
  const hasDisplay = Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
  return ofWindows ?? (hasDisplay ? find("xdg-open") : undefined);
}

function onPath(name: string, env: Environment): string | undefined {
  const folders = (env["PATH"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, name)).find(isProgram);
}

/** Some openers end only with the browser; one that fails does so at once. */
const PATIENCE_MS = 3_000;

/** False when it has failed. */
export function showFile(opener: string, file: string, env: Environment): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(opener, [file], { detached: true, stdio: "ignore", env: { ...env }, cwd: "/" });
    const timer = setTimeout(() => resolve(true), PATIENCE_MS);
    const settle = (isShown: boolean): void => {
      clearTimeout(timer);
      resolve(isShown);
    };
    child.once("error", () => settle(false));
    child.once("exit", (code) => settle(code === 0));
    child.unref();
  });
}
