import { describe, expect, it } from "vitest";
import { eventsOf } from "../../../../tests/fixtures/replay/journal-views.js";
import { createTestRun } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";
import { checkDefinition, defineTask, identityOf } from "./task-definition.js";

const definition = {
  kind: "shell",
  shell: { command: "deploy", env: { API_KEY: "key-value", REGION: "eu" }, secretEnv: ["X", "API_KEY"] },
};

describe("secrets in a definition", () => {
  it.each(["node", "shell", "agent", "skill", "deploy"])(
    "are named, those of the author first, in a %s task",
    (kind) => {
      const { json } = checkDefinition("t", { kind, [kind]: definition.shell });
      expect(json[kind]).toEqual({ command: "deploy", env: { REGION: "eu" }, secretEnv: ["X", "API_KEY"] });
    },
  );

  it("are named where the author has named none, and where the task has no section of its own", () => {
    const { json } = checkDefinition("t", { kind: "deploy", env: { DB_PASSWORD: "word", A: "1" } });
    expect(json).toEqual({ kind: "deploy", env: { A: "1" }, secretEnv: ["DB_PASSWORD"] });
  });

  it("are never written down, also where the list of names is none", () => {
    const { json } = checkDefinition("t", { kind: "shell", shell: { ...definition.shell, secretEnv: "X" } });
    expect(json["shell"]).toEqual({ command: "deploy", env: { REGION: "eu" }, secretEnv: "X" });
  });

  it.each(["plain", "defined"])("are kept by name in the journal, in a %s task", async (way) => {
    const defined = defineTask("t", () => definition);
    const process = (_: never, ctx: ProcessContext): Promise<unknown> =>
      way === "plain" ? ctx.task({ ...definition, id: "t" }, {}) : ctx.task(defined, {});
    const run = await createTestRun({ process });
    await run.iterate();
    const [asked] = await eventsOf(run, "EFFECT_REQUESTED");
    expect(asked?.payload.definition).toMatchObject({
      value: { shell: { env: { REGION: "eu" }, secretEnv: ["X", "API_KEY"] } },
    });
    expect(JSON.stringify(asked)).not.toContain("key-value");
    await run.restart();
    expect((await run.iterate()).status).toBe("waiting");
  });

  it("do not change what a task of a run of version 1 is known by", () => {
    const old = { kind: "shell", shell: { command: "deploy", env: { REGION: "eu" }, secretEnv: ["API_KEY"] } };
    expect(identityOf(definition, 1)).toEqual(old);
    expect(identityOf({ kind: "deploy", env: { API_KEY: "1" } }, 1)).toEqual({ kind: "deploy", env: { API_KEY: "1" } });
    expect(identityOf(definition, 2)).toEqual(checkDefinition("t", definition).json);
  });
});
