import { hostDoctors } from "../../hosts/host-parts.js";
import { BabysitterError } from "../../model/errors.js";
import type { Caller } from "../caller.js";
import { hostAbove } from "./host-above.js";

/** A loop in a session whose host calls no hooks would hold nobody, and say so to nobody. Refused only with proof. */
export async function refuseWithoutHooks({ env, places }: Pick<Caller, "env" | "places">, host: string): Promise<void> {
  const doctor = (await hostDoctors()).find((one) => one.host === host);
  const off = doctor?.hooksOff?.({ env, projectRoot: places().projectRoot, hostAbove });
  if (doctor === undefined || off === undefined) return;
  throw new BabysitterError("HOOKS_DISABLED", `This session of ${doctor.title} cannot hold a loop: ${off.what}.`, {
    hint: `${off.fix} To work on a loop without hooks: babysitter run --agent ${host}`,
    details: { harness: host },
  });
}
