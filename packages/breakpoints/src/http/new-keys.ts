/** Challenges for keys that are about to be added: each for one browser, for a short time, once. */
import { randomBytes } from "node:crypto";

const GOOD_FOR_MS = 5 * 60_000;
const MAX_OPEN = 100;

export class NewKeys {
  readonly #open = new Map<string, { device: string; until: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  challengeFor(device: string): string {
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
    const challenge = randomBytes(32).toString("base64url");
    this.#open.set(challenge, { device, until: this.#now() + GOOD_FOR_MS });
    return challenge;
  }

  /** True once. */
  take(challenge: string, device: string): boolean {
    const known = this.#open.get(challenge);
    if (known?.device !== device) return false;
    this.#open.delete(challenge);
    return this.#now() < known.until;
  }
}
