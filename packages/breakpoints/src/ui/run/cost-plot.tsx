/** What the turns of a loop have cost: each one, and together against the limit. */
import { shownCount, shownUsd } from "@a5c-ai/babysitter-sdk/view";
import { useMemo } from "preact/hooks";
import { exactTime } from "../model/ages.js";
import type { RunData } from "./run-data.js";
import { groupTurns, sumOf, type TurnCost, turnCosts } from "./turn-costs.js";
import "../styles/run-parts.css";

/** The drawing, in units of its own. */
const WIDTH = 600;
const HEIGHT = 120;
const MOST_BARS = 100;

export function CostPlot({ data }: { data: RunData }) {
  const events = data.shownEvents.value;
  const turns = useMemo(() => turnCosts(events), [events]);
  const limit = data.state.value?.loop?.contract.limits.usd ?? 0;
  if (turns.length === 0) return null;
  const usd = turns.at(-1)?.sumUsd;
  const tokens = sumOf(turns, "tokens");
  const unknown = turns.filter((turn) => turn.usd === undefined).length;
  return (
    <section class="cost" aria-label="Cost of the turns">
      <div class="cost-plots">
        <Plot
          title="Cost per turn"
          total={`${usd === undefined ? costWords(turns) : shownUsd(usd)}${limit > 0 ? ` of ${shownUsd(limit)}` : ""}`}
          turns={turns}
          what="usd"
          limit={limit}
        />
        <Plot
          title="Tokens per turn"
          total={tokens === undefined ? "unknown" : shownCount(tokens)}
          turns={turns}
          what="tokens"
          limit={0}
        />
      </div>
      <p class="part-note">
        A bar is one turn{turns.length > MOST_BARS ? ", or several together" : ""}; the line is the sum so far
        {limit > 0 ? ", and the dashed line the limit" : ""}.
      </p>
      {unknown === 0 ? null : (
        <p class="part-note">
          The cost of {unknown} of {turns.length} {turns.length === 1 ? "turn" : "turns"} is unknown, not zero: the host
          did not say which calls were made, or the price of the model is not known.
        </p>
      )}
      <TurnTable turns={turns} />
    </section>
  );
}

function costWords(turns: readonly TurnCost[]): string {
  const known = turns.at(-1)?.knownUsd ?? 0;
  return known > 0 ? `unknown, at least ${shownUsd(known)}` : "unknown";
}

interface PlotProps {
  title: string;
  total: string;
  turns: readonly TurnCost[];
  what: "usd" | "tokens";
  limit: number;
}

function Plot({ title, total, turns, what, limit }: PlotProps) {
  const bars = groupTurns(turns, MOST_BARS);
  const values = bars.map((group) => sumOf(group, what));
  const highest = Math.max(...values.map((value) => value ?? 0), Number.MIN_VALUE);
  const step = WIDTH / Math.max(bars.length, 12);
  return (
    <figure class="cost-plot">
      <figcaption>
        <span>{title}</span> <strong>{total}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map((group, index) => {
          const value = values[index];
          const height = value === undefined ? HEIGHT : Math.max(1, (value / highest) * (HEIGHT - 10));
          return (
            <rect
              key={group[0]?.seq}
              class={value === undefined ? "cost-unknown" : "cost-bar"}
              x={index * step + step * 0.1}
              y={HEIGHT - height}
              width={step * 0.8}
              height={height}
            />
          );
        })}
        {what === "usd" ? <Sum bars={bars} step={step} limit={limit} /> : null}
      </svg>
    </figure>
  );
}

/** The sum so far; the limit is a line that it must not cross. */
function Sum({ bars, step, limit }: { bars: readonly TurnCost[][]; step: number; limit: number }) {
  const sums = bars.map((group) => group.at(-1)?.sumUsd ?? group.at(-1)?.knownUsd ?? 0);
  const highest = Math.max(limit, ...sums, Number.MIN_VALUE);
  const heightOf = (value: number): number => HEIGHT - (value / highest) * (HEIGHT - 4) - 1;
  return (
    <>
      {limit > 0 ? <line class="cost-limit" x1={0} x2={WIDTH} y1={heightOf(limit)} y2={heightOf(limit)} /> : null}
      <polyline
        class="cost-sum"
        points={sums.map((sum, index) => `${(index + 0.5) * step},${heightOf(sum)}`).join(" ")}
      />
    </>
  );
}

/** The same in numbers. */
function TurnTable({ turns }: { turns: readonly TurnCost[] }) {
  return (
    <details class="cost-table">
      <summary>Turn by turn</summary>
      <div class="criteria-scroll" role="region" aria-label="Turn by turn" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Iteration</th>
              <th scope="col">Ended</th>
              <th scope="col">Cost</th>
              <th scope="col">Tokens</th>
              <th scope="col">Sum</th>
            </tr>
          </thead>
          <tbody>
            {turns.map((turn) => (
              <tr key={turn.seq}>
                <td>{turn.iteration}</td>
                <td>{exactTime(turn.at)}</td>
                <td>{turn.usd === undefined ? "unknown" : shownUsd(turn.usd)}</td>
                <td>{turn.tokens === undefined ? "unknown" : shownCount(turn.tokens)}</td>
                <td>
                  {turn.sumUsd === undefined ? `unknown, at least ${shownUsd(turn.knownUsd)}` : shownUsd(turn.sumUsd)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
