/** The first process as a new user follows it: every command, and every hint that is printed on the way, typed as it is. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CLI, cleanEnvironment, execute, type Finished } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const page = (name: string): string =>
  fs.readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), "utf8");
const BIN = path.join(path.dirname(CLI), "bin");

/** The first block of a page with this information behind its fence, and this text. */
function block(name: string, info: string, containing: string): string {
  const blocks = [...page(name).matchAll(new RegExp(`\`\`\`${info}\\n([\\s\\S]*?)\`\`\``, "gu"))].map(
    ([, text]) => text,
  );
  return blocks.find((text) => text?.includes(containing)) as string;
}

/** A repository of the user's, with two commits and the process of the first page. */
class Repository extends Project {
  constructor() {
    super({ "notes.mjs": block("docs/tutorial.md", "js file=notes.mjs", "ctx.breakpoint") });
    const git = (...args: string[]): void => void execFileSync("git", args, { cwd: this.dir, env: this.#env() });
    git("init", "-q");
    for (const text of ["Add the door", "Paint the door"])
      git("-c", "user.name=me", "-c", "user.email=me@example.org", "commit", "-q", "--allow-empty", "-m", text);
  }

  #env(): Record<string, string> {
    return cleanEnvironment(this.home, { PATH: `${BIN}:${process.env["PATH"] ?? ""}` });
  }

  /** A line as it is typed into a shell. */
  async type(line: string): Promise<Finished> {
    return execute("/bin/sh", ["-c", line], { cwd: this.dir, home: this.home, env: this.#env() });
  }
}

/** The commands that are offered below `next:`. */
function hintsIn({ stdout }: Finished): string[] {
  const [, hints = ""] = /^next:\n((?: {2}.*\n)+)/mu.exec(stdout) ?? [];
  return [...hints.matchAll(/ {2}(babysitter .*)$/gmu)].map(([, command]) => command as string);
}

describe("the first page", () => {
  it("C21: a run is started, left at its question, answered and finished by the printed hints alone", async () => {
    const repository = new Repository();
    const asked = await repository.type("babysitter run notes.mjs");
    expect([asked.code, asked.stdout]).toEqual([3, expect.stringContaining("- Paint the door")]);
    const hint = (beginning: string): string =>
      hintsIn(asked).find((command) => command.startsWith(beginning)) ?? `no hint begins with ${beginning}`;
    expect(await repository.type(hint("babysitter breakpoint:approve"))).toMatchObject({ code: 0 });
    const done = await repository.type(hint("babysitter run "));
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('{"written":true,"commits":2}')]);
    expect(repository.read("NOTES.md")).toBe("- Paint the door\n- Add the door\n");
    for (const command of hintsIn(done)) expect([command, (await repository.type(command)).code]).toEqual([command, 0]);
    expect(hintsIn(done)).not.toEqual([]);
  });

  it("C13: step by step, each command does what is written beside it", async () => {
    const repository = new Repository();
    const lines = block("docs/guide/running.md", "bash", "babysitter run:create --process-id notes").trim().split("\n");
    let id = "";
    for (const line of lines) {
      const [command = "", comment = ""] = line.split(/ +# /u);
      const done = await repository.type(command.replace("<id>", id));
      const [word = ""] = /^(?:executed|waiting|completed)/u.exec(comment) ?? [];
      expect([line, done.code, done.stdout]).toEqual([line, 0, expect.stringContaining(word)]);
      id = /^effect-\w+/mu.exec(done.stdout)?.[0] ?? id;
    }
    expect(repository.read("NOTES.md")).toBe("- Paint the door\n- Add the door\n");
  });
});
