/** Passkeys: the browser's own dialogs, and what they give as the server wants it. */
import type { DecisionWords, WireAssertion } from "../../wire/inbox-wire.js";
import { addPasskey, askChallenge, askNewPasskey } from "./inbox-api.js";

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/gu, "+").replace(/_/gu, "/")), (char) => char.codePointAt(0) ?? 0);

function toText(bytes: ArrayBuffer): string {
  const chars = Array.from(new Uint8Array(bytes), (byte) => String.fromCodePoint(byte)).join("");
  return btoa(chars).replace(/\+/gu, "-").replace(/\//gu, "_").replace(/=+$/u, "");
}

/** What a key says about a challenge; throws when the person turns it down. */
async function sign(challenge: string, credentialIds: readonly string[]): Promise<WireAssertion> {
  const credential = await navigator.credentials.get({
    publicKey: {
      challenge: toBytes(challenge),
      rpId: location.hostname,
      userVerification: "required",
      allowCredentials: credentialIds.map((id) => ({ type: "public-key", id: toBytes(id) })),
    },
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("The passkey did not respond.");
  const answer = credential.response as AuthenticatorAssertionResponse;
  return {
    credentialId: toText(credential.rawId),
    clientDataJSON: toText(answer.clientDataJSON),
    authenticatorData: toText(answer.authenticatorData),
    signature: toText(answer.signature),
  };
}

export async function signDecision(questionId: string, words: DecisionWords): Promise<WireAssertion> {
  const { challenge, credentialIds } = await askChallenge(questionId, words);
  return sign(challenge, credentialIds);
}

/** Where keys exist, one of them vouches for the new one. */
export async function createPasskey(name: string): Promise<void> {
  const { challenge, userId, userName, existing } = await askNewPasskey();
  const vouch = existing.length > 0 ? await sign(challenge, existing) : undefined;
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: toBytes(challenge),
      rp: { id: location.hostname, name: "Babysitter" },
      user: { id: toBytes(userId), name: userName, displayName: userName },
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })),
      authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
      excludeCredentials: existing.map((id) => ({ type: "public-key", id: toBytes(id) })),
      attestation: "none",
    },
  });
  if (!(made instanceof PublicKeyCredential)) throw new Error("The browser did not create a passkey.");
  const publicKey = (made.response as AuthenticatorAttestationResponse).getPublicKey();
  if (publicKey === null) throw new Error("This kind of passkey is not supported.");
  const credentialId = toText(made.rawId);
  const proof = await sign(challenge, [credentialId]);
  const body = { name, challenge, credentialId, publicKey: toText(publicKey), proof };
  await addPasskey(vouch === undefined ? body : { ...body, vouch });
}
