import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Vitest begins with the largest files. These take longer than their size tells, and must not come last. */
export function beginningWith(isFirst: (file: string) => boolean): typeof BaseSequencer {
  const rank = ({ moduleId }: TestSpecification): number => (isFirst(moduleId) ? 0 : 1);
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's own, of another kind
      const sorted = await super.sort(files);
      return sorted.toSorted((a, b) => rank(a) - rank(b));
    }
  };
}
