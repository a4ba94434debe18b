import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BabysitterError } from "../model/errors.js";
import { parseConfigFile } from "./config-file.js";
import { folderOfSetting } from "./read-config.js";
import { overruledFlags, resolveConfig, settingFlags } from "./resolve-config.js";
import { type ConfigValues, isMadeIn, SETTING_NAMES, SETTINGS, type SettingName } from "./settings.js";

interface Given {
  team?: unknown;
  person?: unknown;
  env?: string | number | undefined;
  flag?: string | boolean | undefined;
}

/** The configuration with one setting made in some places, and nothing else. */
function resolve(name: SettingName, given: Given) {
  const { env: variable = "", flag } = SETTINGS[name];
  const file = (tier: "team" | "person") =>
    given[tier] === undefined
      ? undefined
      : parseConfigFile(JSON.stringify(nested(name, given[tier])), { file: `/${tier}.json`, tier });
  return resolveConfig({
    team: file("team"),
    person: file("person"),
    env: given.env === undefined ? {} : { [variable]: String(given.env) },
    flags: given.flag === undefined ? {} : { [flag?.name ?? ""]: given.flag },
  });
}

function nested(name: string, value: unknown): object {
  const [group = "", key] = name.split(".");
  return key === undefined ? { [group]: value } : { [group]: { [key]: value } };
}

/** The value, and where it comes from. */
function outcome(name: SettingName, given: Given): [unknown, string] {
  const { values, origins } = resolve(name, given);
  return [values[name], origins[name].source];
}

function failure(work: () => unknown): Pick<BabysitterError, "code" | "message" | "exitCode"> {
  try {
    work();
  } catch (error) {
    return error as BabysitterError;
  }
  throw new Error("nothing was refused");
}

