import { setTimeout as pause } from "node:timers/promises";

export default async function carry({ what, takesMs = 50, breaks = false }) {
  console.log(`the ${what} is on its way`);
  await pause(takesMs);
  if (breaks) throw new Error(`The ${what} broke.`);
  return what;
}
