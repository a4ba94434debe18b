import type { Branch, Parallel, ParallelOptions } from "./process-context.js";
import { makeScope, type Scope, scopes } from "./scope.js";

/** What the helpers need from the process they run in. */
interface ParallelHost {
  currentScope(): Scope;
  /** Branches (a prefix of scope paths) have ended; what they left unread belongs to their parent now. */
  branchesEnded(parentPath: string, branches: string): void;
  /** Nobody waits for what these branches bring. */
  branchesLost(branches: string): void;
}

/** The parallel helpers for one process. Each branch is a scope of its own. */
export function makeParallel(host: ParallelHost): Parallel {
  const run = async <T>(
    branches: readonly Branch<T>[],
    options: ParallelOptions = {},
  ): Promise<PromiseSettledResult<T>[]> => {
    const { parent, prefix } = openGroup(host);
    const results: PromiseSettledResult<T>[] = [];
    const limit = lanesOf(options);
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < branches.length) {
        const index = next;
        next += 1;
        results[index] = await settle(startBranch(parent, `${prefix}[${index}]/`, branches[index] as Branch<T>));
      }
    };
    await Promise.all(Array.from({ length: Math.min(limit, branches.length) }, lane));
    host.branchesEnded(parent.path, `${prefix}[`);
    return results;
  };
  const all = async <T>(branches: readonly Branch<T>[], options?: ParallelOptions): Promise<T[]> => {
    const results = await run(branches, options);
    const failure = results.find((result) => result.status === "rejected");
    if (failure !== undefined) throw failure.reason;
    return results.map((result) => (result as PromiseFulfilledResult<T>).value);
  };
  const race = async <T>(branches: readonly Branch<T>[]): Promise<T> => {
    const { parent, prefix } = openGroup(host);
    const first = await Promise.race(
      branches.map(async (branch, index) => {
        const path = `${prefix}[${index}]/`;
        return { path, result: await settle(startBranch(parent, path, branch)) };
      }),
    );
    host.branchesEnded(parent.path, first.path);
    host.branchesLost(`${prefix}[`);
    if (first.result.status === "rejected") throw first.result.reason;
    return first.result.value;
  };
  return {
    // Lists of branches are answered by lists of results, place by place; the compiler cannot see that.
    all: all as Parallel["all"],
    settled: run as Parallel["settled"],
    race: race as Parallel["race"],
    map: (items, fn, options) =>
      all(
        items.map((item, index) => () => fn(item, index)),
        options,
      ),
  };
}

/** Anything that is not a sensible limit means no limit. */
function lanesOf({ concurrency, maxConcurrency }: ParallelOptions): number {
  const wanted = Math.floor(concurrency ?? maxConcurrency ?? Number.POSITIVE_INFINITY);
  return wanted >= 1 ? wanted : Number.POSITIVE_INFINITY;
}

function openGroup(host: ParallelHost): { parent: Scope; prefix: string } {
  const parent = host.currentScope();
  parent.parallels += 1;
  return { parent, prefix: `${parent.path}par${parent.parallels}` };
}

function startBranch<T>(parent: Scope, path: string, branch: Branch<T>): Promise<T> {
  const started =
    typeof branch === "function"
      ? scopes.run(makeScope(parent.world, path), async () => branch())
      : Promise.resolve(branch);
  // A branch that fails while others are still open is looked at later, not unhandled.
  started.catch(() => undefined);
  return started;
}

async function settle<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  try {
    return { status: "fulfilled", value: await promise };
  } catch (reason) {
    return { status: "rejected", reason };
  }
}
