/** What the agents of a run have said and done, as their host has written it down. */
import { useEffect, useState } from "preact/hooks";
import type { TranscriptList } from "../../wire/run-wire.js";
import { sizeOf } from "../files/file-views.js";
import { inQuery, setInQuery } from "../parts/address.js";
import { Icon } from "../parts/icons.js";
import { Problem } from "../parts/problem.js";
import { Conversation } from "./conversation.js";
import { PartList } from "./part-list.js";
import type { RunData } from "./run-data.js";
import { problemText } from "./save-button.js";
import "../styles/run-parts.css";

export function TranscriptsPart({ data }: { data: RunData }) {
  const [list, setList] = useState<TranscriptList["transcripts"] | Error>();
  const [tries, setTries] = useState(0);
  const events = data.total.value;
  useEffect(() => {
    let isGone = false;
    data.source.transcripts().then(
      ({ transcripts }) => isGone || setList(transcripts),
      (error: unknown) => isGone || setList(new Error(problemText(error))),
    );
    return () => {
      isGone = true;
    };
    // A run that goes on may have got another session.
  }, [data, tries, events]);
  if (list === undefined)
    return (
      <p class="part-note" aria-busy="true">
        Loading…
      </p>
    );
  if (list instanceof Error)
    return (
      <Problem message="The transcripts could not be read." hint={list.message} onRetry={() => setTries(tries + 1)} />
    );
  const wanted = inQuery("session");
  const chosen = list.find(({ id }) => id === wanted) ?? list[0];
  if (chosen === undefined) return <None hasAgent={data.detail.value?.agent ?? false} />;
  return (
    <div class="part">
      <PartList
        label="Sessions"
        rows={list.map(({ id, session, subagent, bytes }) => ({
          id,
          title: subagent ?? session,
          isInner: subagent !== undefined,
          about: (
            <>
              <span class="mark">
                <Icon name="agent" />
                {subagent === undefined ? "session" : "subagent"}
              </span>
              <span>{sizeOf(bytes)}</span>
            </>
          ),
        }))}
        current={chosen.id}
        onChoose={(id) => setInQuery({ session: id, find: undefined })}
      />
      <section class="part-main" aria-label="Conversation">
        <Conversation key={chosen.id} source={data.source} id={chosen.id} bytes={chosen.bytes} />
      </section>
    </div>
  );
}

/** Why there is nothing, and where it would be. */
function None({ hasAgent }: { hasAgent: boolean }) {
  return (
    <div class="part-note">
      <p>
        {hasAgent
          ? "There are no transcripts of this run on this machine."
          : "No agent session is bound to this run, so it has no transcripts. Output of agent tasks is under Logs."}
      </p>
      {hasAgent ? (
        <p>
          The agent's host writes them on the machine where it ran; Claude Code uses <code>~/.claude/projects</code>.
          There are none if the run was copied from elsewhere, or if the host deleted or never kept them.
        </p>
      ) : null}
    </div>
  );
}
