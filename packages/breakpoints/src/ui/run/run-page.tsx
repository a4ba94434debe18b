/** A run: where it stands, how it got there, and what it has left behind. */
import { useComputed } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { RunPart } from "../model/routes.js";
import { ChangeNotes } from "./change-notes.js";
import { failingStep } from "./failing-step.js";
import { NoRun, RunTrouble } from "./no-run.js";
import { RedFirst } from "./red-first.js";
import { RunButtons } from "./run-buttons.js";
import type { RunData } from "./run-data.js";
import { RunHead } from "./run-head.js";
import { type Address, type Go, RunMoves } from "./run-place.js";
import { RunTabs } from "./run-tabs.js";
import { hasButton, RunNext, RunWhy } from "./run-why.js";
import { TravelBanner, TravelBar } from "./travel.js";
import { useRunClock } from "./use-run-clock.js";
import { useRunKeys } from "./use-run-keys.js";
import "../styles/run.css";

export interface RunPageProps {
  data: RunData;
  part: RunPart;
  /** Shows another part, the run after another event, or another event chosen. */
  onGo: Go;
  /** Where a place of the run is found; missing where the page stands in a file, and nothing leads anywhere. */
  address?: Address;
}

export function RunPage({ data, part, onGo, address }: RunPageProps) {
  const moves = useMemo(() => new RunMoves(data, onGo), [data]);
  moves.onGo = onGo;
  useEffect(() => () => moves.stop(), [moves]);
  useRunClock(data);
  useRunKeys(data, moves);
  const failing = useComputed(() => failingStep(data.shownEvents.value, data.titles.value));
  const detail = data.detail.value;
  const problem = data.problem.value;
  if (detail === undefined)
    return problem === undefined ? <Loading /> : <NoRun problem={problem} onRetry={() => void data.load()} />;
  return (
    <div class="page run" data-travelling={data.at.value === undefined ? undefined : "true"}>
      <RunTrouble data={data} />
      <TravelBanner data={data} moves={moves} />
      <RunHead data={data} run={detail} address={address} />
      <RedFirst data={data} failing={failing.value} moves={moves} isBrief={part !== "steps"} />
      <RunWhy data={data} run={detail} failing={failing.value} address={address} />
      {hasButton(data, detail) ? null : <RunNext data={data} run={detail} />}
      <RunButtons data={data} run={detail} hasFailed={failing.value !== undefined} address={address} />
      {hasButton(data, detail) ? <RunNext data={data} run={detail} /> : null}
      <ChangeNotes data={data} />
      <TravelBar data={data} moves={moves} />
      <RunTabs data={data} part={part} moves={moves} />
    </div>
  );
}

function Loading() {
  return (
    <div class="page run" aria-busy="true">
      <h1>Run</h1>
      <span class="skeleton" data-width="short" />
      <span class="skeleton" data-height="card" />
    </div>
  );
}
