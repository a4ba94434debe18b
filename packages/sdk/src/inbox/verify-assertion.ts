/** Verifies what a passkey has signed (WebAuthn level 2, 7.2): for this page, with a person there, about this decision. */
import crypto from "node:crypto";
import { isJsonObject, parseJson } from "../model/json.js";
import type { Assertion, PublicKey } from "../model/signed-decision.js";

/** Hash of the name of the page's host, one byte of flags, a counter. */
const HEADER_BYTES = 37;
const FLAGS_AT = 32;
const PERSON_PRESENT = 0x01;
const PERSON_VERIFIED = 0x04;

/** What is wrong with it; undefined when it proves that the holder of the key has signed the challenge. */
export function assertionProblem(assertion: Assertion, key: PublicKey, challenge: string): string | undefined {
  if (assertion.credentialId !== key.credentialId) return "it belongs to another key";
  const clientData = Buffer.from(assertion.clientDataJSON, "base64url");
  const said = clientProblem(clientData, key.origin, challenge);
  if (said !== undefined) return said;
  const data = Buffer.from(assertion.authenticatorData, "base64url");
  if (data.length < HEADER_BYTES) return "its data is truncated";
  if (!data.subarray(0, FLAGS_AT).equals(sha256(new URL(key.origin).hostname))) return "it is for another host";
  const flags = data[FLAGS_AT] ?? 0;
  if ((flags & PERSON_PRESENT) === 0 || (flags & PERSON_VERIFIED) === 0)
    return "it does not say that a person was present";
  const signed = Buffer.concat([data, sha256(clientData)]);
  return isSignedBy(key, signed, Buffer.from(assertion.signature, "base64url")) ? undefined : "its signature is wrong";
}

function clientProblem(clientData: Buffer, origin: string, challenge: string): string | undefined {
  let said: unknown;
  try {
    said = parseJson(clientData.toString("utf8"));
  } catch {
    return "its client data is not JSON";
  }
  if (!isJsonObject(said) || said["type"] !== "webauthn.get") return "it is not an assertion";
  if (said["challenge"] !== challenge) return "it is about something else";
  if (said["origin"] !== origin) return "it was made for another page";
  return said["crossOrigin"] === true ? "it was made inside another page" : undefined;
}

function isSignedBy({ publicKey }: PublicKey, data: Buffer, signature: Buffer): boolean {
  try {
    const key = crypto.createPublicKey({ key: Buffer.from(publicKey, "base64url"), format: "der", type: "spki" });
    const digest = key.asymmetricKeyType === "ed25519" ? null : "sha256";
    return crypto.verify(digest, data, key, signature);
  } catch {
    return false;
  }
}

function sha256(data: string | Uint8Array): Buffer {
  return crypto.createHash("sha256").update(data).digest();
}
