import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "tests/**/*.test.ts"],
    // `npm run test:slow` and `npm run test:hosts` run these.
    exclude: ["**/*.{slow,host}.test.ts", "**/node_modules/**"],
    globalSetup: "tools/test-setup.mjs",
    isolate: false,
    // Most tests wait for child processes, so two cores are no reason for one worker.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { BABYSITTER_DURABILITY: "relaxed" },
  },
});
