/** Whether words that are about to be sent as an approval sound like a rejection. A false alarm costs one click. */

const NO_FIRST =
  /^(?:no+|nope|nah|n|never|stop|halt|wait|abort|cancel|reject(?:ed)?|deny|denied|decline[d]?|refuse[d]?|don['’`´]?t|do\s+not|must\s+not|not|nein|non|нет|いいえ|不)(?![\p{L}\p{N}_-])/u;
const NO_ANYWHERE =
  /(?<![\p{L}\p{N}_-])(?:do\s+not|don['’`´]?t|must\s+not|should\s?n['’`´]?t|should\s+not|cannot\s+approve|can['’`´]?t\s+approve|not\s+(?:ok|okay|yet|approved?|ready|good|like\s+this)|reject|rejected|stop|abort|cancel)(?![\p{L}\p{N}_-])/u;

export function readsLikeNo(text: string): boolean {
  const words = text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
  const bare = words.replace(/^[^\p{L}\p{N}]+/u, "");
  return /^(?:👎|❌|✗|🛑|⛔)/u.test(words) || NO_FIRST.test(bare) || NO_ANYWHERE.test(bare);
}
