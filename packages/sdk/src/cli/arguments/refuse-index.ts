import { BabysitterError } from "../../model/errors.js";
import { LAST_RUN } from "../../model/short-names.js";
import type { Invocation } from "../grammar/invocation.js";

/** Between looking at a list and ending a run for good, another run can take its place in the list. */
export function refuseIndex({ name }: Invocation, named: string | undefined): string | undefined {
  if (named?.startsWith("@") !== true || named === LAST_RUN) return named;
  throw new BabysitterError(
    "USAGE",
    `${name}: ${named} is a position in a list and may refer to a different run by now.`,
    {
      hint: "Use the run's ID, or a unique beginning or end of it.",
    },
  );
}
