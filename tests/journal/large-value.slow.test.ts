import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { DurableProject } from "../fixtures/journal/durable-project.js";

const MEGABYTES = 20;

const PROCESS = `
import crypto from "node:crypto";
export async function process(inputs, ctx) {
  const value = await ctx.task({ id: "big", kind: "agent" });
  return {
    rows: value.rows.length,
    hash: crypto.createHash("sha256").update(JSON.stringify(value)).digest("hex"),
    last: value.rows.at(-1),
  };
}
`;

/** About 20 MB of JSON with characters of one to four bytes in it. */
function bigValue(): { rows: { id: number; text: string }[] } {
  const text = `${"plain ".repeat(160)}é ✓ 🙂 "quoted" \\ \u0000`;
  const rows = Array.from({ length: MEGABYTES * 1_000 }, (_, id) => ({ id, text: `${id} ${text}` }));
  return { rows };
}

describe("a value of 20 MB", () => {
  it.each(["file", "stdin"])("C6 C17: posted through %s, stored by reference, delivered whole", async (through) => {
    const project = new DurableProject(PROCESS);
    const value = bigValue();
    const text = JSON.stringify(value);
    expect(Buffer.byteLength(text)).toBeGreaterThan(MEGABYTES * 1_000_000);
    await project.create("process.mjs", "big");
    const { nextActions } = await project.ask(["run:iterate", "big"]);
    const effectId = nextActions[0]?.effectId as string;
    const args = ["task:post", "big", effectId, "--status", "ok", "--value"];
    if (through === "file") project.write({ "value.json": text });
    const posted =
      through === "file"
        ? await project.ask([...args, "value.json"])
        : await project.ask([...args, "-"], { stdin: text });
    expect(posted.outcome).toBe("committed");

    const blobs = fs.readdirSync(path.join(project.runDir("big"), "blobs"));
    expect(blobs).toHaveLength(1);
    const journal = path.join(project.runDir("big"), "journal");
    for (const name of fs.readdirSync(journal)) expect(fs.statSync(path.join(journal, name)).size).toBeLessThan(70_000);

    const shown = await project.ask(["task:show", "big", effectId]);
    expect(shown.result?.["value"]).toEqual(value);
    const end = await project.ask(["run:iterate", "big"]);
    const hash = crypto.createHash("sha256").update(text).digest("hex");
    expect(end.output).toEqual({ rows: value.rows.length, hash, last: value.rows.at(-1) });
    expect((await project.ask(["run:check", "big"])).findings).toEqual([]);

    const again = await project.ask([...args, "-"], { stdin: text });
    expect(again.outcome).toBe("duplicate");
  });

  it("C6 C21: damaged on the disk it is reported with its file and never delivered", async () => {
    const project = new DurableProject(PROCESS);
    await project.create("process.mjs", "big");
    const { nextActions } = await project.ask(["run:iterate", "big"]);
    const effectId = nextActions[0]?.effectId as string;
    await project.ask(["task:post", "big", effectId, "--status", "ok", "--value", "-"], {
      stdin: JSON.stringify(bigValue()),
    });
    const blobs = path.join(project.runDir("big"), "blobs");
    const [name = ""] = fs.readdirSync(blobs);
    const handle = fs.openSync(path.join(blobs, name), "r+");
    fs.writeSync(handle, "#", 10_000_000);
    fs.closeSync(handle);
    for (const args of [
      ["run:check", "big"],
      ["run:iterate", "big"],
      ["task:show", "big", effectId],
    ]) {
      const error = await project.refuse(args);
      expect([args[0], error.exit, error.code]).toEqual([args[0], 8, "JOURNAL_BROKEN"]);
      expect(JSON.stringify(error)).toContain(`blobs/${name}`);
    }
  });
});
