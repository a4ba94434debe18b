import { Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import { renderConfigSchema, renderSettings } from "../../../../tools/config-schema.mjs";
import { parseConfigFile } from "./config-file.js";
import { configSchema } from "./config-schema.js";
import * as settings from "./settings.js";

const validator = new Validator(configSchema(), "7");

function isTaken(config: unknown): boolean {
  try {
    parseConfigFile(JSON.stringify(config), { file: "f", tier: "team" });
    return true;
  } catch {
    return false;
  }
}

const CONFIGS: [unknown, boolean][] = [
  [{}, true],
  [{ $schema: "./config.schema.json" }, true],
  [{ driver: { concurrency: 1, agentCommand: "claude -p" }, checks: [] }, true],
  [{ driver: { agentCommand: ["claude", "-p"] } }, true],
  [{ tasks: { timeoutMs: 0 }, hooks: { timeoutMs: 5 }, iterate: { waitMs: 0 } }, true],
  [{ breakpoints: { policy: "approve:nightly", answers: "open" } }, true],
  [{ limits: { maxIterations: 0, budgetUsd: 0.01 } }, true],
  [{ checks: [{ name: "test", command: "npm test" }] }, true],
  [{ driver: { concurrency: 0 } }, false],
  [{ driver: { agentCommand: " " } }, false],
  [{ hooks: { enabled: false } }, false],
  [{ breakpoints: { policy: "yes" } }, false],
  [{ limits: { budgetUsd: 0 } }, false],
  [{ checks: [{ name: "test" }] }, false],
  [{ telemetry: true }, false],
  [{ $schema: 1 }, false],
  [[], false],
];

describe("the schema for editors", () => {
  it.each(CONFIGS)("C23: editor and command agree about %j", (config, expected) => {
    expect([validator.validate(config as object).valid, isTaken(config)]).toEqual([expected, expected]);
  });

  it("is the same after it was laid out for the repository", () => {
    expect(JSON.parse(renderConfigSchema({ configSchema }))).toEqual(configSchema());
  });

  it("the table of the guide has every setting", () => {
    const table = renderSettings(settings);
    for (const name of settings.SETTING_NAMES) expect(table).toContain(`| \`${name}\` |`);
    expect(table).toContain("| `limits.maxIterations` | `50` |");
    expect(table).toContain("`--no-hooks`, `BABYSITTER_HOOKS_ENABLED`; not in files | last |");
  });
});
