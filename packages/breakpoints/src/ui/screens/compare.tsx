/** Two runs of the server, side by side. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { RunRow } from "../../wire/run-wire.js";
import { listRuns, runSource } from "../api/run-requests.js";
import { compareAddress } from "../model/routes.js";
import { go } from "../parts/address.js";
import { Link } from "../parts/link.js";
import { UserText } from "../parts/user-text.js";
import { Comparison } from "../run/comparison.js";
import { RunData } from "../run/run-data.js";
import { isGone, troubleOf } from "../run/run-trouble.js";
import { visibleText } from "../text/visible.js";
import { LastUpdate } from "./last-update.js";

interface Ids {
  left: string;
  right: string;
}

export function Compare({ left, right }: Ids) {
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

function Two({ left, right }: Ids) {
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
  const [missing, alsoMissing] = [whyGone(ours), whyGone(theirs)];
  if (missing === undefined && alsoMissing === undefined)
    return (
      <>
        <LastUpdate of={[ours, theirs]} />
        <Comparison left={ours} right={theirs} />
      </>
    );
  return <Choice left={left} right={right} problems={{ left: missing, right: alsoMissing }} />;
}

function whyGone({ problem }: RunData): string | undefined {
  if (problem.value === undefined) return undefined;
  const trouble = troubleOf(problem.value);
  return isGone(trouble) ? trouble.message : undefined;
}

interface ChoiceProps extends Ids {
  /** Why there is no such run. */
  problems?: Record<keyof Ids, string | undefined>;
}

/** Which two, when the address does not say, or names one that is not there. */
function Choice({ problems, ...given }: ChoiceProps) {
  const [ids, setIds] = useState<Ids>(given);
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    const [left, right] = [ids.left.trim(), ids.right.trim()];
    if (left !== "" && right !== "") go(compareAddress(left, right));
  };
  return (
    <form class="compare-choice" onSubmit={onSubmit}>
      <p class="part-note">Under Runs, select two runs of one process, or enter their IDs here.</p>
      <RunField label="First run" id={ids.left} onId={(left) => setIds({ ...ids, left })} problem={problems?.left} />
      <RunField
        label="Second run"
        id={ids.right}
        onId={(right) => setIds({ ...ids, right })}
        problem={problems?.right}
      />
      <RecentRuns />
      <div class="compare-buttons">
        <button type="submit" class="button" data-kind="primary">
          Compare
        </button>
        <Link class="button" to="/runs">
          All runs
        </Link>
      </div>
    </form>
  );
}

interface RunFieldProps {
  label: string;
  id: string;
  onId: (id: string) => void;
  problem: string | undefined;
}

const RECENT = "compare-recent";

function RunField({ label, id, onId, problem }: RunFieldProps) {
  const name = label.replace(" ", "-").toLowerCase();
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        list={RECENT}
        value={id}
        required
        autocomplete="off"
        spellcheck={false}
        placeholder="Run ID"
        aria-invalid={problem === undefined ? undefined : "true"}
        aria-describedby={problem === undefined ? undefined : `${name}-problem`}
        onInput={(event) => onId(event.currentTarget.value)}
      />
      {problem === undefined ? null : (
        <span id={`${name}-problem`} class="field-problem" role="alert">
          <UserText text={problem} />
        </span>
      )}
    </div>
  );
}

const MOST_RECENT = 50;

/** Ids that are offered while somebody types. */
function RecentRuns() {
  const [runs, setRuns] = useState<readonly RunRow[]>([]);
  useEffect(() => {
    // Without them the fields take any id.
    listRuns({ limit: MOST_RECENT }).then(
      (list) => setRuns(list.runs),
      () => undefined,
    );
  }, []);
  return (
    <datalist id={RECENT}>
      {runs.slice(0, MOST_RECENT).map(({ id, title, process }) => (
        <option key={id} value={id} label={visibleText(title ?? process)} />
      ))}
    </datalist>
  );
}
