/** Who someone is, and what their word is worth, from what they have shown. */
import type { InboxAccess } from "../../inbox/inbox-access.js";
import { BabysitterError } from "../../model/errors.js";
import type { Assertion } from "../../model/signed-decision.js";
import type { DecisionSource } from "../../model/who-may-decide.js";
import { userName } from "../decision-source.js";

/** What someone has shown: nothing but that they can reach this machine, the token of a browser, or a passkey as well. */
export type Evidence =
  | { kind: "local"; author?: string | undefined }
  | { kind: "session"; token: string }
  | { kind: "passkey"; token: string; assertion: Assertion };

/** A passkey signs one decision: that it was shown says nothing about anything else. */
export function sourceOf(access: InboxAccess, evidence: Evidence): { source: DecisionSource; by: string } {
  if (evidence?.kind === "local") return { source: { via: "web" }, by: evidence.author ?? "someone" };
  const isKnown = evidence?.kind === "session" || evidence?.kind === "passkey";
  if (!isKnown || typeof evidence.token !== "string" || access.deviceOf(evidence.token) === undefined)
    throw new BabysitterError("SIGN_IN_REFUSED", "This browser is not signed in, or no longer.", {
      hint: "Sign in again: babysitter ui",
    });
  const hasKey = access.keys().length > 0;
  return { source: { via: "web", verified: true, proof: "session", hasKey }, by: userName() };
}
