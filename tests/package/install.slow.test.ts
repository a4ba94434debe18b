/** The lines with which people install the command, as documents show them: offline, with an empty home. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../packages/sdk/src/model/version.js";
import { cleanEnvironment, execute, type Finished } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const SDK = path.join(REPOSITORY, "packages/sdk");
const OFFLINE = { npm_config_offline: "true", npm_config_audit: "false", npm_config_update_notifier: "false" };

/** The lines of all bash blocks of a page that begin so, without their comments. */
function linesOf(page: string, beginning: string): string[] {
  const blocks = [...fs.readFileSync(path.join(REPOSITORY, page), "utf8").matchAll(/```bash\n([\s\S]*?)```/gu)];
  return blocks
    .flatMap(([, text]) => (text as string).split("\n"))
    .filter((line) => line.startsWith(beginning))
    .map((line) => line.replace(/\s+#.*$/u, ""));
}

class Machine {
  readonly project = new Project({
    "p.mjs":
      'import { VERSION } from "@a5c-ai/babysitter-sdk";\nexport default async function version() { return VERSION; }\n',
  });
  readonly prefix = path.join(this.project.root, "prefix");

  async npm(line: string, cwd: string): Promise<void> {
    const env = { ...OFFLINE, npm_config_prefix: this.prefix };
    const done = await execute("/bin/sh", ["-c", line], { cwd, home: this.project.home, env });
    if (done.code !== 0) throw new Error(`${line} ended with ${done.code}:\n${done.stderr}`);
  }

  async babysitter(...args: string[]): Promise<Finished> {
    const PATH = `${path.join(this.prefix, "bin")}:${cleanEnvironment("")["PATH"] ?? ""}`;
    return execute("babysitter", args, { cwd: this.project.dir, home: this.project.home, env: { PATH } });
  }

  /** The output of a process, and where the doctor says that the command is from. */
  async used(): Promise<{ output: unknown; from: string[] }> {
    const { output } = (await this.babysitter("run", "p.mjs", "--json")).json();
    const { findings } = (await this.babysitter("doctor", "--json")).json() as unknown as {
      findings: { check: string; text: string }[];
    };
    return { output, from: findings.filter(({ check }) => check === "babysitter").map(({ text }) => text) };
  }
}

/** One finding: no other program of our name is in the way. */
const usedFrom = (source: string): object => ({
  output: VERSION,
  from: [expect.stringContaining(`from the ${source} `)],
});

describe.each(["docs/guide/upgrade.md", "packages/sdk/README.md"])("installing by %s", (page) => {
  const [fromClone, fromFile] = linesOf(page, "npm install -g") as [string, string];

  it("C23: the line for a clone works offline, and the doctor names the clone", async () => {
    const machine = new Machine();
    await machine.npm(fromClone, REPOSITORY);
    expect(await machine.used()).toEqual(usedFrom(`clone ${path.resolve(REPOSITORY)}`));
  });

  it("C23: the line for a packed file works offline, and the doctor names the package", async () => {
    const machine = new Machine();
    await machine.npm(`npm pack ${SDK}`, machine.project.root);
    await machine.npm(fromFile, machine.project.root);
    const installed = fs.realpathSync(path.join(machine.prefix, "lib/node_modules/@a5c-ai/babysitter-sdk"));
    expect(await machine.used()).toEqual(usedFrom(`package ${installed}`));
  });
});
