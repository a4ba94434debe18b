/** What the doctor says of the ways by which this person is told of questions. */
import { type Finding, ok, warning } from "../../hosts/finding.js";
import { shownTime } from "../../model/shown-amounts.js";
import { channelTitle } from "../../notify/channel-kinds.js";
import type { ChannelDescription } from "../../notify/describe-channels.js";
import type { ChannelFacts } from "../desk/inspect-channels.js";
import type { InboxFacts } from "../inbox/describe-inbox.js";

const CHECK = "notifications";

export function findingsOfChannels(facts: ChannelFacts | undefined, inbox: InboxFacts | undefined): Finding[] {
  if (facts === undefined) return [];
  if ("problem" in facts)
    return [warning(CHECK, facts.problem, facts.hint ?? "Fix the file; until then, nobody is notified.")];
  const { channels, isSending } = facts;
  const wrong = channels.flatMap(findingsOfChannel);
  const names = channels.map(({ name }) => channelTitle(name)).join(", ");
  const waiting = channels.reduce((sum, channel) => sum + channel.waiting, 0);
  // A question starts the inbox, which sends it.
  const isAsleep = !isSending && inbox?.onDemand === true && inbox.running === undefined && waiting === 0;
  if (!isSending && !isAsleep) return [nobodySends(names, waiting, inbox), ...wrong];
  const note = isAsleep ? "; the inbox is not running, but a question starts it" : "";
  return wrong.length > 0 ? wrong : [ok(CHECK, `${names}${note}; to try: babysitter notify:test`)];
}

function nobodySends(names: string, waiting: number, inbox: InboxFacts | undefined): Finding {
  const queue = waiting === 0 ? "" : `; ${waiting} in the queue`;
  if (inbox?.running !== undefined)
    return warning(
      CHECK,
      `nothing is sent by ${names}: the inbox is running without a worker${queue}`,
      "babysitter-breakpoints worker",
    );
  const fix = inbox?.onDemand === true ? "babysitter ui" : "babysitter ui, and once: babysitter ui --enable";
  return warning(CHECK, `nothing is sent by ${names}: the inbox is not running${queue}`, fix);
}

function findingsOfChannel({ name, problem, bound, failed }: ChannelDescription): Finding[] {
  const title = channelTitle(name);
  const [last] = failed;
  return [
    ...(bound === null
      ? [
          warning(
            CHECK,
            `${title} does not know your chat yet, so it sends nothing`,
            `babysitter extension link ${name}`,
          ),
        ]
      : []),
    ...(problem === undefined
      ? []
      : [
          warning(
            CHECK,
            `${title} has not worked since ${shownTime(problem.since)}: ${problem.reason}`,
            `Fix the cause, then: babysitter notify:test ${name}`,
          ),
        ]),
    ...(last === undefined
      ? []
      : [
          warning(
            CHECK,
            `${title} gave up on ${failed.length === 1 ? "one message" : `${failed.length} messages`}; the latest at ${shownTime(last.at)}, about ${last.about}: ${last.why}`,
            `babysitter extension list, then: babysitter notify:test ${name}`,
          ),
        ]),
  ];
}
