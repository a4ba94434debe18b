/** Signs browsers in and out: a link that works once becomes a token that works for some hours. */
import crypto from "node:crypto";
import path from "node:path";
import { BabysitterError } from "../model/errors.js";
import type { Assertion, PublicKey } from "../model/signed-decision.js";
import { type AccessLog, accessLog } from "./access-log.js";
import { type Device, isCurrent } from "./access-state.js";
import { hashOf, newSecret } from "./secrets.js";
import { removeSignInPages, writeSignInPage } from "./sign-in-pages.js";
import { assertionProblem } from "./verify-assertion.js";

const LINK_MS = 10 * 60_000;
const TOKEN_MS = 12 * 60 * 60_000;
const LONGEST_NAME = 200;

export interface SignIn extends Device {
  token: string;
}

/** Who may use the inbox: one-time links, signed-in browsers and passkeys. */
export class InboxAccess {
  readonly #folder: string;
  readonly #log: AccessLog;
  readonly #now: () => Date;

  /** `home`: what babysitter remembers for this person, as a rule ~/.a5c. */
  constructor({ home, now }: { home: string; now: () => Date }) {
    this.#folder = path.join(home, "inbox");
    this.#log = accessLog(this.#folder);
    this.#now = now;
  }

  /** For the one server of this person: its log begins anew when it has grown long. */
  shorten(): void {
    this.#log.shorten(this.#now());
    this.#tidy();
  }

  /** What a browser shows to be signed in, once. Whoever calls this has seen that a person asks for it. */
  makeLink(by: string): { link: string; expires: string } {
    const now = this.#now();
    const link = newSecret();
    const expires = after(now, LINK_MS);
    this.#log.append({ type: "LINK_MADE", at: now.toISOString(), link: hashOf(link), expires, by });
    this.#tidy();
    return { link, expires };
  }

  /** A file that leads a browser to a link, at `origin`. It goes when the link is used, or with the next one. */
  writePage(link: string, origin: string): string {
    return writeSignInPage(this.#folder, hashOf(link), signInAddress(origin, link));
  }

  signIn(link: string, name: string): SignIn {
    const hash = hashOf(link);
    const made = this.#log.state().links.get(hash);
    const now = this.#now();
    if (made === undefined || !isCurrent(made, now)) throw notSignedIn("This link was used before, or is too old.");
    const device = { device: crypto.randomUUID(), name: name.slice(0, LONGEST_NAME), at: now.toISOString() };
    const token = newSecret();
    const expires = after(now, TOKEN_MS);
    this.#log.append({ type: "SIGNED_IN", ...device, link: hash, token: hashOf(token), expires });
    // Of two that show the same link the one whose entry comes first is signed in.
    if (this.#log.state().devices.get(hashOf(token)) === undefined) throw notSignedIn("This link was used before.");
    this.#tidy();
    return { ...device, expires, token };
  }

  /** The browser that a token was given to, while it counts. A look-up by hash takes no longer for a better guess. */
  deviceOf(token: string): Device | undefined {
    const device = this.#log.state().devices.get(hashOf(token));
    return device !== undefined && isCurrent(device, this.#now()) ? device : undefined;
  }

  signOut(device: string): void {
    this.#log.append({ type: "SIGNED_OUT", at: this.#now().toISOString(), device });
  }

  devices(): Device[] {
    return [...this.#log.state().devices.values()].filter((device) => isCurrent(device, this.#now()));
  }

  /**
   * Takes a key whose holder has just signed the challenge with it. Where there are keys already, one of them has signed
   * that challenge too: whoever has only the session of a browser cannot add a key of their own.
   */
  enrolKey(
    device: string,
    key: PublicKey,
    { challenge, proof, vouch }: { challenge: string; proof: Assertion; vouch?: Assertion | undefined },
  ): void {
    const keys = this.keys();
    if (keys.some(({ credentialId }) => credentialId === key.credentialId))
      throw keyRefused("this key is registered already");
    const problem = assertionProblem(proof, key, challenge);
    if (problem !== undefined) throw keyRefused(`the new key's signature is not valid: ${problem}`);
    const known = keys.find(({ credentialId }) => credentialId === vouch?.credentialId);
    if (keys.length > 0 && (vouch === undefined || known === undefined))
      throw keyRefused("one of your existing keys must confirm it");
    const doubt = vouch === undefined || known === undefined ? undefined : assertionProblem(vouch, known, challenge);
    if (doubt !== undefined) throw keyRefused(`the other key's signature is not valid: ${doubt}`);
    this.addKey(device, key);
  }

  addKey(device: string, key: PublicKey): void {
    this.#log.append({ type: "PASSKEY_ADDED", at: this.#now().toISOString(), device, key });
  }

  /** The last one signs every browser out: before anything is decided without a key, a person has to make a new link. */
  removeKey(device: string, credentialId: string): void {
    this.#log.append({ type: "PASSKEY_REMOVED", at: this.#now().toISOString(), device, credentialId });
  }

  keys(): PublicKey[] {
    return [...this.#log.state().keys.values()];
  }

  /** What still leads to a link that counts no more is of no use to anyone. */
  #tidy(): void {
    const { links } = this.#log.state();
    const now = this.#now();
    const current = [...links].filter(([, link]) => isCurrent(link, now)).map(([hash]) => hash);
    try {
      removeSignInPages(this.#folder, current);
    } catch {
      // The next one to come tries again.
    }
  }
}

/** After the #, so that it is in no log and no request. */
export function signInAddress(origin: string, link: string): string {
  return `${origin}/sign-in#${link}`;
}

function after(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}

function notSignedIn(why: string): BabysitterError {
  return new BabysitterError("SIGN_IN_REFUSED", why, { hint: "Make a new one: babysitter ui" });
}

function keyRefused(why: string): BabysitterError {
  return new BabysitterError("DECISION_NOT_ALLOWED", `The passkey was not added: ${why}.`, {
    hint: "Begin again: a challenge works once, within five minutes.",
  });
}
