/** A run: where it stands, how it got there, and what it has left behind. */
import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { RunPart } from "../model/routes.js";
import { isWide } from "../parts/page-width.js";
import { UserText } from "../parts/user-text.js";
import { ChangeNotes } from "./change-notes.js";
import { type Failing, failingStep, toldFailure } from "./failing-step.js";
import { NoRun, RunTrouble } from "./no-run.js";
import { RedFirst } from "./red-first.js";
import { RunButtons } from "./run-buttons.js";
import type { RunData } from "./run-data.js";
import { RunHead } from "./run-head.js";
import { type Address, type Go, RunMoves } from "./run-place.js";
import { RunTabs } from "./run-tabs.js";
import { RunNext, RunQuestions, RunWhy } from "./run-why.js";
import { TravelBanner, TravelBar } from "./travel.js";
import { useRunClock } from "./use-run-clock.js";
import { useRunKeys } from "./use-run-keys.js";
import "../styles/run.css";

export interface RunPageProps {
  /** By which its page calls it. */
  id: string;
  data: RunData;
  part: RunPart;
  /** Shows another part, the run after another event, or another event chosen. */
  onGo: Go;
  /** Where a place of the run is found; missing where the page stands in a file, and nothing leads anywhere. */
  address?: Address;
  /** How old this is, where that has to be said. */
  lastUpdate?: ComponentChildren;
  /** Nothing can be changed just now. */
  isOffline?: boolean;
}

export function RunPage({ id, data, part, onGo, address, lastUpdate, isOffline = false }: RunPageProps) {
  const moves = useMemo(() => new RunMoves(data, onGo), [data]);
  moves.onGo = onGo;
  useEffect(() => () => moves.stop(), [moves]);
  useRunClock(data);
  useRunKeys(data, moves);
  const failing = useComputed(() => failureIn(data));
  const detail = data.detail.value;
  if (detail === undefined) return <NotThere id={id} data={data} />;
  const why = <RunWhy data={data} run={detail} isSaid={failing.value !== undefined} />;
  const next = <RunNext data={data} run={detail} />;
  const travel = <TravelBar data={data} moves={moves} />;
  // On a phone all this would push what was asked for out of sight.
  const isFolded = part !== "steps" && !isWide.value;
  return (
    <div class="page run" data-travelling={data.at.value === undefined ? undefined : "true"}>
      <RunTrouble data={data} />
      <TravelBanner data={data} moves={moves} />
      <RunHead data={data} run={detail} address={address} lastUpdate={lastUpdate} />
      <RedFirst data={data} failing={failing.value} moves={moves} isBrief={part !== "steps"} />
      {isFolded ? null : why}
      {address === undefined ? null : <RunQuestions data={data} run={detail} />}
      <RunButtons
        data={data}
        run={detail}
        hasFailed={failing.value !== undefined}
        isOffline={isOffline}
        address={address}
      />
      {isFolded ? null : next}
      <ChangeNotes data={data} />
      {isFolded ? (
        <details>
          <summary>More about this run</summary>
          <div class="run-more">
            {why}
            {next}
            {travel}
          </div>
        </details>
      ) : (
        travel
      )}
      <RunTabs data={data} part={part} moves={moves} />
    </div>
  );
}

function failureIn({ shownEvents, detail, at, titles }: RunData): Failing | undefined {
  const [events, run] = [shownEvents.value, detail.value];
  const told = run === undefined || at.value !== undefined ? undefined : toldFailure(run, events);
  return told ?? failingStep(events, titles.value);
}

function NotThere({ id, data }: Pick<RunPageProps, "id" | "data">) {
  const problem = data.problem.value;
  if (problem === undefined) return <Loading id={id} />;
  return <NoRun id={id} problem={problem} onRetry={() => void data.load()} />;
}

/** In the shape of what comes: head, what to do, names of the parts, rows. */
function Loading({ id }: { id: string }) {
  return (
    <div class="page run" aria-busy="true">
      <h1>
        <UserText text={id} />
      </h1>
      <span class="skeleton" data-width="short" />
      <span class="skeleton" data-height="card" />
      <span class="skeleton" data-width="long" />
      {[1, 2, 3].map((row) => (
        <span key={row} class="skeleton" data-height="card" />
      ))}
    </div>
  );
}
