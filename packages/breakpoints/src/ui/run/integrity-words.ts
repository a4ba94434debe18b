/** What the check of a chain found, in a word. Pure. */
import type { IntegrityView } from "../../wire/run-wire.js";
import type { Standing } from "./run-words.js";

export function integrityWords({ ok, events, findings }: IntegrityView): Standing {
  const bad = findings.filter(({ harmless }) => !harmless).length;
  const count = `${events.toLocaleString("en")} ${events === 1 ? "event" : "events"}`;
  if (!ok || bad > 0)
    return { icon: "warning", tone: "bad", word: `Chain broken: ${bad} ${bad === 1 ? "problem" : "problems"}` };
  if (findings.length > 0)
    return { icon: "check", tone: "quiet", word: `Chain checked: ${count}, ${findings.length} harmless` };
  return { icon: "check", tone: "quiet", word: `Chain checked: ${count}` };
}
