import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "tests/fast/**/*.test.ts"],
    // Tests of the same kind that take their time; `npm run test:slow` has them.
    exclude: ["**/*.slow.test.ts", "**/node_modules/**"],
    globalSetup: "tools/test-setup.mjs",
    isolate: false,
    // Most tests wait for child processes, so two cores are no reason for one worker.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    env: { BABYSITTER_DURABILITY: "relaxed" },
  },
});
