/** A value of two runs as JSON, line by line; of one run alone, as it is. */
import type { FilePage } from "../../wire/inbox-wire.js";
import { FileReview } from "../files/file-review.js";
import { UserText } from "../parts/user-text.js";
import type { ShownValue } from "./compare-runs.js";
import type { RunNames } from "./compare-words.js";
import { NO_COMMENTS } from "./open-file.js";

interface ValueDifferenceProps {
  what: "input" | "result" | "output";
  left: ShownValue;
  right: ShownValue;
  names: RunNames;
}

export function ValueDifference({ what, left, right, names }: ValueDifferenceProps) {
  if (left === null || right === null) return <p class="part-note">The {what} is too large to compare here.</p>;
  if (left === right) return null;
  const isBoth = left !== undefined && right !== undefined;
  return (
    <>
      {isBoth ? null : (
        <p class="part-note">
          Only <UserText text={left === undefined ? names.right : names.left} /> has {ARTICLES[what]} {what}.
        </p>
      )}
      <FileReview
        {...NO_COMMENTS}
        questionId={`${names.left}\n${names.right}\n${left}\n${right}`}
        file={{ n: 0, path: `${what}.json`, comparisons: isBoth ? [{ side: "base", label: names.left }] : [] }}
        loadPage={(_n, side) => pageOf((side === "file" ? right : undefined) ?? left ?? "")}
      />
    </>
  );
}

const ARTICLES = { input: "an", result: "a", output: "an" };

function pageOf(text: string): Promise<FilePage> {
  return Promise.resolve({ text, from: 0, next: null, bytes: new TextEncoder().encode(text).length });
}
