/** A value of an event; a long one is asked for when somebody wants to see it. */
import { useState } from "preact/hooks";
import { sizeOf } from "../files/file-views.js";
import type { RunSource } from "../model/run-source.js";
import { Problem } from "../parts/problem.js";
import { isWhole, type Stored, storedIn } from "./json-shape.js";
import { JsonTree } from "./json-tree.js";
import { troubleOf } from "./run-trouble.js";

interface StoredValueProps {
  source: RunSource;
  seq: number;
  field: string;
  what: string;
  stored: Stored;
}

export function StoredValue({ source, seq, field, what, stored }: StoredValueProps) {
  const [whole, setWhole] = useState<Stored | undefined>(undefined);
  const [problem, setProblem] = useState<unknown>(undefined);
  const value = whole ?? stored;
  if (isWhole(value)) return <JsonTree value={value.value} what={what} />;
  const load = async (): Promise<void> => {
    try {
      const { payload } = await source.event(seq);
      setWhole(storedIn(payload, field) ?? stored);
      setProblem(undefined);
    } catch (error) {
      setProblem(error);
    }
  };
  const bytes = value.bytes ?? 0;
  if (whole !== undefined)
    return <p class="quiet small">Too long for the journal: {sizeOf(bytes)}, in a separate file.</p>;
  return (
    <>
      {problem === undefined ? null : <Problem message={troubleOf(problem).message} />}
      <button type="button" class="button" onClick={() => void load()}>
        Show {sizeOf(bytes)}
      </button>
    </>
  );
}
