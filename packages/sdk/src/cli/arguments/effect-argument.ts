import { BabysitterError } from "../../model/errors.js";
import type { Invocation } from "../grammar/invocation.js";

/** `[run] effect`: with one argument it is the effect, of the only open run. */
export function splitRunAndEffect(invocation: Invocation): { run: string | undefined; effect: string } {
  const [first, second] = invocation.positionals;
  if (first === undefined) {
    throw new BabysitterError("USAGE", `${invocation.name}: name the effect.`, {
      hint: "`babysitter task:list --pending` lists the effects that are waiting for a result.",
    });
  }
  return second === undefined ? { run: undefined, effect: first } : { run: first, effect: second };
}
