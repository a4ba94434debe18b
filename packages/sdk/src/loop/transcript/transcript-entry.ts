/** Something that was said or done in a session, as people read it. */
export interface TranscriptEntry {
  at?: string;
  /** `tool`: what a tool has answered. */
  who: "agent" | "user" | "tool";
  text: string;
  /** The tool that the agent calls; the text is its input. */
  tool?: string;
  /** The tool has failed, or was not allowed. */
  failed?: true;
  /** The text was longer. */
  cut?: true;
}
