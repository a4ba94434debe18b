/** What a passkey signs: this decision, with these words, about what was shown. */
import { sha256 } from "../journal/rules/chain.js";
import { canonicalJson, isJsonObject, type Json } from "../model/json.js";

/** The fields of a recorded answer that say what was decided, as against when and by which way. */
const SIGNED = ["approved", "option", "response", "feedback"];

/** Which question it is, of all that ever had its id. */
export interface AskedOnce {
  effectId: string;
  /** A question that is asked again is another one, although nothing else about it may differ. */
  attempt: number;
  /** When its run was created: the name of a run that was deleted can be given to a new one. */
  since: string;
}

export function decisionChallenge(asked: AskedOnce, shown: string | undefined, answer: Json): string {
  const fields = isJsonObject(answer) ? answer : {};
  const words = Object.fromEntries(SIGNED.map((name) => [name, fields[name] ?? null]));
  const { effectId, attempt, since } = asked;
  const subject = { effectId, attempt, since, shown: shown ?? null, ...words };
  return Buffer.from(sha256(canonicalJson(subject, "The decision")), "hex").toString("base64url");
}
