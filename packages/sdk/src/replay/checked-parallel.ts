import { callerLocation } from "./call.js";
import { branchesProblem, invalidCall, mapperProblem } from "./call-arguments.js";
import { type LooseEnds, refusal } from "./loose-ends.js";
import type { Parallel } from "./process-context.js";

type Helper = (this: void, ...args: unknown[]) => Promise<unknown>;

/** The helpers with a look at their arguments, and at whether the process looks at their results. */
export function checkedParallel(parallel: Parallel, loose: LooseEnds, projectRoot: string): Parallel {
  const helpers = parallel as unknown as Record<keyof Parallel, Helper>;
  const checked = (name: keyof Parallel): Helper =>
    function call(branches, second, ...more) {
      const problem = branchesProblem(name, branches) ?? (name === "map" ? mapperProblem(second) : undefined);
      const location = callerLocation(call, projectRoot);
      return loose.watch({ name: `ctx.parallel.${name}(…)`, location, isHarmless: true }, (ended) => {
        if (problem !== undefined) return refusal(ended, invalidCall(problem, location));
        const promise = helpers[name](branches, second, ...more);
        promise.then(
          () => ended(),
          (failed: unknown) => ended({ failed }),
        );
        return promise;
      });
    };
  const all: Record<keyof Parallel, Helper> = {
    all: checked("all"),
    map: checked("map"),
    settled: checked("settled"),
    race: checked("race"),
  };
  return all as unknown as Parallel;
}
