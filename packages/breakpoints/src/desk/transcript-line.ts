/** What an agent has said or done, as pages show it. */
import type { RunFiles } from "@a5c-ai/babysitter-sdk/operate";
import type { TranscriptLine } from "../wire/run-wire.js";

type Entry = ReturnType<RunFiles["readTranscript"]>["entries"][number];

/** Nobody reads more of it on a page. */
const LONGEST = 20_000;

export function transcriptLine({ who, at, tool, text, cut, failed }: Entry): TranscriptLine {
  const isLong = text.length > LONGEST;
  return {
    who: who === "user" ? "prompt" : who,
    at: at ?? null,
    name: tool ?? null,
    // Not within a character.
    text: isLong ? text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/u, "") : text,
    cut: cut === true || isLong,
    ...(failed === undefined ? {} : { failed }),
  };
}
