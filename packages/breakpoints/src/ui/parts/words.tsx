/** A sentence of our own words, times, and words of others. */
import type { WordPart } from "../model/word-parts.js";
import { Age, Clock } from "./age.js";
import { UserText } from "./user-text.js";

export function Words({ parts }: { parts: readonly WordPart[] }) {
  return (
    <>
      {parts.map((part, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no name but its place
        <Piece key={n} part={part} />
      ))}
    </>
  );
}

function Piece({ part }: { part: WordPart }) {
  if (typeof part === "string") return <>{part}</>;
  if ("ago" in part) return <Age at={part.ago} ago />;
  if ("clock" in part) return <Clock at={part.clock} />;
  return <UserText text={part.said} />;
}
