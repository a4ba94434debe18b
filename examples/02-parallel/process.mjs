/** Branches: all, map with a limit, race, settled, and how failures among them are handled. */
import { defineTask } from "@a5c-ai/babysitter-sdk";

const carry = defineTask("carry", ({ what }) => ({
  kind: "node",
  title: `Carry the ${what}`,
  node: { entry: "tasks/carry.mjs" },
}));

/** @type {import("@a5c-ai/babysitter-sdk").ProcessFunction} */
export default async function move(_inputs, ctx) {
  const bring = (/** @type {string} */ what, more = {}) => ctx.task(carry, { what, ...more });

  // The results keep list order, whichever finishes first.
  const all = await ctx.parallel.all([
    () => bring("piano", { takesMs: 2_000 }),
    () => bring("lamp"),
    () => bring("cat"),
  ]);

  // One branch per item, at most two at a time: the third starts when one of the first two has ended.
  const mapped = await ctx.parallel.map(["books", "plates", "chairs", "curtains"], (what) => bring(what), {
    concurrency: 2,
  });

  // The first journaled result wins, in this and every later replay. The snail is stopped at the end.
  const first = await ctx.parallel.race([() => bring("snail", { takesMs: 60_000 }), () => bring("letter")]);

  // A failure is thrown after all others have ended, so nothing is left half-carried.
  const broken = await ctx.parallel
    .all([() => bring("vase", { breaks: true }), () => bring("wardrobe", { takesMs: 400 })])
    .catch((error) => error.message);

  // settled never throws; it returns how each branch ended.
  const settled = await ctx.parallel.settled([() => bring("mirror", { breaks: true }), () => bring("rug")]);

  return { all, mapped, first, broken, settled: settled.map(({ status }) => status) };
}
