/** Who someone is, and what their word is worth, from what they have shown. */
import { BabysitterError } from "../../model/errors.js";
import type { Assertion } from "../../model/signed-decision.js";
import type { DecisionSource } from "../../model/who-may-decide.js";
import type { Chats, ChatTap } from "../../notify/chats.js";
import { userName } from "../decision-source.js";
import type { Desk } from "./desk.js";

/**
 * What someone has shown: nothing but that they can reach this machine, the token of a browser, a passkey as well, or
 * a button that was sent to their chat.
 */
export type Evidence =
  | { kind: "local"; author?: string | undefined }
  | { kind: "session"; token: string }
  | { kind: "passkey"; token: string; assertion: Assertion }
  | { kind: "chat"; tap: ChatTap };

/**
 * A passkey signs one decision: that it was shown says nothing about anything else. A button in a chat is about one
 * `challenge`, and counts for nothing where there is none.
 */
export function sourceOf(
  { access, chats }: Pick<Desk, "access" | "chats">,
  evidence: Evidence,
  challenge?: string,
): { source: DecisionSource; by: string } {
  if (evidence?.kind === "chat") return tappedBy(chats, evidence.tap, challenge);
  if (evidence?.kind === "local") return { source: { via: "web" }, by: evidence.author ?? "someone" };
  const isKnown = evidence?.kind === "session" || evidence?.kind === "passkey";
  if (!isKnown || typeof evidence.token !== "string" || access.deviceOf(evidence.token) === undefined)
    throw new BabysitterError("SIGN_IN_REFUSED", "This browser is not signed in.", {
      hint: "Sign in again: babysitter ui",
    });
  const hasKey = access.keys().length > 0;
  return { source: { via: "web", verified: true, proof: "session", hasKey }, by: userName() };
}

/** A chat has no session: each tap shows anew who it is, and what it is about. */
function tappedBy(chats: Chats, tap: ChatTap, challenge: string | undefined): { source: DecisionSource; by: string } {
  const texts = [tap?.channel, tap?.user, tap?.chat, tap?.button];
  const known = texts.every((text) => typeof text === "string") ? chats.tapped(tap) : undefined;
  if (known === undefined || challenge === undefined || known.challenge !== challenge)
    throw new BabysitterError("SIGN_IN_REFUSED", "This button is too old, or was not sent to this chat.", {
      hint: "Ask for the question again: list",
    });
  return { source: { via: "telegram", verified: true, confirmed: known.second }, by: known.name };
}
