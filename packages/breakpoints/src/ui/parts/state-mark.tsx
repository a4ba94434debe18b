/** A state: icon, word and colour, always all three. */
import type { QuestionRow, QuestionState } from "../../wire/inbox-wire.js";
import { stateWords } from "../model/decision-words.js";
import { Icon, type IconName } from "./icons.js";

const ICONS: Record<QuestionState, IconName> = {
  open: "hand",
  approved: "check",
  rejected: "cross",
  failed: "warning",
  abandoned: "none",
};

export function StateIcon({ state }: { state: QuestionState }) {
  return <Icon name={ICONS[state]} />;
}

export function StateChip({ state }: { state: QuestionState }) {
  const { word, tone } = stateWords(state);
  return (
    <span class="chip" data-tone={tone}>
      <StateIcon state={state} />
      {word}
    </span>
  );
}

export function RiskChip({ risk }: { risk: string }) {
  const high = risk === "high";
  return (
    <span class="chip" data-tone={high ? "bad" : "quiet"}>
      {high ? <Icon name="warning" /> : null}
      {risk === "high" || risk === "medium" || risk === "low"
        ? `${risk[0]?.toUpperCase()}${risk.slice(1)} risk`
        : "Risk"}
    </span>
  );
}

/** What its run does meanwhile. */
export function StopsChip({ stops }: Pick<QuestionRow, "stops">) {
  return (
    <span class="chip">
      <Icon name={stops === "run" ? "pause" : "part"} />
      {stops === "run" ? "Run waits" : "Part of the run waits"}
    </span>
  );
}

export function AgentChip() {
  return (
    <span class="chip" title="The run belongs to a session of an agent. Only a person can decide it.">
      <Icon name="agent" />
      Agent's session
    </span>
  );
}
