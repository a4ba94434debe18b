import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "tests/fast/**/*.test.ts"],
    isolate: false,
    testTimeout: 60_000,
    env: { BABYSITTER_DURABILITY: "relaxed" },
  },
});
