/** Verifies the decisions of a run that were signed by a passkey: the journal itself says what was signed, and by which key. */
import { assertionProblem } from "../inbox/verify-assertion.js";
import { eventFile } from "../journal/rules/chain.js";
import type { EffectResolved } from "../model/events.js";
import { isJsonObject, type Json } from "../model/json.js";
import type { Assertion, PublicKey, SignedDecision } from "../model/signed-decision.js";
import type { JournalFinding } from "../model/upkeep.js";
import { decisionChallenge } from "../runs/decision-challenge.js";
import { recordedOutcome } from "../runs/post-result.js";
import type { RunJournal } from "../runs/run-journal.js";

export interface SignedDecisions {
  /** How many there are. */
  signed: number;
  /** Those whose signature does not fit. */
  findings: JournalFinding[];
}

export async function checkSignedDecisions(journal: RunJournal): Promise<SignedDecisions> {
  const findings: JournalFinding[] = [];
  let signed = 0;
  for (const event of (await journal.ports.store.read(journal.runId, undefined)) ?? []) {
    if (event.type !== "EFFECT_RESOLVED") continue;
    const claim = signedIn(event.payload);
    if (claim === undefined) continue;
    signed += 1;
    const { value = null } = await recordedOutcome(journal, event);
    const shown = isJsonObject(value) && typeof value["shown"] === "string" ? value["shown"] : undefined;
    const { effectId, payload } = event;
    const asked = { effectId, attempt: payload.attempt, since: journal.summary.created.at };
    const challenge = decisionChallenge(asked, shown, value);
    const problem = claim === "damaged" ? "it is damaged" : assertionProblem(claim.assertion, claim.key, challenge);
    if (problem !== undefined)
      findings.push({
        file: eventFile(event),
        problem: `the passkey's signature does not prove this decision: ${problem}`,
        // The signature is about the question of the run that this one was made from.
        harmless: journal.summary.created.forkedFrom !== undefined,
      });
  }
  return { signed, findings };
}

function signedIn({ metadata }: EffectResolved): SignedDecision | "damaged" | undefined {
  const signed = isJsonObject(metadata) ? metadata["signed"] : undefined;
  if (signed === undefined) return undefined;
  if (!isJsonObject(signed)) return "damaged";
  const { assertion, key } = signed;
  return isAssertion(assertion) && isKey(key) ? { assertion, key } : "damaged";
}

function isAssertion(value: Json | undefined): value is Assertion & Json {
  return hasTexts(value, ["credentialId", "clientDataJSON", "authenticatorData", "signature"]);
}

function isKey(value: Json | undefined): value is PublicKey & Json {
  return hasTexts(value, ["credentialId", "publicKey", "origin", "name"]);
}

function hasTexts(value: Json | undefined, names: readonly string[]): boolean {
  return isJsonObject(value) && names.every((name) => typeof value[name] === "string");
}
