/** How the code of a process changed at an event. */
import { useEffect, useState } from "preact/hooks";
import { DiffText } from "./diff-text.js";
import { isWhole, storedIn } from "./json-shape.js";
import type { RunData } from "./run-data.js";
import { troubleOf } from "./run-trouble.js";

export function CodeDiff({ seq, data }: { seq: number; data: RunData }) {
  const [text, setText] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    data.source.event(seq).then(
      ({ payload }) => isWanted && setText(diffIn(payload)),
      (error: unknown) => isWanted && setProblem(troubleOf(error).message),
    );
    return () => void (isWanted = false);
  }, [data, seq]);
  if (problem !== undefined) return <p class="quiet small">{problem}</p>;
  if (text === undefined) return <p class="quiet small">Loading changes…</p>;
  return <DiffText text={text} label={`Code change at event ${seq}`} />;
}

function diffIn(payload: unknown): string {
  const stored = storedIn(payload, "diff");
  if (stored === undefined || !isWhole(stored)) return "The diff is in one of the run's files: see Files.";
  return typeof stored.value === "string" ? stored.value : (JSON.stringify(stored.value, null, 2) ?? "");
}
