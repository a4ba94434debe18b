/** For programs that pass a run on to others: what is secret, and texts without it. */
import { isSecretName, SECRET_SHAPES } from "../../model/secrets.js";
import { childEnvironment } from "../../spawn/child-environment.js";
import { maskSecrets } from "../../spawn/secret-mask.js";
import type { Desk } from "./desk.js";

export interface SecretRules {
  /** True for names such as `API_TOKEN`, `signingKey`, `db-password`. */
  isSecretName: (name: string) => boolean;
  /** What services hand out as a secret looks like this. */
  shapes: readonly RegExp[];
  /** A text without these values, in whatever way they are written in it: as JSON, in a URL, as base64 or in hex. */
  maskSecrets: (text: string, values: readonly string[]) => string;
  /** What is secret in an environment, and what these variables of it hold. */
  secretsIn: (env: Desk["env"], names: readonly string[]) => string[];
}

/** The rules by which secrets are found and masked. */
export const secretRules: SecretRules = {
  isSecretName,
  shapes: SECRET_SHAPES,
  maskSecrets,
  secretsIn: (env, names) => childEnvironment(env, {}, names).secrets,
};
