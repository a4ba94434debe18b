/** Tea: a sleep for a while, and a sleep until a moment. */

export async function process({ drawMs = 3000, coolMs = 1500 }, ctx) {
  // The run's own time: the same in every replay. `new Date()` gives the same.
  const poured = ctx.now();

  await ctx.sleep(drawMs, { label: "The tea draws" });
  const drawn = ctx.now();

  // The moment is worked out once and journaled; a restart does not begin to wait anew.
  const drinkable = new Date(poured.getTime() + drawMs + coolMs);
  await ctx.sleepUntil(drinkable, { label: "It cools" });

  return { drewLongEnough: drawn - poured >= drawMs, isDrinkable: ctx.now() >= drinkable };
}
