/** What agents have said and done, as pages show it. */
import type { RunFiles } from "@a5c-ai/babysitter-sdk/operate";
import type { TranscriptLine } from "../wire/run-wire.js";

type Entry = ReturnType<RunFiles["readTranscript"]>["entries"][number];

const WHO = { user: "person", agent: "agent", tool: "tool" } as const;

export function transcriptLine({ who, at, tool, text, cut }: Entry): TranscriptLine {
  return { who: WHO[who], at: at ?? null, name: tool ?? null, text, cut: cut === true };
}
