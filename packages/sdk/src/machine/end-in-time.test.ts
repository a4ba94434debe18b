import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { transform } from "sucrase";
import { expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";

/** A program that has something to do for ever, as if what it has to stop first could not be stopped. */
const NEVER_DONE = `
import { abortOnSignals } from "./end-in-time.mjs";
abortOnSignals(new AbortController(), 300);
setInterval(() => undefined, 1_000);
process.stdout.write("up");
`;

it.each(["SIGTERM", "SIGINT"] as const)(
  "C21: a program that %s does not end is ended when its grace is over",
  async (signal) => {
    const dir = tempDir();
    const source = fs.readFileSync(path.join(import.meta.dirname, "end-in-time.ts"), "utf8");
    fs.writeFileSync(path.join(dir, "end-in-time.mjs"), transform(source, { transforms: ["typescript"] }).code);
    fs.writeFileSync(path.join(dir, "program.mjs"), NEVER_DONE);
    const child = spawn(process.execPath, [path.join(dir, "program.mjs")], { stdio: ["ignore", "pipe", "inherit"] });
    const rescue = setTimeout(() => child.kill("SIGKILL"), 15_000);
    const ended = once(child, "exit");
    await once(child.stdout, "data");
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    clearTimeout(rescue);
  },
);
