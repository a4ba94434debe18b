/** A second host, in a copy of the sources: it needs a room of its own and its lines in the lists of hosts, nothing else. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BUILT_WITH, SOURCE_FOLDERS } from "../../tools/build-stamp.mjs";
import { execute, type Finished } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const HOME = fileURLToPath(new URL("../..", import.meta.url));
const copy = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "second-host-")));
const sdk = path.join(copy, "packages/sdk");
const TALK = "talk-1";

/** All that is changed outside the room of the new host. */
const LINES: Record<string, readonly (readonly [before: string, after: string])[]> = {
  "registry.ts": [
    ["[claudeCode, noHost]", "[claudeCode, parrot, noHost]"],
    ["import { noHost }", 'import { parrot } from "./parrot/parrot.js";\nimport { noHost }'],
  ],
  "environments.ts": [
    ["= [claudeCode];", "= [claudeCode, parrot];"],
    ["import {", 'import { environment as parrot } from "./parrot/parrot.js";\nimport {'],
  ],
  "host-parts.ts": [
    ['"claude-code": claudeCodeParts', '"claude-code": claudeCodeParts, parrot: parrotParts'],
    ['"claude-code": claudeCodeLauncher', '"claude-code": claudeCodeLauncher, parrot: parrotLauncher'],
    ['.js")).doctor]', '.js")).doctor, (await import("./parrot/vet.js")).doctor]'],
    ["import {", 'import { launcher as parrotLauncher, parts as parrotParts } from "./parrot/parts.js";\nimport {'],
  ],
};

beforeAll(() => {
  for (const name of ["tools", "LICENSE", ...SOURCE_FOLDERS, ...BUILT_WITH])
    fs.cpSync(path.join(HOME, name), path.join(copy, name), { recursive: true });
  fs.cpSync(path.join(HOME, "tests/fixtures/hosts/parrot"), path.join(sdk, "src/hosts/parrot"), { recursive: true });
  fs.symlinkSync(path.join(HOME, "node_modules"), path.join(copy, "node_modules"));
  for (const [name, changes] of Object.entries(LINES)) {
    const file = path.join(sdk, "src/hosts", name);
    const text = changes.reduce(
      (before, [from, to]) => {
        if (!before.includes(from)) throw new Error(`${name} has no ${from}`);
        return before.replace(from, to);
      },
      fs.readFileSync(file, "utf8"),
    );
    fs.writeFileSync(file, text);
  }
  execFileSync(process.execPath, [path.join(copy, "tools/bundle.mjs")]);
}, 120_000);
afterAll(() => fs.rmSync(copy, { recursive: true }));

interface Answer {
  squawk: string;
  again?: string;
  whisper?: string;
  toOwner?: string;
  go?: { line: string };
}

class Parrot {
  readonly project = new Project();
  readonly diary = path.join(this.project.root, "diary.txt");

  async run(args: string[], env: Record<string, string>, stdin?: string): Promise<Finished> {
    const { dir: cwd, home } = this.project;
    return execute(process.execPath, [path.join(sdk, "dist/cli/babysitter.cjs"), ...args], { cwd, home, env, stdin });
  }

  /** A command of its agent. */
  async types(args: string[]): Promise<Finished> {
    return this.run(args, { PARROT_TALK: TALK, PARROT_SPEAKS: "itself" });
  }

  async hook(type: string, fields: object = {}, env: Record<string, string> = {}): Promise<Answer> {
    const said = { talk: TALK, cage: this.project.dir, diary: this.diary, ...fields };
    const args = ["hook:run", "--hook-type", type, "--harness", "parrot"];
    const { code, stderr, stdout } = await this.run(args, { PARROT_VERSION: "3", ...env }, JSON.stringify(said));
    if (code !== 0 || stderr !== "") throw new Error(`${type} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Answer;
  }

  writes(...lines: string[]): void {
    fs.appendFileSync(this.diary, lines.map((line) => `${line}\n`).join(""));
  }
}

it("a host with other words gets through create, stop, continue and end", async () => {
  const parrot = new Parrot();
  expect((await parrot.hook("session-start")).squawk).toBe("session-start");
  const begun = await parrot.types(["loop:start", "--prompt", "Whistle a tune", "--budget-tokens", "1000", "--json"]);
  expect(begun.json()).toMatchObject({ session: { harness: "parrot", sessionId: TALK } });
  const { runId } = begun.json();
  parrot.writes("owner: Whistle a tune", "trick: whistle", "seeds: 40", "parrot: Half of it.");
  const first = await parrot.hook("stop", { lastWords: "Half of it." });
  expect(first.again).toContain("Whistle a tune");
  expect(first.again).toContain("trick whistle");
  expect((await parrot.hook("session-start")).whisper).toContain(runId);
  const allowed = await parrot.hook("pre-tool-use", { trick: "run_line", line: "babysitter loop:status" });
  expect(allowed.go?.line).toContain("'loop:status'");
  expect(await parrot.hook("pre-tool-use", { trick: "Bash", line: "babysitter loop:status" })).toEqual({
    squawk: "pre-tool-use",
  });
  const refused = (await parrot.types(["loop:pause", "--json"])).json().error;
  expect([refused.code, refused.hint]).toEqual(["ONLY_FOR_PEOPLE", expect.stringContaining(`#keep pause ${runId}`)]);
  expect((await parrot.hook("user-prompt-expansion", { keep: "" })).toOwner).toContain(runId);
  const promise = /<promise>[^<]+<\/promise>/u.exec(first.again ?? "")?.[0] ?? "";
  parrot.writes("owner: again", "seeds: 2", `parrot: ${promise}`, "parrot: That was it.");
  const spoofed = await parrot.hook("stop", { lastWords: promise }, { PARROT_SPEAKS: "itself" });
  expect(spoofed).toEqual({ squawk: "stop" });
  const last = await parrot.hook("stop", { lastWords: "That was it." });
  expect([last.again, last.toOwner]).toEqual([undefined, expect.stringContaining("Detected <promise>")]);
  const events = (await parrot.types(["run:events", runId, "--json"])).json().events;
  expect(events.filter(({ type }) => type === "STOP_HOOK_INVOKED").map(({ payload }) => payload["decision"])).toEqual([
    "block",
    "approve",
  ]);
  expect(JSON.stringify(events)).toContain('"output":42');
  expect(events.at(-1)?.payload).toMatchObject({ reason: "promise_matched" });
});

it("such a host is driven without anyone in front of it, and has a doctor", async () => {
  const parrot = new Parrot();
  parrot.project.write({
    parrot: `#!/bin/sh
echo "$1 $PARROT_TALK" >> calls
[ "$1" = again ] && echo "$3" | grep -o '<promise>[^<]*</promise>' | head -1; exit 0
`,
  });
  fs.chmodSync(parrot.project.path("parrot"), 0o755);
  const start = await parrot.run(["loop:start", "--prompt", "Sing", "--shape", "tool", "--json"], {});
  const { runId } = start.json();
  const args = ["run", runId, "--agent", "parrot", "--json"];
  const driven = await parrot.run(args, { PARROT: "./parrot", PARROT_TALK: "outer" });
  // Ended by a claim: there was nothing to check.
  expect(driven.code).toBe(6);
  expect(parrot.project.read("calls")).toBe("hello \nagain \n");
  const { findings } = (await parrot.run(["doctor", "--json"], {})).json() as unknown as {
    findings: { check: string }[];
  };
  expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(["host", "parrot", "runs"]));
});