describe("settings from several places", () => {
  it("C23: without any, every setting has its default", () => {
    const { values, origins } = resolveConfig({ env: {}, flags: {} });
    expect(values).toEqual({
      "driver.concurrency": 4,
      "driver.agentCommand": null,
      "tasks.timeoutMs": 900_000,
      "tasks.kinds": [],
      "hooks.timeoutMs": null,
      "hooks.enabled": true,
      "iterate.waitMs": null,
      "breakpoints.policy": "ask",
      "breakpoints.answers": "bound",
      "breakpoints.gates": "bound",
      "limits.maxIterations": 50,
      "limits.budgetUsd": null,
      "loops.stateFile": true,
      "inbox.program": null,
      "inbox.onDemand": false,
      "inbox.port": 3184,
      "inbox.apiPort": 3185,
      "inbox.publicUrl": null,
      "notify.afterSeconds": 60,
      "notify.remindMinutes": 60,
      "notify.remindBy": [],
      "notify.quietHours": null,
      "notify.reportAt": "07:00",
      prices: {},
      checks: [],
    } satisfies ConfigValues);
    expect(new Set(Object.values(origins).map(({ source }) => source))).toEqual(new Set(["default"]));
  });

  it.each<[SettingName, Given, unknown, string]>([
    ["driver.concurrency", { team: 2 }, 2, "team"],
    ["driver.concurrency", { team: 2, person: 8 }, 8, "person"],
    ["driver.concurrency", { team: 2, person: 8, env: 3 }, 3, "env"],
    ["driver.concurrency", { team: 2, person: 8, env: 3, flag: "16" }, 16, "flag"],
    ["driver.concurrency", { team: 2, env: "", flag: "" }, 2, "team"],
    ["driver.agentCommand", { team: ["a", "b c"], env: "other -x" }, "other -x", "env"],
    ["driver.agentCommand", { person: "mine" }, "mine", "person"],
    ["tasks.timeoutMs", { team: 1000, person: 0 }, 0, "person"],
    ["tasks.kinds", { team: ["ticket"] }, ["ticket"], "team"],
    ["hooks.enabled", { env: "false" }, false, "env"],
    ["hooks.enabled", { env: "0" }, false, "env"],
    ["hooks.enabled", { env: "true", flag: true }, false, "flag"],
    ["hooks.enabled", { env: "false", flag: false }, false, "env"],
    ["checks", { team: [{ name: "test", command: "npm test" }] }, [{ name: "test", command: "npm test" }], "team"],
  ])("C23: the last one wins: %s with %j", (name, given, value, source) => {
    expect(outcome(name, given)).toEqual([value, source]);
  });

  it.each<[SettingName, Given, unknown, string]>([
    ["limits.maxIterations", { team: 20, person: 100 }, 20, "team"],
    ["limits.maxIterations", { team: 100, person: 20 }, 20, "person"],
    ["limits.maxIterations", { team: 200 }, 200, "team"],
    ["limits.maxIterations", { team: 20, env: 30 }, 20, "team"],
    ["limits.maxIterations", { team: 20, person: 0 }, 20, "team"],
    ["limits.maxIterations", { team: 0 }, 0, "team"],
    ["limits.budgetUsd", { team: 5, person: 2.5, env: "2.75" }, 2.5, "person"],
    ["limits.budgetUsd", { env: "0.5" }, 0.5, "env"],
    ["breakpoints.policy", { team: "approve" }, "approve", "team"],
    ["breakpoints.policy", { team: "approve", person: "ask" }, "ask", "person"],
    ["breakpoints.policy", { team: "ask", person: "approve" }, "ask", "team"],
    ["breakpoints.policy", { team: "ask", flag: "approve" }, "ask", "team"],
    ["breakpoints.policy", { team: "reject", flag: "approve:nightly" }, "reject", "team"],
    ["breakpoints.policy", { team: "reject", env: "ask" }, "ask", "env"],
    ["breakpoints.policy", { team: "approve", flag: "approve:nightly" }, "approve:nightly", "flag"],
    ["breakpoints.answers", { team: "open" }, "open", "team"],
    ["breakpoints.answers", { team: "open", person: "bound" }, "bound", "person"],
    ["breakpoints.answers", { person: "bound", env: "open" }, "bound", "person"],
  ])("C23: the stricter wins: %s with %j", (name, given, value, source) => {
    expect(outcome(name, given)).toEqual([value, source]);
  });

  it("C23: a limit is never laxer than in either file, whatever other sources say", () => {
    const limit = fc.option(fc.integer({ min: 0, max: 1000 }), { nil: undefined });
    const cap = (value: number): number => (value === 0 ? Number.POSITIVE_INFINITY : value);
    fc.assert(
      fc.property(limit, limit, limit, (team, person, env) => {
        const value = cap(resolve("limits.maxIterations", { team, person, env }).values["limits.maxIterations"]);
        const caps = [team, person, env].filter((given) => given !== undefined).map(cap);
        expect(value).toBe(caps.length === 0 ? 50 : Math.min(...caps));
      }),
    );
    const budget = fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined });
    fc.assert(
      fc.property(budget, budget, budget, (team, person, env) => {
        const value = resolve("limits.budgetUsd", { team, person, env }).values["limits.budgetUsd"];
        const given = [team, person, env].filter((amount) => amount !== undefined);
        expect(value).toBe(given.length === 0 ? null : Math.min(...given));
      }),
    );
  });

  it("C23: no place can make fewer questions reach a human than another one wants", () => {
    const policy = fc.option(fc.constantFrom("ask", "reject", "approve", "approve:x", "reject:x"), { nil: undefined });
    const order = ["approve", "reject", "ask"];
    const rank = (text: string): number => order.indexOf(text.split(":")[0] ?? "");
    fc.assert(
      fc.property(fc.tuple(policy, policy, policy, policy), ([team, person, env, flag]) => {
        const value = resolve("breakpoints.policy", { team, person, env, flag }).values["breakpoints.policy"];
        const given = [team, person, env, flag].filter((text) => text !== undefined);
        expect(rank(value)).toBe(given.length === 0 ? rank("ask") : Math.max(...given.map(rank)));
      }),
    );
  });

  it("C23: overridden values are shown with their place and the reason", () => {
    const { origins } = resolve("limits.maxIterations", { team: 20, person: 100, env: 30 });
    expect(origins["limits.maxIterations"]).toEqual({
      source: "team",
      file: "/team.json",
      line: 1,
      overruled: [
        { source: "person", file: "/person.json", line: 1, value: 100, why: "stricter wins: 20 from /team.json:1" },
        { source: "env", variable: "BABYSITTER_MAX_ITERATIONS", value: 30, why: "stricter wins: 20 from /team.json:1" },
      ],
    });
    expect(resolve("driver.concurrency", { team: 2, flag: "3" }).origins["driver.concurrency"]).toEqual({
      source: "flag",
      flag: "concurrency",
      overruled: [{ source: "team", file: "/team.json", line: 1, value: 2, why: "--concurrency takes precedence" }],
    });
    expect(resolve("driver.concurrency", { team: 2, flag: "2" }).origins["driver.concurrency"].overruled).toEqual([]);
  });

  it("C23: an option that has no effect is named, with why", () => {
    expect(overruledFlags(resolve("breakpoints.policy", { team: "ask", flag: "approve" }))).toEqual([
      '--breakpoint-policy approve has no effect; stricter wins: "ask" from /team.json:1',
    ]);
    expect(overruledFlags(resolve("breakpoints.policy", { team: "approve", env: "reject", flag: "ask" }))).toEqual([]);
  });

  it.each<[SettingName, string]>([
    ["driver.concurrency", "0"],
    ["driver.concurrency", "1001"],
    ["driver.concurrency", "two"],
    ["driver.concurrency", "-1"],
    ["driver.concurrency", "1.5"],
    ["driver.agentCommand", "  "],
    ["tasks.timeoutMs", "99999999999"],
    ["hooks.enabled", "maybe"],
    ["hooks.timeoutMs", "0"],
    ["breakpoints.policy", "approved"],
    ["breakpoints.policy", "approve:"],
    ["breakpoints.answers", "closed"],
    ["limits.budgetUsd", "0"],
    ["limits.budgetUsd", "1e3"],
  ])("C23: a bad value in the environment is refused with its name: %s = %j", (name, text) => {
    const error = failure(() => resolve(name, { env: text }));
    expect(error).toMatchObject({ code: "CONFIG_INVALID", exitCode: 2 });
    expect(error.message).toContain(SETTINGS[name].env);
    expect(error.message).toContain(SETTINGS[name].type.expects);
  });

  it("C23: a bad option is the fault of the command line", () => {
    const error = failure(() => resolve("driver.concurrency", { flag: "0" }));
    expect(error).toMatchObject({
      code: "USAGE",
      exitCode: 2,
      message: '--concurrency is "0"; it must be a whole number from 1 to 1000.',
    });
  });

  it("the options of a command that are settings are found by the table", () => {
    const options = { text: (name: string) => (name === "concurrency" ? "3" : undefined), flag: () => true };
    expect(settingFlags(options)).toEqual({
      concurrency: "3",
      "agent-command": undefined,
      "no-hooks": true,
      "breakpoint-policy": undefined,
    });
  });

  it("relative paths in a setting start from the place where it was made", () => {
    const places = { projectRoot: "/project", cwd: "/project/sub" };
    expect(folderOfSetting({ source: "team", file: "/project/.a5c/config.json", line: 1 }, places)).toBe("/project");
    expect(folderOfSetting({ source: "person", file: "/me/babysitter/config.json", line: 1 }, places)).toBe(
      "/me/babysitter",
    );
    expect(folderOfSetting({ source: "env", variable: "X" }, places)).toBe("/project/sub");
  });

  it("every setting that can be stricter knows what that means, and every default is a value of its type", () => {
    for (const name of SETTING_NAMES) {
      const { combine, type, default: usual } = SETTINGS[name];
      expect([name, combine !== "stricter wins" || type.strictness !== undefined]).toEqual([name, true]);
      expect([name, usual === null || type.accepts(usual)]).toEqual([name, true]);
      expect([name, isMadeIn(SETTINGS[name], "env") === (SETTINGS[name].env !== undefined)]).toEqual([name, true]);
    }
  });
});
