/** Two runs of the server, side by side. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { runSource } from "../api/run-requests.js";
import { compareAddress } from "../model/routes.js";
import { go } from "../parts/address.js";
import { Comparison } from "../run/comparison.js";
import { RunData } from "../run/run-data.js";

export function Compare({ left, right }: { left: string; right: string }) {
  return (
    <div class="page compare">
      <h1 tabIndex={-1}>Compare runs</h1>
      {left === "" || right === "" ? (
        <Choice left={left} right={right} />
      ) : (
        <Two key={`${left}\n${right}`} left={left} right={right} />
      )}
    </div>
  );
}

function Two({ left, right }: { left: string; right: string }) {
  const [ours, theirs] = useMemo(() => [new RunData(runSource(left)), new RunData(runSource(right))] as const, []);
  useEffect(() => {
    const ends = [ours, theirs].map((data) => {
      void data.load();
      return data.source.follow?.(() => void data.load());
    });
    return () => {
      for (const end of ends) end?.();
    };
  }, [ours, theirs]);
  return <Comparison left={ours} right={theirs} />;
}

/** Which two, when the address does not say. */
function Choice(given: { left: string; right: string }) {
  const [left, setLeft] = useState(given.left);
  const [right, setRight] = useState(given.right);
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    if (left.trim() !== "" && right.trim() !== "") go(compareAddress(left.trim(), right.trim()));
  };
  return (
    <form class="compare-choice" onSubmit={onSubmit}>
      <div class="field">
        <label for="compare-left">Id of the one run</label>
        <input id="compare-left" value={left} required onInput={(event) => setLeft(event.currentTarget.value)} />
      </div>
      <div class="field">
        <label for="compare-right">Id of the other</label>
        <input id="compare-right" value={right} required onInput={(event) => setRight(event.currentTarget.value)} />
      </div>
      <button type="submit" class="button" data-kind="primary">
        Compare
      </button>
    </form>
  );
}
