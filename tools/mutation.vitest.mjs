import { defineConfig } from "vitest/config";

/**
 * The tests that are to notice a mutation. Only those of the mutated files, since what is worked out once per module is
 * tried against all of them; and none about long texts, which would take minutes and notice nothing more.
 */
export default defineConfig({
  test: {
    include: ["packages/sdk/src/loop/rules/{promise,markdown,decide,decision,guard,circuit}*.test.ts"],
    exclude: ["**/*.slow.test.ts"],
  },
});
