import { defineConfig } from "vitest/config";
import { TEST_MS } from "./tests/hosts/rig/patience.js";

export default defineConfig({
  test: {
    include: ["tests/**/*.host.test.ts"],
    isolate: false,
    // Hosts and the scripted model wait for each other most of the time.
    maxWorkers: 2,
    testTimeout: TEST_MS,
    // A browser may have to be installed first.
    hookTimeout: TEST_MS,
    globalSetup: ["tools/test-setup.mjs", "tests/hosts/rig/global-setup.ts"],
  },
});
