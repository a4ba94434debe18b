/** Real children as agents: small scripts that answer well, badly or not at all. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import type { EffectId, RunId } from "../model/ids.js";
import type { JsonObject } from "../model/json.js";
import { parseAgentCommand } from "./agent-command.js";
import { type AgentExecutorSettings, createAgentExecutor } from "./agent-executor.js";
import type { RunningWork, Work, WorkPlace, WorkResult } from "./executor.js";

const SCHEMA = { type: "object", required: ["n"], properties: { n: { type: "number" } } };
const LINUX = existsSync("/proc/self/environ");

let dir = "";
let session = "";
let counter = 0;

beforeEach(() => {
  dir = tempDir();
  counter += 1;
  session = `agent-test-${process.pid}-${counter}`;
});

afterEach(() => {
  const left = carriersOf(session);
  for (const pid of left) process.kill(pid, "SIGKILL");
  if (left.length > 0) throw new Error(`left running: ${left.join(", ")}`);
});

/** Pids of everything that this test has started and that still lives. */
function carriersOf(marker: string): number[] {
  if (!LINUX) return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && readOr(`/proc/${pid}/environ`).includes(marker))
    .filter((pid) => !/\) Z/u.test(readOr(`/proc/${pid}/stat`)));
}

function readOr(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

interface Setup extends Partial<Work> {
  settings?: Partial<AgentExecutorSettings>;
}

const inTask = (name: string): string => join(dir, "run", "tasks", "e1", name);
const log = (name: string): string => readFileSync(inTask(name), "utf8");

function begin(command: string, { settings, ...more }: Setup = {}): RunningWork {
  const executor = createAgentExecutor({
    env: { PATH: process.env["PATH"], NODE: process.execPath },
    session,
    command: parseAgentCommand(command),
    graceMs: 300,
    ...settings,
  });
  mkdirSync(join(dir, "run"), { recursive: true });
  const place: WorkPlace = { projectRoot: dir, processDir: dir, runDir: join(dir, "run"), taskDir: inTask("") };
  const work: Work = {
    runId: "r1" as RunId,
    effectId: "e1" as EffectId,
    invocationKey: "review:1",
    taskId: "review",
    kind: "agent",
    attempt: 1,
    title: "Review it",
    definition: { kind: "agent", agent: { prompt: "Please review", outputSchema: SCHEMA } },
    args: { file: "a.ts" },
    ...more,
  };
  return executor.begin(work, place);
}

const run = (command: string, setup?: Setup): Promise<WorkResult> => begin(command, setup).result;

/** The script of an agent for sh, as a setting. */
const sh = (script: string, ...args: string[]): string => JSON.stringify(["sh", "-c", script, "agent", ...args]);
/** Answers by its first script in the first try, by the second one in the second. */
const twice = (first: string, second: string): string =>
  sh(`if [ -e "$1" ]; then ${second}; else touch "$1"; ${first}; fi`, join(dir, "tried"));
const say = (text: string): string => `printf '%s' '${text}'`.replaceAll("{", "{{");
const plain = (definition: JsonObject = {}): Partial<Work> => ({
  definition: { agent: { prompt: "Go" }, ...definition },
});

async function until(condition: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 20_000; !condition(); ) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

describe("an agent that answers well", () => {
  it("gives its value, whatever it prints around it", async () => {
    for (const text of [
      '{"n":1}',
      'Sure! Here: {"n":1} Bye.',
      'x\n```json\n{"n":1}\n```\n',
      '{"type":"result","result":"{\\"n\\":1}"}',
    ]) {
      const result = await run(sh(say(text)));
      expect(result).toMatchObject({ status: "ok", value: { n: 1 } });
      expect(result.facts).toMatchObject({
        exitCode: 0,
        stdoutRef: "tasks/e1/stdout.log",
        stderrRef: "tasks/e1/stderr.log",
      });
      expect(result.facts).not.toHaveProperty("notes");
    }
  });

  it("reads the prompt from stdin, or from the file, never both", async () => {
    expect(await run("cat", plain())).toMatchObject({ error: { code: "AGENT_ANSWER_INVALID" } });
    expect(log("stdout.log")).toBe(log("prompt.md"));
    expect(log("prompt.md")).toContain('"file": "a.ts"');
    const fromFile = await run(sh('grep -c "^# Review it" "$1"; cat', "{promptFile}"), plain());
    expect(fromFile).toMatchObject({ status: "ok", value: 1 });
  });

  it("need not read stdin, also when much is on it", async () => {
    const args = { text: "x".repeat(500_000) };
    expect(await run(sh(say('{"n":2}')), { args })).toMatchObject({ status: "ok", value: { n: 2 } });
    expect(statSync(inTask("prompt.md")).size).toBeGreaterThan(500_000);
  });

  it("may write into the output file, by its argument or by the environment", async () => {
    const byArgument = sh(`echo chatter {{}; ${say('{"n":3}')} > "$1"`, "{outputFile}");
    expect(await run(byArgument)).toMatchObject({ status: "ok", value: { n: 3 } });
    expect(log("prompt.md")).toContain(`\`${inTask("answer.json")}\``);
    const byEnvironment = sh(`echo '[1]'; ${say('{"n":4}')} > "$BABYSITTER_OUTPUT_JSON"`);
    expect(await run(byEnvironment)).toMatchObject({ status: "ok", value: { n: 4 } });
    expect(log("prompt.md")).not.toContain("answer.json");
  });

  it("may say something useless in the file and the answer on stdout", async () => {
    const command = sh(`echo Done. > "$1"; ${say('{"n":5}')}`, "{outputFile}");
    expect(await run(command)).toMatchObject({ status: "ok", value: { n: 5 } });
  });

  it("may repeat the prompt, with its schema, before the answer", async () => {
    expect(await run(sh(`cat; ${say('{"n":6}')}`))).toMatchObject({ status: "ok", value: { n: 6 } });
    expect(await run(sh("cat; echo 'I am done.'"), plain())).toMatchObject({ status: "ok", value: "I am done." });
  });

  it("may answer in plain text when no schema is asked for", async () => {
    expect(await run("echo 'All is well, see [1].'", plain())).toMatchObject({ value: "All is well, see [1]." });
  });

  it("may print 20 MB before it", async () => {
    const command = sh(`yes 'noise {{ [ "' | head -c 20000000; echo; ${say('{"n":7}')}`);
    const result = await run(command, { settings: { outputLimitBytes: 1_000_000 } });
    expect(result).toMatchObject({ status: "ok", value: { n: 7 }, facts: { notes: { logsTruncated: true } } });
    expect(statSync(inTask("stdout.log")).size).toBeLessThan(1_100_000);
  });

  it("leaves nothing running", async () => {
    const command = sh(
      `setsid sh -c 'echo $$ > ${join(dir, "daemon")}; exec sleep 600' & while [ ! -s ${join(dir, "daemon")} ]; do :; done; ${say('{"n":8}')}`,
    );
    expect(await run(command)).toMatchObject({ status: "ok", value: { n: 8 } });
    expect(carriersOf(session)).toEqual([]);
    expect(Number(readFileSync(join(dir, "daemon"), "utf8"))).toBeGreaterThan(0);
  });
});

describe("what an agent gets", () => {
  it("is its place, its names and the schema", async () => {
    mkdirSync(join(dir, "sub"));
    const names = "BABYSITTER_EFFECT_ID BABYSITTER_RUN_ID BABYSITTER_RUN_DIR BABYSITTER_ATTEMPT BABYSITTER_OUTPUT_JSON";
    const script = `for name in ${names}; do printenv $name; done; pwd; cat "$1"; echo; printf '%s\\n' "$@"`;
    const command = sh(
      `{{ ${script}; } > "$5"; ${say('{"n":1}')}`,
      "{schemaFile}",
      "{title}",
      "{cwd}",
      "{model}",
      join(dir, "got"),
    );
    const agent = { prompt: "Go", outputSchema: SCHEMA, cwd: "sub", model: "m-1" };
    const setup = { attempt: 3, title: "--rm -rf\n$(x)", definition: { agent } };
    expect(await run(command, setup)).toMatchObject({ status: "ok" });
    const got = readFileSync(join(dir, "got"), "utf8").split("\n");
    expect(got.slice(0, 6)).toEqual(["e1", "r1", join(dir, "run"), "3", inTask("answer.json"), join(dir, "sub")]);
    expect(JSON.parse(got.slice(6, got.indexOf("}") + 1).join("\n"))).toEqual(SCHEMA);
    expect(got.slice(got.indexOf(inTask("schema.json")))).toEqual([
      inTask("schema.json"),
      "rm -rf $(x)",
      join(dir, "sub"),
      "m-1",
      join(dir, "got"),
      "",
    ]);
  });

  it("has no flag for a model that nobody asked for", async () => {
    const command = sh('printf "%s" "[$#]"', "--model", "{model}", "-x");
    expect(await run(command, plain())).toMatchObject({ value: [1] });
    expect(await run(command, plain({ execution: { model: "m" } }))).toMatchObject({ value: [3] });
  });

  it("is found by a path relative to where the setting was made", async () => {
    mkdirSync(join(dir, "bin"));
    writeFileSync(join(dir, "bin", "agent"), `#!/bin/sh\necho '{"n":1}'\n`, { mode: 0o700 });
    mkdirSync(join(dir, "sub"));
    const definition = { cwd: "sub", agent: { prompt: "Go" } };
    expect(await run("bin/agent", { definition })).toMatchObject({ value: { n: 1 } });
    expect(await run("./agent", { definition, settings: { commandDir: join(dir, "bin") } })).toMatchObject({
      value: { n: 1 },
    });
  });

  it("has secrets by name, and they are not in logs and values", async () => {
    const settings = { env: { PATH: process.env["PATH"], MY_TOKEN: "hunter22" } };
    const definition = { agent: { prompt: "Go", secretEnv: ["MY_TOKEN"] } };
    const result = await run(sh('echo "{{\\"t\\":\\"$MY_TOKEN\\"}" | tee "$BABYSITTER_OUTPUT_JSON"'), {
      settings,
      definition,
    });
    expect(result).toMatchObject({ status: "ok", value: { t: "***" } });
    expect(log("stdout.log")).not.toContain("hunter22");
    expect(await run("true", { definition })).toMatchObject({ permanent: true, error: { code: "TASK_INVALID" } });
  });
});

describe("secrets in an answer", () => {
  it("are in no file and no error, not even a part of one where the answer is shortened", async () => {
    const secret = "hunter22-and-a-half-0123456789";
    const settings = { env: { PATH: process.env["PATH"], NODE: process.execPath, MINE: secret } };
    const definition = { agent: { prompt: "Go", secretEnv: ["MINE"], outputSchema: SCHEMA } };
    // What is shown of a long answer begins with its first 2000 characters.
    const answer =
      'require("node:fs").writeFileSync(process.env.BABYSITTER_OUTPUT_JSON, "x".repeat(1985) + process.env.MINE + "y".repeat(9000))';
    const result = await run(`"$NODE" -e '${answer}'`.replace('"$NODE"', process.execPath), { settings, definition });
    expect(result).toMatchObject({ status: "error", error: { code: "AGENT_ANSWER_INVALID" } });
    const texts = readdirSync(inTask("")).map(log);
    expect(texts.join("")).toContain("xxx***");
    expect(`${JSON.stringify(result)}${texts.join("")}`).not.toContain(secret.slice(0, 8));
    for (const name of readdirSync(inTask(""))) expect([name, statSync(inTask(name)).mode & 0o077]).toEqual([name, 0]);
  });
});

describe("a command that cannot be started", () => {
  it("is named without the secrets that are written in it", async () => {
    const { error } = (await run("/no/such/agent --api-key=hunter22")) as { error: { message: string; data: object } };
    expect(error.message).toContain("`/no/such/agent --api-key=[hidden]`");
    expect(JSON.stringify(error)).not.toContain("hunter22");
  });
});

describe("an answer that cannot be used", () => {
  it("is asked for once more, with what was wrong", async () => {
    const result = await run(twice(say('{"n":"one"}'), say('{"n":1}')));
    expect(result).toMatchObject({ status: "ok", value: { n: 1 } });
    expect(result.facts).toMatchObject({
      stdoutRef: "tasks/e1/stdout.repair.log",
      stderrRef: "tasks/e1/stderr.repair.log",
      notes: { firstAnswerRefused: [expect.stringContaining("/n")] },
    });
    expect(log("stdout.log")).toBe('{"n":"one"}');
    expect(log("stdout.repair.log")).toBe('{"n":1}');
    const repair = log("prompt.repair.md");
    expect(repair.startsWith(log("prompt.md").trimEnd())).toBe(true);
    expect(repair).toContain('"n": "one"');
    expect(repair).toMatch(/^- \/n: /mu);
  });

  it("is asked for with the second prompt, on stdin or as a file", async () => {
    const seen = join(dir, "seen");
    await run(twice("true", `cat > ${seen}; ${say('{"n":1}')}`));
    expect(readFileSync(seen, "utf8")).toBe(log("prompt.repair.md"));
    rmSync(join(dir, "tried"));
    const script = `if [ -e ${seen}.2 ]; then cp "$1" ${seen}.3; ${say('{"n":1}')}; else touch ${seen}.2; fi`;
    expect(await run(sh(script, "{promptFile}"))).toMatchObject({ status: "ok" });
    expect(readFileSync(`${seen}.3`, "utf8")).toBe(log("prompt.repair.md"));
  });

  it("twice is an error with the problems and the answer", async () => {
    const result = await run(sh(`${say('{"n":"no"}')}; echo x >> ${join(dir, "count")}`));
    expect(result).toMatchObject({
      status: "error",
      reason: "failed",
      error: {
        code: "AGENT_ANSWER_INVALID",
        data: { problems: [expect.stringContaining("/n")], answer: '{\n  "n": "no"\n}' },
      },
    });
    expect(result).not.toHaveProperty("permanent", true);
    expect(readFileSync(join(dir, "count"), "utf8")).toBe("x\nx\n");
  });

  it("may be none at all, or prose where JSON was asked for", async () => {
    expect(await run("true")).toMatchObject({ error: { code: "AGENT_ANSWER_INVALID", data: { answer: "" } } });
    expect(await run("echo 'I did it'")).toMatchObject({ error: { data: { answer: "I did it" } } });
    expect(await run("true", plain())).toMatchObject({ error: { code: "AGENT_ANSWER_INVALID" } });
  });

  it("is cut in the error when it is long", async () => {
    const result = await run(sh("yes abc | head -c 2000000"), plain());
    const { error } = result as WorkResult & { status: "error" };
    const { answer } = error.data as { answer: string };
    expect(answer.length).toBeLessThan(7000);
    expect(answer).toContain("omitted");
  });

  it("in the file of the first try is not taken for the second one's", async () => {
    const result = await run(twice('echo "[1]" > "$BABYSITTER_OUTPUT_JSON"', "true"));
    expect(result).toMatchObject({ error: { code: "AGENT_ANSWER_INVALID", data: { answer: "" } } });
    expect(log("answer.refused.json")).toBe("[1]\n");
  });
});

describe("an agent that fails", () => {
  it("has its exit code and last words in the error, also when it has answered", async () => {
    const result = await run(sh(`${say('{"n":1}')} | tee "$BABYSITTER_OUTPUT_JSON"; echo 'no credit' >&2; exit 3`));
    expect(result).toMatchObject({
      status: "error",
      reason: "failed",
      error: { code: "AGENT_FAILED", data: { exitCode: 3, stderr: "no credit\n" } },
      facts: { exitCode: 3 },
    });
    expect((result as { error: Error }).error.message).toContain("exited with 3: no credit");
    expect(existsSync(inTask("stdout.repair.log"))).toBe(false);
  });

  it("may say so in its envelope, with any exit code", async () => {
    for (const code of [0, 1]) {
      const envelope = say('{"type":"result","is_error":true,"result":"Limit reached"}');
      const result = await run(sh(`${envelope}; exit ${code}`));
      expect(result).toMatchObject({
        reason: "failed",
        error: { code: "AGENT_FAILED", message: expect.stringMatching(/: Limit reached$/u) },
      });
    }
  });

  it("to start is told with the command and its setting, for good", async () => {
    const result = await run("no-such-agent-here -p");
    expect(result).toMatchObject({ status: "error", permanent: true, error: { code: "AGENT_NOT_STARTED" } });
    const { message } = (result as { error: Error }).error;
    for (const part of ["`no-such-agent-here -p`", "--agent-command", "BABYSITTER_AGENT_COMMAND"])
      expect(message).toContain(part);
    expect(begin("no-such-agent-here").group).toBeUndefined();
    expect(await run("true", { definition: { cwd: "nowhere" } })).toMatchObject({
      permanent: true,
      error: { message: expect.stringContaining("nowhere does not exist") },
    });
  });

  it("for a definition that is wrong is not even started", async () => {
    const command = `touch ${join(dir, "started")}`;
    for (const agent of [
      { outputSchema: { type: "nonsense" } },
      { outputSchema: "x" },
      { timeout: "soon" },
      { model: "--yolo" },
    ]) {
      const running = begin(command, { definition: { agent } });
      expect(running.group).toBeUndefined();
      expect(await running.result).toMatchObject({
        reason: "failed",
        permanent: true,
        error: { code: "TASK_INVALID" },
      });
    }
    expect(existsSync(join(dir, "started"))).toBe(false);
  });
});

describe("time and stopping", () => {
  it("ends an agent that hangs", async () => {
    const result = await run("sleep 600", plain({ timeout: 50 }));
    expect(result).toMatchObject({ status: "error", reason: "timed-out", error: { code: "TASK_TIMEOUT" } });
    expect(existsSync(inTask("stdout.repair.log"))).toBe(false);
  });

  it("counts both tries together", async () => {
    const definition = { agent: { prompt: "Go", outputSchema: SCHEMA, timeoutMs: 1500 } };
    const result = await run(twice("true", "sleep 600"), { definition });
    expect(result).toMatchObject({ reason: "timed-out", error: { data: { timeoutMs: 1500 } } });
    expect(existsSync(inTask("stdout.repair.log"))).toBe(true);
  });

  it("that is over before the second try lets it not begin", async () => {
    // The agent itself is in time; what it has left behind is not.
    const leftover = `trap "" TERM; touch ${join(dir, "left")}; while :; do sleep 1; done`;
    const command = sh(`sh -c '${leftover}' & while [ ! -e ${join(dir, "left")} ]; do :; done`);
    const result = await run(command, { settings: { graceMs: 900 }, ...plain({ timeout: 800 }) });
    expect(result).toMatchObject({ reason: "timed-out", error: { code: "TASK_TIMEOUT" } });
    expect(existsSync(inTask("prompt.repair.md"))).toBe(false);
  });

  it("has no limit with 0", async () => {
    expect(await run("echo 1", plain({ timeout: 0 }))).toMatchObject({ status: "ok", value: 1 });
  });

  it("a stop ends the agent and everything it has started", async () => {
    const work = begin(sh(`sleep 600 & touch ${join(dir, "up")}; wait`));
    await until(() => existsSync(join(dir, "up")), "the agent");
    await work.stop("the user said so");
    expect(await work.result).toMatchObject({
      reason: "interrupted",
      error: { code: "TASK_INTERRUPTED", message: expect.stringContaining("the user said so") },
    });
    expect(carriersOf(session)).toEqual([]);
  });

  it("a stop in the second try ends that one", async () => {
    const work = begin(twice("true", `touch ${join(dir, "up")}; sleep 600`));
    await until(() => existsSync(join(dir, "up")), "the second try");
    await work.stop("enough");
    expect(await work.result).toMatchObject({ reason: "interrupted" });
  });

  it("a stop after a bad answer lets no second try begin", async () => {
    // The agent is gone, but what it has left behind takes its time: now is between the tries.
    const leftover = `trap "" TERM; touch ${join(dir, "left")}; while :; do sleep 1; done`;
    const command = sh(
      `sh -c '${leftover}' & while [ ! -e ${join(dir, "left")} ]; do :; done; touch ${join(dir, "gone")}; exit 0`,
    );
    const work = begin(command, { settings: { graceMs: 60_000 } });
    const pid = work.group?.pid ?? 0;
    await until(() => existsSync(join(dir, "gone")) && !isRunning(pid), "the end of the agent");
    const stopped = work.stop("between");
    await work.stop("now");
    await stopped;
    expect(await work.result).toMatchObject({
      reason: "interrupted",
      error: { message: expect.stringContaining("between") },
    });
    expect(existsSync(inTask("stdout.repair.log"))).toBe(false);
    expect(existsSync(inTask("prompt.repair.md"))).toBe(false);
  });

  it("newest lines of both tries are told", async () => {
    const work = begin(twice("echo first", `echo second; ${say('{"n":1}')}`));
    const lines: string[] = [];
    const deaf: string[] = [];
    work.onOutput((line) => lines.push(line));
    work.onOutput((line) => deaf.push(line))();
    await work.result;
    expect(lines[0]).toBe("first");
    expect(lines.at(-1)).toBe('{"n":1}');
    expect(deaf).toEqual([]);
  });
});

describe("the files of an attempt", () => {
  it("stay readable after the next one, and are nobody else's business", async () => {
    await run(sh(`echo old; echo '[1]' > "$BABYSITTER_OUTPUT_JSON"`));
    await run(sh(say('{"n":2}')), { attempt: 2 });
    expect(log("stdout.attempt-1.log")).toBe("old\n");
    expect(log("stdout.repair.attempt-1.log")).toBe("old\n");
    expect(log("answer.attempt-1.json")).toBe("[1]\n");
    expect(log("stdout.log")).toBe('{"n":2}');
    expect(existsSync(inTask("answer.json"))).toBe(false);
    for (const name of ["prompt.md", "schema.json", "stdout.log"])
      expect(statSync(inTask(name)).mode & 0o777).toBe(0o600);
  });

  it("of an earlier attempt are not this one's answer", async () => {
    await run(sh(`echo '{{"n":1}' > "$BABYSITTER_OUTPUT_JSON"`));
    expect(await run("true")).toMatchObject({ error: { code: "AGENT_ANSWER_INVALID" } });
    await run(sh(`echo '{{"n":1}' > "$BABYSITTER_OUTPUT_JSON"`));
    expect(await run("true", { attempt: 2 })).toMatchObject({ error: { code: "AGENT_ANSWER_INVALID" } });
  });

  it("are not waited for when the agent makes something odd of them", async () => {
    const command = sh(`mkfifo "$BABYSITTER_OUTPUT_JSON"; ${say('{"n":1}')}`);
    expect(await run(command)).toMatchObject({ status: "ok", value: { n: 1 } });
  });
});

function isRunning(pid: number): boolean {
  const stat = readOr(`/proc/${pid}/stat`);
  return stat !== "" && !/\) Z/u.test(stat);
}
