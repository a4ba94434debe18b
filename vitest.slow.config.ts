import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.slow.test.ts", "tests/**/*.slow.test.ts"],
    globalSetup: "tools/test-setup.mjs",
    isolate: false,
    // Most of these wait for child processes too. More at once would make a slow machine of this one.
    maxWorkers: 2,
    testTimeout: 1_200_000,
    env: { BABYSITTER_DURABILITY: "relaxed" },
  },
});
