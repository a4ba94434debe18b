import { defineConfig } from "vitest/config";
import { TEST_ENVIRONMENT } from "./tools/test-environment.mjs";

export default defineConfig({
  test: {
    include: ["tests/browser/**/*.browser.test.ts"],
    globalSetup: "tools/test-setup.mjs",
    isolate: false,
    // A browser is several processes already.
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 240_000,
    env: TEST_ENVIRONMENT,
  },
});
