import { defineConfig } from "vitest/config";
import { TEST_MS } from "./tests/hosts/rig/patience.js";

export default defineConfig({
  test: {
    include: ["tests/**/*.host.test.ts"],
    isolate: false,
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: TEST_MS,
    globalSetup: ["tools/test-setup.mjs", "tests/hosts/rig/global-setup.ts"],
  },
});
