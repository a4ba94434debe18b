/** `babysitter run:export --html`: the whole run in one file, and what of it is for everybody. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JournalEvent, stateAfter, statusOf, timelineOf } from "../../packages/sdk/src/view.js";
import { readExport } from "../fixtures/breakpoints/exported-run.js";
import { Project } from "../fixtures/project.js";
import { makeTempDir, removeTempDir } from "../fixtures/temp-dir.js";

const SECRET = "q7Hd-93kslQpz_77a";
const FROM_ENVIRONMENT = "env-Value-20394-xyz";
const LONG_LOG = 1_300_000;

const root = makeTempDir();
const project = new Project(
  {
    "p.mjs": `const shell = (title, command, more) => ({ kind: "shell", title, shell: { command, ...more } });
export async function process(inputs, ctx) {
  await ctx.task(shell("build", "echo built in $PWD for mia@example.org; head -c ${LONG_LOG} /dev/zero | tr '\\\\0' x; echo the end"));
  await ctx.task(shell("deploy", "echo deployed; printf '\\\\377\\\\000' > \\"$OUT\\"", { env: { LEVEL: "debug", OUT: inputs.out } }));
  return { apiToken: "${SECRET}", encoded: Buffer.from("x ${SECRET}").toString("base64"), long: "z".repeat(80_000) };
}
`,
  },
  "project",
  root,
);
const html = (...args: string[]): string[] => ["run:export", "r", "--html", ...args];
const env = { DEPLOY_TOKEN: FROM_ENVIRONMENT };

beforeAll(async () => {
  await project.run([
    "run",
    "p.mjs",
    "--run-id",
    "r",
    "--no-hooks",
    "--inputs",
    JSON.stringify({ out: project.path("out.bin") }),
  ]);
  const artifacts = path.join(project.runDir("r"), "artifacts");
  fs.mkdirSync(artifacts, { recursive: true });
  fs.writeFileSync(path.join(artifacts, "plan.md"), `# Plan\n\nby ${os.userInfo().username}, ${FROM_ENVIRONMENT}\n`);
  fs.writeFileSync(path.join(artifacts, "raw.bin"), Buffer.from([255, 0, 254]));
});
afterAll(() => removeTempDir(root));

describe("run:export --html", () => {
  it("B7 C21: writes one file with the events and their values, logs, artifacts and the check of the journal", async () => {
    const { code, stdout, stderr } = await project.run(html());
    const file = project.path("r.html");
    expect([code, stdout.startsWith(file)]).toEqual([0, true]);
    expect(stderr).toBe("Logs and values are in the file unchanged. To remove secrets, names and contents: --redact\n");
    const { document, policy, hashes, title } = readExport(fs.readFileSync(file, "utf8"));
    expect(document).toMatchObject({
      format: 1,
      redacted: null,
      detail: { id: "r", state: "completed" },
      integrity: { ok: true },
    });
    expect(title).toBe("r · Babysitter");
    const events = document.events as JournalEvent[];
    expect(events.map(({ seq }) => seq)).toEqual(project.sequence("r"));
    expect(timelineOf(events, new Date()).spans.map(({ title: name, state }) => [name, state])).toEqual([
      ["build", "ok"],
      ["deploy", "ok"],
    ]);
    const end = stateAfter(events, events.length);
    expect(end && statusOf(end)).toBe("completed");
    // What the first task has printed is too long for the file, and that is said; the output has a file of its own.
    expect(document.leftOut.values).toBe(1);
    expect(document.leftOut.bytes).toBeGreaterThan(256 * 1024);
    expect(events.at(-1)?.payload).toMatchObject({ output: { value: { long: "z".repeat(80_000) } } });

    const files = new Map(document.files.map((one) => [path.basename(one.path), one]));
    expect(files.get("plan.md")).toMatchObject({
      kind: "artifact",
      missing: null,
      content: { from: 0, text: expect.stringContaining("# Plan") as string },
    });
    expect(files.get("raw.bin")).toMatchObject({ content: { base64: "/wD+" } });
    const log = document.files.find(({ bytes }) => bytes > LONG_LOG);
    expect(log).toMatchObject({ kind: "log", missing: "only the end of it is included", sha256: null });
    const content = log?.content as { from: number; text: string };
    expect([content.from + content.text.length, content.text.endsWith("the end\n")]).toEqual([log?.bytes, true]);

    for (const hash of hashes) expect(policy).toContain(hash);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|http|\*/u);
  });

  it("B7: a file that is there stays, unless it is to be replaced; - is stdout", async () => {
    project.write({ "mine.html": "mine" });
    const refused = await project.refuse(html("--out", "mine.html"));
    expect([refused.exit, refused.hint, project.read("mine.html")]).toEqual([
      2,
      expect.stringContaining("--force"),
      "mine",
    ]);
    expect((await project.run(html("--out", "mine.html", "--force"))).code).toBe(0);
    expect(readExport(project.read("mine.html")).document.detail.id).toBe("r");
    const { code, stdout } = await project.run(html("--out", "-"));
    expect([code, readExport(stdout).document.events.length]).toEqual([0, project.sequence("r").length]);
    expect(fs.readdirSync(project.dir).filter((name) => name.endsWith(".part"))).toEqual([]);
    const told = await project.ask(html("--out", "json.html"));
    expect(told).toMatchObject({
      runId: "r",
      file: project.path("json.html"),
      bytes: fs.statSync(project.path("json.html")).size,
    });
  });

  it("B7: --redact leaves no secret, address, name or content, and what is left is still a run", async () => {
    const { stderr } = await project.run(html("--redact", "--out", "redacted.html"), { env });
    expect(stderr).toMatch(
      /^Redacted: \d+ secrets, \d+ environment values, .*contents of artifacts and transcripts\. To see where: --redact --preview\n$/u,
    );
    const { document, text } = readExport(project.read("redacted.html"));
    for (const value of [SECRET, FROM_ENVIRONMENT, "mia@example.org", project.home, os.hostname(), "debug", "# Plan"])
      expect([value, text.includes(value)]).toEqual([value, false]);
    for (const shift of ["", "x", "xx"]) {
      const encoded = Buffer.from(`${shift}${SECRET}`).toString("base64").slice(4, 20);
      expect(text).not.toContain(encoded);
    }
    const events = document.events as JournalEvent[];
    expect(timelineOf(events, new Date()).spans.map(({ title }) => title)).toEqual(["build", "deploy"]);
    expect(
      document.files.filter(({ kind }) => kind === "artifact").map(({ content, missing }) => [content, missing]),
    ).toEqual([
      [null, expect.stringMatching(/^its content was redacted \(\d+ bytes, SHA-256 [\da-f]{64}\)$/u)],
      [null, expect.stringMatching(/^its content was redacted \(3 bytes, SHA-256 [\da-f]{64}\)$/u)],
    ]);
  });

  it("B7: --preview says what would be in the file and where something is redacted, never what; nothing is written", async () => {
    const before = Object.keys(project.tree());
    const { code, stdout, stderr } = await project.run(html("--redact", "--preview"), { env });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Events: \d+; left out: 1 long value \(\d+ bytes\)\n/u);
    expect(stdout).toContain("Artifacts: 2, of which 0 with content");
    expect(stdout).toMatch(
      / {2}\d+ secrets\n(?: {4}.*\n)* {4}event \d+ \(RUN_COMPLETED\), payload, output, value, apiToken\n/u,
    );
    expect(stdout).toContain("file artifacts/plan.md");
    expect(stdout).toContain("Nothing was written.");
    for (const value of [SECRET, FROM_ENVIRONMENT, "mia@example.org"]) expect(stdout).not.toContain(value);
    const json = (await project.ask(html("--redact", "--preview"), { env })) as unknown as {
      redacted: Record<string, { count: number }>;
    };
    expect(Object.keys(json.redacted)).toEqual(
      expect.arrayContaining(["secret", "environment", "email", "host", "content"]),
    );
    expect(Object.keys(project.tree())).toEqual(before);
  });

  it("B7: without the inbox, and with what makes no sense, it says what to do", async () => {
    const home = path.join(project.home, ".config", "babysitter");
    fs.mkdirSync(home, { recursive: true });
    fs.writeFileSync(path.join(home, "config.json"), JSON.stringify({ inbox: { program: "/nowhere/inbox.mjs" } }));
    const missing = await project.refuse(html("--out", "none.html"));
    fs.rmSync(path.join(home, "config.json"));
    expect([missing.exit, missing.code, missing.hint]).toEqual([
      2,
      "INBOX_MISSING",
      expect.stringContaining("Install it again"),
    ]);
    for (const args of [
      ["--html", "--svg"],
      ["--svg", "--redact"],
      ["--mermaid", "--out", "x"],
      ["--svg", "--preview"],
    ]) {
      const { exit, code } = await project.refuse(["run:export", "r", ...args]);
      expect([args, exit, code]).toEqual([args, 2, "USAGE"]);
    }
    expect((await project.refuse(["run:export", "nobody", "--html"])).code).toBe("RUN_NOT_FOUND");
    expect((await project.run(html("--json", "--out", "-"))).code).toBe(2);
    expect((await project.run(html("--out", "no/such/folder/x.html"))).code).toBe(1);
  });
});
