/** Runs of a report, each with a way to look at it. */
import type { ReportedList, ReportedRow, ReportedRun } from "../../wire/report-wire.js";
import { addressOf, runAddress } from "../model/routes.js";
import { LANE_WORDS } from "../model/run-words.js";
import { Age } from "../parts/age.js";
import { CopyButton } from "../parts/copy-button.js";
import { Icon, type IconName } from "../parts/icons.js";
import { Link } from "../parts/link.js";
import { UserText } from "../parts/user-text.js";

type Kind = ReportedList["kind"];

const HEADS: Record<Kind, { title: string; says?: string; tone: string; icon: IconName }> = {
  you: { title: "Waiting for you", tone: "needs", icon: "hand" },
  stalled: {
    title: LANE_WORDS.stalled.word,
    says: LANE_WORDS.stalled.says,
    tone: LANE_WORDS.stalled.tone,
    icon: LANE_WORDS.stalled.icon,
  },
  other: { title: "In progress", tone: "quiet", icon: "part" },
  verified: { title: "Finished, verified", says: "The engine checked it itself.", tone: "good", icon: "check" },
  proof: { title: "Finished, with proof", says: "The process returned.", tone: "good", icon: "check" },
  claim: {
    title: "Finished, by claim only",
    says: "The agent says so. Nothing has checked it.",
    tone: "needs",
    icon: "agent",
  },
  cancelled: { title: "Cancelled", tone: "quiet", icon: "none" },
};

export function RunRows({ list: { kind, rows, count } }: { list: ReportedList }) {
  const { title, says, tone, icon } = HEADS[kind];
  const more = count - rows.length;
  return (
    <section class="report-part" aria-labelledby={`list-${kind}`}>
      <h2 id={`list-${kind}`} class="mark" data-tone={tone}>
        <Icon name={icon} />
        {title} <span class="quiet">{count}</span>
      </h2>
      {says === undefined ? null : <p class="quiet small">{says}</p>}
      <ul class="report-rows">
        {rows.map((row) => (
          <Row key={`${row.project} ${row.run}`} row={row} />
        ))}
      </ul>
      {more > 0 ? (
        <p class="quiet small">
          And {more} more: <code>babysitter report --all-projects --json</code>
        </p>
      ) : null}
    </section>
  );
}

function Row({ row }: { row: ReportedRow }) {
  const { question, command, text, at, cost } = row;
  return (
    <li class="report-row">
      <div class="report-text">
        {question === undefined ? (
          <UserText text={text} />
        ) : (
          <Link to={addressOf("inbox", { id: question })}>
            <UserText text={text} />
          </Link>
        )}
        <span class="report-facts">
          <RunName name={row} />
          <Age at={at} ago />
          {cost === undefined ? null : <span>{cost}</span>}
        </span>
      </div>
      {question === undefined && command !== undefined ? <CommandLine command={command} /> : null}
    </li>
  );
}

export function RunName({ name: { run, project } }: { name: ReportedRun }) {
  return (
    <span class="report-name quiet small">
      <Link to={runAddress(run)}>
        <UserText text={run} />
      </Link>
      {project === "" ? null : (
        <>
          {" · "}
          <UserText text={project} />
        </>
      )}
    </span>
  );
}

/** What to type in a terminal, in whatever folder that is. */
export function CommandLine({ command }: { command: string }) {
  return (
    <span class="report-command">
      <code>
        <UserText text={command} />
      </code>
      <CopyButton text={command} what="the command" />
    </span>
  );
}
