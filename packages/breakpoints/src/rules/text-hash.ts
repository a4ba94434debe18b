const SEEDS: readonly [number, number] = [0xde_ad_be_ef, 0x41_c6_ce_57];
const FACTORS: readonly [number, number] = [2_654_435_761, 1_597_334_677];
const HEX = 16;

/** Tells texts apart that are not made to collide; nothing that has to be safe depends on it. */
export function textHash(text: string): string {
  let [one, two] = SEEDS;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, FACTORS[0]);
    two = Math.imul(two ^ code, FACTORS[1]);
  }
  return [one, two].map((part) => (part >>> 0).toString(HEX).padStart(8, "0")).join("");
}
