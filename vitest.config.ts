import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const ofPrograms = ({ moduleId }: TestSpecification): number => (moduleId.includes("/tests/") ? 1 : 0);

/** Vitest begins with the longest files. Tests of programs take longer than that tells, and must not come last. */
class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's own, of another kind
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => ofPrograms(b) - ofPrograms(a));
  }
}

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.{ts,tsx}", "tests/**/*.test.ts"],
    // `npm run test:slow`, `npm run test:hosts` and `npm run test:browser` run these.
    exclude: ["**/*.{slow,host,browser}.test.ts", "**/node_modules/**"],
    globalSetup: "tools/test-setup.mjs",
    isolate: false,
    // Most tests wait for child processes: one worker more than there are cores keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: ProgramsFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { BABYSITTER_DURABILITY: "relaxed" },
  },
});
