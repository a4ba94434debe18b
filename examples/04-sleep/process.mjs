/** Tea: a sleep for a while, and a sleep until a given time. */

/** @type {import("@a5c-ai/babysitter-sdk").ProcessFunction<{ drawMs?: number, coolMs?: number }>} */
export default async function tea({ drawMs = 3000, coolMs = 1500 }, ctx) {
  // The run's own time: the same in every replay. `new Date()` gives the same.
  const poured = ctx.now();

  await ctx.sleep(drawMs, { label: "The tea draws" });
  const drawn = ctx.now();

  // The time is computed once and journaled; a restart does not start the wait again.
  const drinkable = new Date(poured.getTime() + drawMs + coolMs);
  await ctx.sleepUntil(drinkable, { label: "It cools" });

  return { drewLongEnough: drawn.getTime() - poured.getTime() >= drawMs, isDrinkable: ctx.now() >= drinkable };
}
