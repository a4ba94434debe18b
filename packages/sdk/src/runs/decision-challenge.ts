/** What a passkey signs: this decision, with these words, about what was shown. */
import { sha256 } from "../journal/rules/chain.js";
import { canonicalJson, isJsonObject, type Json } from "../model/json.js";

/** The fields of a recorded answer that say what was decided, as against when and by which way. */
const SIGNED = ["approved", "option", "response", "feedback"];

export function decisionChallenge(effectId: string, shown: string | undefined, answer: Json): string {
  const fields = isJsonObject(answer) ? answer : {};
  const words = Object.fromEntries(SIGNED.map((name) => [name, fields[name] ?? null]));
  const subject = { effectId, shown: shown ?? null, ...words };
  return Buffer.from(sha256(canonicalJson(subject, "The decision")), "hex").toString("base64url");
}
