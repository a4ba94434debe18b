/** The hooks that users copy, exactly as they are in the documentation. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HookDispatch } from "../../packages/sdk/src/model/hook-types.js";
import { HookProject } from "../fixtures/hooks/hook-project.js";

const EXAMPLES = fileURLToPath(new URL("../../docs/examples/hooks", import.meta.url));
const GUIDE = fileURLToPath(new URL("../../docs/guide/hooks.md", import.meta.url));
const STAND_INS = fileURLToPath(new URL("../fixtures/hooks/stand-ins", import.meta.url));
const HAS_TOOLS = ["jq", "curl"].every((name) => isOnPath(name));

function isOnPath(name: string): boolean {
  try {
    execFileSync("/bin/sh", ["-c", `command -v ${name}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

interface Received {
  url: string | undefined;
  type: string | undefined;
  body: unknown;
}

/** A receiver on loopback that keeps what is posted to it. */
async function receiver(status = 200): Promise<{ address: string; received: Received[] }> {
  const received: Received[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
      received.push({ url: request.url, type: request.headers["content-type"], body });
      response.writeHead(status, { Connection: "close" }).end('{"ok": "from the receiver"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

type Tools = "of this machine" | "stand-ins";

/** A project with all the examples in it, and the tools that they need on PATH. */
class ExampleProject extends HookProject {
  readonly #path: string;

  constructor(tools: Tools) {
    super();
    fs.cpSync(EXAMPLES, this.folder(), { recursive: true });
    const bin = path.join(this.project.root, "bin");
    fs.mkdirSync(bin);
    if (tools === "stand-ins")
      for (const name of ["jq", "curl"])
        fs.writeFileSync(
          path.join(bin, name),
          `#!/bin/sh\nexec '${process.execPath}' '${STAND_INS}/${name}.mjs' "$@"\n`,
          {
            mode: 0o755,
          },
        );
    this.#path = `${bin}:${path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
  }

  async call(hookType: string, payload: object, variables: Record<string, string>): Promise<HookDispatch> {
    return this.dispatch(
      hookType,
      { ...payload },
      { env: { PATH: this.#path, HOME: this.project.home, ...variables } },
    );
  }
}

/** What the chat hook and the metrics hook send and answer, with whatever jq and curl there are. */
async function tryExamples(tools: Tools): Promise<{ received: Received[]; answers: unknown[] }> {
  const world = new ExampleProject(tools);
  const { address, received } = await receiver();
  const task = { effectId: "effect-7", taskId: 'build "all"', exitCode: 0, durationMs: 1234 };
  const calls = [
    await world.call("on-run-complete", { status: "completed" }, { SLACK_WEBHOOK_URL: `${address}/chat` }),
    await world.call("on-task-complete", task, { METRICS_ENDPOINT: address }),
    await world.call("on-task-complete", { effectId: "effect-8", taskId: "t" }, { METRICS_ENDPOINT: address }),
  ];
  return {
    received,
    answers: calls.map(({ hooks }) => hooks.map(({ name, problem, result }) => problem ?? [name, result])),
  };
}

const EXPECTED = {
  answers: [
    [["notify-slack.sh", { ok: true }]],
    [["collect-metrics.sh", { ok: true }]],
    [["collect-metrics.sh", { ok: true }]],
  ],
  received: [
    { url: "/chat", body: { text: "Run run-1 completed with status: completed" } },
    { url: "/task-completed", body: { effectId: "effect-7", taskId: 'build "all"', exitCode: 0, duration: 1234 } },
    { url: "/task-completed", body: { effectId: "effect-8", taskId: "t", exitCode: 0, duration: 0 } },
  ].map(({ url, body }, index) => ({
    url,
    type: "application/json",
    body:
      index === 0 ? body : { ...body, timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string },
  })),
};

describe("the example hooks", () => {
  it.runIf(HAS_TOOLS)("H7: for chat and metrics run as they are, with jq and curl of this machine", async () => {
    expect(await tryExamples("of this machine")).toEqual(EXPECTED);
  });

  it("H7: for chat and metrics run as they are, with small stand-ins for jq and curl", async () => {
    expect(await tryExamples("stand-ins")).toEqual(EXPECTED);
  });

  it("H7: in plain Node runs as it is, without jq and curl", async () => {
    const world = new ExampleProject("of this machine");
    const { address, received } = await receiver();
    const payload = { processId: "dev/build", error: { name: "Error", message: "no disk" } };
    const { hooks } = await world.call("on-run-fail", payload, { FAILURE_WEBHOOK_URL: address });
    expect(hooks).toMatchObject([{ name: "report-failure.mjs", status: "ok", result: { ok: true } }]);
    expect(received).toMatchObject([{ body: { runId: "run-1", processId: "dev/build", error: "no disk" } }]);
  });

  it("say so when the receiver refuses or a setting is missing", async () => {
    const world = new ExampleProject("stand-ins");
    const { address } = await receiver(500);
    const completed = { status: "completed" };
    const refused = await world.call("on-run-complete", completed, { SLACK_WEBHOOK_URL: address });
    expect(refused.merged).toMatchObject({ ok: false, error: expect.stringContaining("500") as string });
    const unset = await world.call("on-run-complete", completed, {});
    expect(unset.merged.error).toMatch(/SLACK_WEBHOOK_URL: set it to the address of an incoming webhook/);
    const payload = { processId: "p", error: { message: "m" } };
    const { merged } = await world.call("on-run-fail", payload, { FAILURE_WEBHOOK_URL: address });
    expect(merged.error).toBe("report-failure.mjs: the receiver answered 500");
  });

  it("H3: a receiver's answer in front of the hook's own does not count", async () => {
    const world = new ExampleProject("stand-ins");
    const { address } = await receiver();
    world.hook(
      "try/prints-all",
      `curl --silent --max-time 20 --header 'Content-Type: application/json' --data '{}' "${address}"; echo '{"ok": true}'`,
    );
    const { hooks } = await world.call("try", {}, {});
    expect(hooks[0]?.result).toEqual({ ok: true });
  });

  it("H7: are printed in the guide word for word", () => {
    const guide = fs.readFileSync(GUIDE, "utf8");
    const files = fs.readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));
    expect(files).toHaveLength(3);
    for (const file of files) {
      expect(guide).toContain(fs.readFileSync(path.join(EXAMPLES, file), "utf8"));
      expect(guide).toContain(file);
      expect(fs.statSync(path.join(EXAMPLES, file)).mode & 0o111).toBe(0o111);
    }
  });
});
