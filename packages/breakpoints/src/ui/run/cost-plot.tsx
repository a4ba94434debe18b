/** What the turns of a loop have cost: together against the limit, and each one. */
import { shownCount, shownUsd } from "@a5c-ai/babysitter-sdk/view";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { exactTime } from "../model/ages.js";
import type { RunData } from "./run-data.js";
import { groupTurns, sumLine, sumOf, type TurnCost, turnCosts } from "./turn-costs.js";
import "../styles/run-parts.css";

const MOST_BARS = 100;
/** Few turns do not fill the width: a bar is no block. */
const LEAST_SLOTS = 12;

export function CostPlot({ data }: { data: RunData }) {
  const events = data.shownEvents.value;
  const turns = useMemo(() => turnCosts(events), [events]);
  const limit = data.state.value?.loop?.contract.limits.usd ?? 0;
  if (turns.length === 0) return null;
  const bars = groupTurns(turns, MOST_BARS);
  const usd = turns.at(-1)?.sumUsd;
  const tokens = sumOf(turns, "tokens");
  const unknown = turns.filter((turn) => turn.usd === undefined).length;
  return (
    <section class="cost" aria-label="Cost of the turns">
      <div class="cost-plots">
        <Plot
          title="Cost so far"
          total={`${usd === undefined ? costWords(turns) : shownUsd(usd)}${limit > 0 ? ` of ${shownUsd(limit)}` : ""}`}
        >
          <Sum bars={bars} limit={limit} />
        </Plot>
        <Plot title="Cost per turn">
          <Bars bars={bars} what="usd" shown={shownUsd} />
        </Plot>
        <Plot title="Tokens per turn" total={tokens === undefined ? "unknown" : `${shownCount(tokens)} in total`}>
          <Bars bars={bars} what="tokens" shown={shownCount} />
        </Plot>
      </div>
      <p class="part-note">
        Each bar is one turn{bars.length < turns.length ? ", or several turns" : ""}.
        {limit > 0 ? " The red line is the limit." : ""}
      </p>
      {unknown === 0 ? null : (
        <p class="part-note">
          The cost of {unknown} of {turns.length} {turns.length === 1 ? "turn" : "turns"} is unknown, not zero: the host
          did not report its calls, or the model's price is unknown. Those turns are hatched, and the line is dashed
          from the first one on.
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

function Plot({ title, total = "", children }: { title: string; total?: string; children: ComponentChildren }) {
  return (
    <figure class="cost-plot">
      <figcaption>
        <span>{title}</span> <strong>{total}</strong>
      </figcaption>
      {children}
    </figure>
  );
}

interface BarsProps {
  bars: readonly TurnCost[][];
  what: "usd" | "tokens";
  shown: (value: number) => string;
}

/** On a scale of their own: the highest one, which says its value, has all the room. */
function Bars({ bars, what, shown }: BarsProps) {
  const values = bars.map((group) => sumOf(group, what));
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  const peak = values.indexOf(highest);
  const slots = Math.max(bars.length, LEAST_SLOTS);
  return (
    <div class="cost-drawing" aria-hidden="true" style={{ gridTemplateColumns: `repeat(${slots}, 1fr)` }}>
      {bars.map((group, index) => {
        const value = values[index];
        return (
          <span
            key={group[0]?.seq}
            class="cost-bar"
            data-unknown={value === undefined ? "" : undefined}
            style={value === undefined || highest === 0 ? {} : { height: `${(value / highest) * 100}%` }}
          >
            {index === peak && highest > 0 ? (
              <span class="cost-peak" data-late={index >= slots / 2 ? "" : undefined}>
                {shown(highest)}
              </span>
            ) : null}
          </span>
        );
      })}
    </div>
  );
}

/** The sum after each turn; the limit is a line that it must not cross. */
function Sum({ bars, limit }: { bars: readonly TurnCost[][]; limit: number }) {
  const { sums, known } = sumLine(bars);
  const highest = Math.max(limit, ...sums, Number.MIN_VALUE);
  const heightOf = (value: number): number => 98 - (value / highest) * 96;
  const step = 100 / Math.max(bars.length, LEAST_SLOTS);
  const points = sums.map((sum, index) => `${index * step},${heightOf(sum)}`);
  return (
    <svg class="cost-drawing" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {limit > 0 ? <line class="cost-limit" x1={0} x2={100} y1={heightOf(limit)} y2={heightOf(limit)} /> : null}
      <polyline class="cost-sum" points={points.slice(0, known).join(" ")} />
      <polyline class="cost-sum" data-unknown="" points={points.slice(known - 1).join(" ")} />
    </svg>
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
              <th scope="col">Total</th>
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
