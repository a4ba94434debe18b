/** A night shift: two hundred tasks at once, a break in between, and hooks at both ends. */
import { defineTask } from "@a5c-ai/babysitter-sdk";

const weigh = defineTask("weigh", ({ parcel }) => ({
  kind: "shell",
  title: `Weigh parcel ${parcel}`,
  // Values go in by the environment, never into the command line.
  shell: { command: "echo $((PARCEL % 9 + 1))", env: { PARCEL: parcel } },
}));

/** @type {import("@a5c-ai/babysitter-sdk").ProcessFunction<{ parcels?: number, breakMs?: number }>} */
export default async function nightShift({ parcels = 200, breakMs = 3000 }, ctx) {
  // Called once, however often the run is interrupted and resumed.
  await ctx.hook("shift-begins", { parcels });

  // All are requested together; the driver runs as many at a time as --concurrency says.
  const numbers = Array.from({ length: parcels }, (_, index) => index + 1);
  const results = await ctx.parallel.map(numbers, (parcel) => ctx.task(weigh, { parcel }));
  const total = results.reduce((sum, { stdout }) => sum + Number(stdout), 0);

  await ctx.sleep(breakMs, { label: "Tea" });

  const { output } = await ctx.hook("shift-ends", { parcels, total }, { throwOnFailure: true });
  return { parcels, total, signature: output };
}
