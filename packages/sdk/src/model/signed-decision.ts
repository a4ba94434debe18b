/** A decision that the holder of a passkey has signed, kept with it so that anyone can verify it later. */

/** A key whose owner has shown that they hold it; only its public part is known. */
export interface PublicKey {
  credentialId: string;
  /** SubjectPublicKeyInfo, base64url. */
  publicKey: string;
  /** The page that it was made for, port included: what it signs elsewhere does not count. */
  origin: string;
  name: string;
}

/** What a passkey has signed, in base64url, as browsers hand it out. */
export interface Assertion {
  credentialId: string;
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
}

export interface SignedDecision {
  assertion: Assertion;
  key: PublicKey;
}
