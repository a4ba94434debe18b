import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.slow.test.ts", "tests/**/*.slow.test.ts"],
    globalSetup: "tools/test-setup.mjs",
    isolate: false,
    fileParallelism: false,
    testTimeout: 1_200_000,
    env: { BABYSITTER_DURABILITY: "relaxed" },
  },
});
