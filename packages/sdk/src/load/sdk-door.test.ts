import { expect, it } from "vitest";
import { doorUrl } from "./sdk-door.js";

it("doorUrl exports every key, also reserved words", () => {
  const source = decodeURIComponent(doorUrl({ task: 1, delete: 2, default: 3 }).replace("data:text/javascript,", ""));
  expect(source.split("\n")).toEqual([
    `const door = globalThis[Symbol.for("@a5c-ai/babysitter-sdk/door")];`,
    `const $0 = door["task"]; export { $0 as "task" };`,
    `const $1 = door["delete"]; export { $1 as "delete" };`,
    `const $2 = door["default"]; export { $2 as "default" };`,
  ]);
});
