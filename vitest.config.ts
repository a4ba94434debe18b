import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { TEST_ENVIRONMENT } from "./tools/test-environment.mjs";
import { beginningWith } from "./tools/test-order.js";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.{ts,tsx}", "tests/**/*.test.ts"],
    // `npm run test:slow`, `npm run test:hosts` and `npm run test:browser` run these.
    exclude: ["**/*.{slow,host,browser}.test.ts", "**/node_modules/**"],
    globalSetup: "tools/test-setup.mjs",
    isolate: false,
    // Most tests wait for child processes: one worker more than there are cores keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    // Tests of programs.
    sequence: { sequencer: beginningWith((file) => file.includes("/tests/")) },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: TEST_ENVIRONMENT,
  },
});
