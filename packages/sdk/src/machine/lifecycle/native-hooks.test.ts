import { expect, test } from "vitest";
import { waitLimit } from "./native-hooks.js";

const AGENT = { CLAUDECODE: "1" };

test("H4: tasks are waited for until they have ended; only an agent's command stops after a minute", () => {
  expect([waitLimit(null, {}), waitLimit(null, AGENT)]).toEqual([undefined, 60_000]);
});

test("H4: whoever says how long to wait is heard, agent or not", () => {
  for (const env of [{}, AGENT]) expect([waitLimit(0, env), waitLimit(600_000, env)]).toEqual([0, 600_000]);
});
