import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runAsNobody } from "../fixtures/config/as-nobody.js";
import { Project } from "../fixtures/project.js";

interface Shown {
  projectRoot: string;
  files: Record<string, { path: string; exists: boolean }>;
  values: Record<string, unknown>;
  origins: Record<string, { source: string; overruled: { value: unknown; why: string }[] }>;
}

const show = async (project: Project, env: Record<string, string> = {}): Promise<Shown> =>
  (await project.ask(["config:show"], { env })) as unknown as Shown;

/** The value and the place of one setting. */
const of = ({ values, origins }: Shown, name: string): [unknown, string | undefined] => [
  values[name],
  origins[name]?.source,
];

function person(project: Project, config: unknown, folder = path.join(project.home, ".config")): string {
  const file = path.join(folder, "babysitter", "config.json");
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof config === "string" ? config : JSON.stringify(config));
  return file;
}

describe("config:show", () => {
  it("C23: without files it shows the defaults, and writes nothing", async () => {
    const project = new Project();
    const [text, shown] = await Promise.all([project.run(["config:show"]), show(project)]);
    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(text.stdout).toMatch(/^driver\.concurrency {4}4$/m);
    expect(text.stdout).toMatch(/^limits\.budgetUsd +none$/m);
    expect(shown).toMatchObject({
      projectRoot: project.dir,
      files: {
        team: { path: project.path(".a5c/config.json"), exists: false },
        person: { path: path.join(project.home, ".config/babysitter/config.json"), exists: false },
      },
    });
    expect(Object.keys(shown.values)).toEqual(Object.keys(shown.origins));
    expect(project.tree(project.root)).toEqual({ "home/": "", "project/": "" });
  });

  it("C23: team, personal and environment settings are merged, with the origin of each and what was overridden", async () => {
    const project = new Project({
      ".a5c/config.json": `{
  "driver": { "concurrency": 2 },
  "breakpoints": { "policy": "approve" },
  "limits": { "maxIterations": 20 }
}`,
      "deep/er/x.txt": "",
    });
    const file = person(project, {
      driver: { concurrency: 8 },
      breakpoints: { policy: "ask" },
      limits: { maxIterations: 100 },
    });
    const env = { BABYSITTER_CONCURRENCY: "3" };
    const shown = await show(project, env);
    expect(of(shown, "driver.concurrency")).toEqual([3, "env"]);
    expect(of(shown, "breakpoints.policy")).toEqual(["ask", "person"]);
    expect(of(shown, "limits.maxIterations")).toEqual([20, "team"]);
    expect(shown.origins["limits.maxIterations"]?.overruled).toEqual([
      {
        source: "person",
        file,
        line: 1,
        value: 100,
        why: `stricter wins: 20 from ${project.path(".a5c/config.json")}:4`,
      },
    ]);
    const [plain, origin, below] = await Promise.all([
      project.run(["config:show"], { env }),
      project.run(["config", "show", "--origin"], { env }),
      project.run(["config:show", "--origin"], { env, cwd: project.path("deep/er") }),
    ]);
    expect(plain.stdout).toContain("4 values are overridden: babysitter config:show --origin");
    expect(plain.stdout).not.toContain("config.json");
    expect(origin.stdout).toMatch(/^driver\.concurrency +3 +BABYSITTER_CONCURRENCY$/m);
    expect(origin.stdout).toContain(`${project.path(".a5c/config.json")}:4`);
    expect(origin.stdout).toMatch(/^iterate\.waitMs +none +default$/m);
    expect(origin.stdout).toMatch(
      /^overruled:\n {2}driver\.concurrency +2 .* BABYSITTER_CONCURRENCY takes precedence$/m,
    );
    expect(origin.stdout).toMatch(/^ {2}breakpoints\.policy +approve .* stricter wins: "ask" from /m);
    expect(below.stdout).toBe(origin.stdout);
  });

  it("C23: reminders go by channels that exist; others are refused with the known names", async () => {
    const project = new Project();
    const file = person(project, { notify: { remindBy: ["ntfy"] } });
    expect((await show(project)).values["notify.remindBy"]).toEqual(["ntfy"]);
    person(project, { notify: { remindBy: ["ntfy", "pager"] } });
    expect(await project.refuse(["config:show"])).toMatchObject({
      code: "CONFIG_INVALID",
      message: `${file}:1:31: "notify.remindBy" is ["ntfy","pager"]; it must be a list of names out of telegram, ntfy, slack, discord or webhook.`,
    });
  });

  it("C23: XDG_CONFIG_HOME moves the personal file; a relative one is ignored", async () => {
    const project = new Project();
    person(project, { driver: { concurrency: 5 } });
    const other = path.join(project.root, "xdg");
    person(project, { driver: { concurrency: 6 } }, other);
    const values = await Promise.all(
      [{}, { XDG_CONFIG_HOME: other }, { XDG_CONFIG_HOME: "../xdg" }, { XDG_CONFIG_HOME: "" }].map(
        async (env: Record<string, string>) => (await show(project, env)).values["driver.concurrency"],
      ),
    );
    expect(values).toEqual([5, 6, 5, 5]);
  });

  it("C23: secrets in commands are hidden unless they are asked for", async () => {
    const project = new Project({
      ".a5c/config.json": JSON.stringify({ driver: { agentCommand: ["agent", "--api-key", "s3cret-a", "-m", "x"] } }),
    });
    const env = { BABYSITTER_AGENT_COMMAND: "agent --api-key s3cret-b --auth-token=s3cret-c -m x" };
    const [hidden, text, open] = await Promise.all([
      project.run(["config:show", "--json"], { env }),
      project.run(["config:show", "--origin"], { env }),
      project.run(["config:show", "--verbose"], { env: { ...env, BABYSITTER_ALLOW_SECRET_LOGS: "true" } }),
    ]);
    expect(hidden.stdout + text.stdout).not.toContain("s3cret");
    expect((hidden.json() as unknown as Shown).values["driver.agentCommand"]).toBe(
      "agent --api-key [hidden] --auth-token=[hidden] -m x",
    );
    expect(text.stdout).toContain('["agent","--api-key","[hidden]","-m","x"]');
    expect(open.stdout).toContain("s3cret-b");
  });

  it("C23: secrets are hidden in every setting that holds commands, and where one of them is wrong", async () => {
    const checks = ["my --token abcSECRET", "my API_KEY=abcSECRET x", "curl -H 'X-Api-Key: abcSECRET'"];
    const driver = { agentCommand: ["curl", "-H", "Authorization: Bearer abcSECRETabcSECRET"] };
    const project = new Project({
      ".a5c/config.json": JSON.stringify({
        driver,
        checks: checks.map((command, index) => ({ name: `check ${index}`, command })),
      }),
    });
    const [json, text] = await Promise.all([project.run(["config:show", "--json"]), project.run(["config:show"])]);
    expect(json.stdout + text.stdout).not.toContain("SECRET");
    expect((json.json() as unknown as Shown).values["checks"]).toEqual([
      { name: "check 0", command: "my --token [hidden]" },
      { name: "check 1", command: "my API_KEY=[hidden] x" },
      { name: "check 2", command: "curl -H 'X-Api-Key: [hidden]'" },
    ]);
    expect(text.stdout).toContain('["curl","-H","Authorization: [hidden]"]');
    fs.writeFileSync(project.path(".a5c/config.json"), JSON.stringify({ checks }));
    const wrong = await project.run(["config:show", "--json"]);
    expect(wrong.code).toBe(2);
    expect(wrong.stdout + wrong.stderr).not.toContain("SECRET");
  });

  it("C23: a bad file is an error with file, line, key and the nearest known key, as text and as JSON", async () => {
    const project = new Project({ ".a5c/config.json": '{\n  "driver": { "concurency": 4 }\n}\n' });
    const file = project.path(".a5c/config.json");
    const [text, json] = await Promise.all([project.run(["config:show"]), project.refuse(["config:show"])]);
    expect(text).toMatchObject({ code: 2, stdout: "" });
    expect(text.stderr).toContain(`${file}:2:15: "driver.concurency" is not a setting.`);
    expect(text.stderr).toContain("Did you mean driver.concurrency?");
    expect(json).toMatchObject({
      exit: 2,
      code: "CONFIG_INVALID",
      details: { file, problems: [{ key: "driver.concurency", line: 2, column: 15 }] },
    });
    fs.rmSync(file);
    person(project, '{ "driver": {}, }');
    expect(await project.refuse(["config:show"])).toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("config.json:1:15: Not valid JSON: unexpected comma before }.") as string,
    });
    expect(await project.refuse(["config:show"], { env: { BABYSITTER_MAX_ITERATIONS: "many" } })).toMatchObject({
      code: "CONFIG_INVALID",
      exit: 2,
    });
  });

  const STRANGE: [string, (file: string) => void, string][] = [
    ["a folder", (file) => fs.mkdirSync(file), "is a folder"],
    ["a link", (file) => fs.symlinkSync("/dev/null", file), "is a symbolic link"],
    ["a link to nothing", (file) => fs.symlinkSync("nowhere", file), "is a symbolic link"],
    ["a pipe", (file) => execFileSync("mkfifo", [file]), "is not a file"],
    ["a huge file", (file) => fs.writeFileSync(file, " ".repeat(300_000)), "has 300000 bytes"],
    ["no text", (file) => fs.writeFileSync(file, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])), "is not text in UTF-8"],
    ["an empty file", (file) => fs.writeFileSync(file, ""), "the file is empty"],
  ];
  it.each(STRANGE)("C23: %s in place of the team's file is refused with its name", async (_, make, problem) => {
    const project = new Project({ ".a5c/x.txt": "" });
    const file = project.path(".a5c/config.json");
    make(file);
    const error = await project.refuse(["config:show"]);
    expect(error).toMatchObject({ code: "CONFIG_INVALID", exit: 2, details: { file } });
    expect(error.message).toContain(file);
    expect(error.message).toContain(problem);
  });

  it("C23: a file without permission is refused with the reason", async () => {
    const project = new Project({ ".a5c/config.json": "{}" });
    fs.chmodSync(project.path(".a5c/config.json"), 0o200);
    const done = await runAsNobody(project, ["config:show", "--json"]);
    expect(done.code).toBe(2);
    expect(done.json().error).toMatchObject({ code: "CONFIG_INVALID" });
    expect(done.json().error.message).toContain("cannot be read: permission denied");
  });

  it("C23: one's own file may be a link, as dotfiles are; a link to nothing is refused", async () => {
    const project = new Project();
    const file = person(project, { driver: { concurrency: 7 } });
    const kept = path.join(project.root, "dotfiles.json");
    fs.renameSync(file, kept);
    fs.symlinkSync(kept, file);
    expect((await show(project)).values["driver.concurrency"]).toBe(7);
    fs.rmSync(kept);
    const error = await project.refuse(["config:show"]);
    expect(error).toMatchObject({ code: "CONFIG_INVALID", details: { file } });
    expect(error.message).toContain("a link to a file that does not exist");
  });

  it("a file named .a5c is no configuration", async () => {
    const project = new Project({ ".a5c": "" });
    expect(of(await show(project), "driver.concurrency")).toEqual([4, "default"]);
  });
});
