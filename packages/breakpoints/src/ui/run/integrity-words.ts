/** What the check of a journal found, in a word. Pure. */
import type { IntegrityView } from "../../wire/run-wire.js";
import { counted } from "../model/counted.js";
import type { Standing } from "./run-words.js";

export function integrityWords({ ok, findings }: IntegrityView): Standing {
  const bad = findings.filter(({ harmless }) => !harmless).length;
  if (!ok || bad > 0) return { icon: "warning", tone: "bad", word: `Integrity broken: ${counted(bad, "problem")}` };
  const harmless = findings.length === 0 ? "" : `, ${counted(findings.length, "harmless finding")}`;
  return { icon: "check", tone: "good", word: `Integrity verified${harmless}` };
}

/** Before anything was found. `failed`: the check could not be done; `unasked`: it takes long, so somebody has to want it. */
export const UNCHECKED_WORDS: Readonly<Record<"checking" | "failed" | "unasked", Standing>> = {
  checking: { icon: "part", tone: "quiet", word: "Checking integrity…" },
  failed: { icon: "warning", tone: "needs", word: "Integrity not checked" },
  unasked: { icon: "none", tone: "quiet", word: "Integrity not checked" },
};
