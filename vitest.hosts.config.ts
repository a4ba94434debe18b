import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.host.test.ts"],
    isolate: false,
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 20_000,
    globalSetup: ["tools/test-setup.mjs", "tests/hosts/rig/global-setup.ts"],
  },
});
