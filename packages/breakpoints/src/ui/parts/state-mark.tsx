/** A state: icon, word and colour, always all three. */
import type { QuestionRow, QuestionState } from "../../wire/inbox-wire.js";
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

const STOPS = {
  run: { icon: "pause", word: "Run is waiting", title: "Nothing else happens in this run until you decide." },
  part: { icon: "part", word: "Other work continues", title: "Only part of this run is waiting for you." },
} as const;

/** That somebody has to decide, and what its run does meanwhile. */
export function StopsChip({ stops }: Pick<QuestionRow, "stops">) {
  const { icon, word, title } = STOPS[stops];
  return (
    <span class="chip" data-tone="needs" title={title}>
      <Icon name={icon} />
      {word}
    </span>
  );
}

/** The same in a row, where it nearly always is the same: only the icon is seen. */
export function StopsIcon({ stops }: Pick<QuestionRow, "stops">) {
  const { icon, word, title } = STOPS[stops];
  return (
    <span class="row-icon" title={`${word}. ${title}`}>
      <Icon name={icon} />
    </span>
  );
}

/** Its word, for those who do not see the icon. */
export function StopsWord({ stops }: Pick<QuestionRow, "stops">) {
  return <span class="unseen">{STOPS[stops].word}</span>;
}

export function AgentChip() {
  return (
    <span class="chip" title="This run belongs to an agent's session. Only a person can decide here.">
      <Icon name="agent" />
      From an agent's session
    </span>
  );
}
