import { describe, expect, it } from "vitest";
import { createTestRun, type TestProcess } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";

/** Node's own, as code sees it that has no function of this name. */
type Shadow = Record<string, { HOME: string } & (() => string)>;

function shadowing(body: (process: Shadow, ctx: ProcessContext) => unknown): TestProcess {
  const process = async (_: never, ctx: ProcessContext): Promise<unknown> => body(process as unknown as Shadow, ctx);
  return process;
}

describe("a process called `process`", () => {
  it.each<[string, (process: Shadow) => unknown, string]>([
    ["process.env.HOME", (process) => process["env"]!.HOME, "process.env"],
    ["process.cwd()", (process) => process["cwd"]!(), "process.cwd"],
    [
      "const { HOME } = process.env",
      (process) => {
        const { HOME } = process["env"]!;
        return HOME;
      },
      "process.env",
    ],
  ])("C25: is told that %s is not Node's", async (_name, body, text) => {
    const { status, error } = await (await createTestRun({ process: shadowing(body) })).iterate();
    expect(status).toBe("failed");
    expect((error as Error).message).toContain("In this file `process` is the process function itself");
    expect((error as Error).message).toContain(text);
    expect((error as Error).message).toContain("shadowed-process.test.ts:");
  });

  it("C25: other errors stay as they are, and what it reads stays undefined", async () => {
    const process = shadowing((shadow) => {
      const nothing = shadow["env"] as unknown;
      const other = undefined as unknown as { length: number };
      return [nothing, other.length];
    });
    const { error } = await (await createTestRun({ process })).iterate();
    expect((error as Error).message).toBe("Cannot read properties of undefined (reading 'length')");
    const output = await (await createTestRun({ process: shadowing((shadow) => typeof shadow["env"]) })).iterate();
    expect(output.output).toBe("undefined");
  });
});
