import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { CliProject } from "../fixtures/cli/cli-project.js";

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

const projects: CliProject[] = [];

afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

describe("a value of 20 MB", () => {
  it.each(["file", "stdin"])("C6 C17: posted through %s, stored by reference, delivered whole", async (through) => {
    const project = new CliProject(PROCESS);
    projects.push(project);
    const value = bigValue();
    const text = JSON.stringify(value);
    expect(Buffer.byteLength(text)).toBeGreaterThan(MEGABYTES * 1_000_000);
    await project.must(project.createArguments("big"));
    const { nextActions } = await project.must(["run:iterate", "big"]);
    const effectId = nextActions[0].effectId as string;
    const args = ["task:post", "big", effectId, "--status", "ok", "--value"];
    const posted =
      through === "file"
        ? await project.must([...args, project.file(value)])
        : await project.must([...args, "-"], { stdin: text });
    expect(posted["outcome"]).toBe("committed");

    const blobs = fs.readdirSync(path.join(project.runDir("big"), "blobs"));
    expect(blobs).toHaveLength(1);
    const journal = path.join(project.runDir("big"), "journal");
    for (const name of fs.readdirSync(journal)) expect(fs.statSync(path.join(journal, name)).size).toBeLessThan(70_000);

    const shown = await project.must(["task:show", "big", effectId]);
    expect(shown["result"].value).toEqual(value);
    const end = await project.must(["run:iterate", "big"]);
    const hash = crypto.createHash("sha256").update(text).digest("hex");
    expect(end["output"]).toEqual({ rows: value.rows.length, hash, last: value.rows.at(-1) });
    expect((await project.must(["run:check", "big"]))["findings"]).toEqual([]);

    const again = await project.must([...args, "-"], { stdin: text });
    expect(again["outcome"]).toBe("duplicate");
  });

  it("C6 C21: damaged on the disk it is reported with its file and never delivered", async () => {
    const project = new CliProject(PROCESS);
    projects.push(project);
    await project.must(project.createArguments("big"));
    const { nextActions } = await project.must(["run:iterate", "big"]);
    const effectId = nextActions[0].effectId as string;
    await project.must(["task:post", "big", effectId, "--status", "ok", "--value", "-"], {
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
      const { exitCode, json } = await project.run(args);
      expect([args[0], exitCode]).toEqual([args[0], 8]);
      expect(json?.["error"].code).toBe("JOURNAL_BROKEN");
      expect(JSON.stringify(json?.["error"])).toContain(`blobs/${name}`);
    }
  });
});
