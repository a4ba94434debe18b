import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { argumentsOf } from "./process-arguments.js";

test("the words of a command line, and none of a process that is gone", async () => {
  const child = spawn("sleep", ["60"]);
  await once(child, "spawn");
  try {
    expect(argumentsOf(child.pid as number)).toEqual(["sleep", "60"]);
  } finally {
    child.kill();
    await once(child, "exit");
  }
  expect(argumentsOf(child.pid as number)).toEqual([]);
});
