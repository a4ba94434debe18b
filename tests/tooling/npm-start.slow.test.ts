/** What `npm start` shows, with and without a terminal, in a clone whose path has blanks. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, it, type TestContext } from "vitest";
import { PersonAtTerminal } from "../fixtures/at-terminal.js";
import { cleanEnvironment, execute, type Finished } from "../fixtures/command-line.js";
import { tempDir } from "../fixtures/temp-dir.js";
import { linkProgram } from "../fixtures/tooling/linked-program.js";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** The files that `npm start` needs once everything is built, without those of anyone's earlier runs. */
class Clone {
  readonly root: string;
  readonly dir: string;
  readonly env: Record<string, string>;

  constructor(test: Pick<TestContext, "onTestFinished">) {
    this.root = tempDir(test);
    this.dir = path.join(this.root, "a clone with blanks");
    for (const part of ["tools/start.mjs", "examples/01-hello", "packages/sdk/bin", "packages/sdk/dist/cli"])
      fs.cpSync(path.join(REPOSITORY, part), path.join(this.dir, part), { recursive: true });
    linkProgram(this.dir);
    this.env = cleanEnvironment(this.root, { TERM: "xterm-256color", LANG: "C.UTF-8" });
  }

  get script(): string {
    return path.join(this.dir, "tools/start.mjs");
  }

  /** The events of the only run. */
  events(): {
    type: string;
    taskId?: string;
    payload: { result?: { value?: unknown }; output?: { value?: unknown } };
  }[] {
    const runs = path.join(this.dir, ".a5c/runs");
    const journal = path.join(runs, fs.readdirSync(runs).join(), "journal");
    return fs
      .readdirSync(journal)
      .filter((file) => file.endsWith(".json"))
      .toSorted()
      .map((file) => JSON.parse(fs.readFileSync(path.join(journal, file), "utf8")));
  }

  /** Types what the output proposes: its preparations, and the command below `about`, as they are. */
  async follow(output: string, about: string): Promise<Finished> {
    const proposed = output.slice(output.indexOf("Try next:\n")).split("\n").slice(1);
    const preparations = proposed.slice(
      0,
      proposed.findIndex((line) => line.trimStart().startsWith("#")),
    );
    const command = proposed[proposed.indexOf(`  ${about}`) + 1] as string;
    const script = [...preparations, command].join("\n");
    return execute("sh", ["-c", script], { cwd: this.root, home: this.root });
  }

  answer(): unknown {
    return this.events().find(({ type, taskId }) => type === "EFFECT_RESOLVED" && taskId === "breakpoint")?.payload
      .result?.value;
  }
}

/** Someone who has typed `npm start`. */
function starting(test: Pick<TestContext, "onTestFinished">, { script, dir, root, env }: Clone): PersonAtTerminal {
  return new PersonAtTerminal([process.execPath, script], { cols: 100, cwd: dir, home: root, env }).until(test);
}

describe.concurrent("npm start", () => {
  it("C21: without a terminal a policy answers, the journal says so, and the way on is shown", async ({
    expect,
    onTestFinished,
  }) => {
    const clone = new Clone({ onTestFinished });
    const child = spawn(process.execPath, [clone.script], {
      cwd: clone.root,
      env: clone.env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output.split("\n")[0]).toBe("No terminal to ask on: the policy approve:demo answers the question.");
    expect(clone.answer()).toMatchObject({ approved: true, respondedBy: "policy:demo", via: "policy" });
    expect(clone.events().at(-1)?.type).toBe("RUN_COMPLETED");
    expect(output).toMatch(/Every step is a file in a clone with blanks\/\.a5c\/runs\/hello-\w+\/journal\n/u);
    expect(await clone.follow(output, "# show the journal")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("RUN_COMPLETED"),
    });
    expect(output).toContain("npm install -g ./packages/sdk\n");
  });

  it("C21: on a terminal the question is asked, and the typed answer counts", async ({ expect, onTestFinished }) => {
    const clone = new Clone({ onTestFinished });
    const person = starting({ onTestFinished }, clone);
    await person.sees(/answer:/u);
    person.types("n\r");
    await person.sees(/reason/u);
    person.types("not today\r");
    expect({ code: await person.exit, shown: person.shown }).toMatchObject({ code: 0 });
    expect(clone.answer()).toMatchObject({ approved: false, feedback: "not today", via: "terminal" });
    expect(person.shown).not.toContain("policy");
    expect(person.shown).toContain("Try next:");
  });

  it("C21: Ctrl-C in the terminal shuts it down cleanly and shows how to resume", async ({
    expect,
    onTestFinished,
  }) => {
    const clone = new Clone({ onTestFinished });
    const person = starting({ onTestFinished }, clone);
    await person.sees(/line [1-4] of 6/u);
    person.types("\u0003");
    expect({ code: await person.exit, shown: person.shown }).toMatchObject({ code: 130 });
    const types = clone.events().map(({ type }) => type);
    expect(types).toContain("EFFECT_ATTEMPT_FAILED");
    expect(types).not.toContain("RUN_FAILED");
    expect(person.shown).toMatch(/To resume:[\s\S]*npx babysitter run hello-\w+/u);
  });
});
