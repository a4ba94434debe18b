/** What run it is, where it stands, why, and what to do. */
import { shownDuration } from "@a5c-ai/babysitter-sdk/view";
import type { RunDetail } from "../../wire/run-wire.js";
import { runAddress } from "../model/routes.js";
import { Age } from "../parts/age.js";
import { CopyButton } from "../parts/copy-button.js";
import { Icon } from "../parts/icons.js";
import { Link } from "../parts/link.js";
import { UserText } from "../parts/user-text.js";
import { IntegrityBadge } from "./integrity-badge.js";
import type { RunData } from "./run-data.js";
import type { Address } from "./run-place.js";
import { isOver, outcomeOf, type Standing, standingNow, standingThen } from "./run-words.js";

interface RunHeadProps {
  data: RunData;
  run: RunDetail;
  address: Address | undefined;
}

export function RunHead({ data, run, address }: RunHeadProps) {
  const state = data.state.value;
  const isThen = data.at.value !== undefined;
  const standing = isThen && state !== undefined ? standingThen(state) : standingNow(run, state);
  const outcome = outcomeOf(state);
  return (
    <header class="run-head">
      <div class="run-title">
        <h1 tabIndex={-1}>
          <UserText text={run.loop?.title ?? run.process} />
        </h1>
        <div class="run-chips">
          <StandingChip standing={standing} />
          {outcome === undefined ? null : <StandingChip standing={outcome} />}
          <IntegrityBadge data={data} />
        </div>
      </div>
      <Facts data={data} run={run} address={address} />
    </header>
  );
}

function StandingChip({ standing: { icon, word, tone } }: { standing: Standing }) {
  return (
    <span class="chip run-state" data-tone={tone}>
      <Icon name={icon} />
      {word}
    </span>
  );
}

function Facts({ data, run, address }: RunHeadProps) {
  const { createdAt, lastEventAt, state, project, process, loop, drivenBy, forkedFrom, id } = run;
  const isThen = data.at.value !== undefined;
  const from = Date.parse(createdAt);
  const last = isThen ? data.shownEvents.value.at(-1)?.timestamp : isOver(state) ? lastEventAt : undefined;
  const took = shownDuration(Math.max(0, (last === undefined ? data.now.value : Date.parse(last)) - from));
  return (
    <div class="run-facts">
      {loop === null || loop.title === process ? null : <UserText text={process} />}
      <span title={project.root}>
        <UserText text={project.name} />
      </span>
      <span>
        Began <Age at={createdAt} ago />
      </span>
      <span>{isThen ? `${took} after its beginning` : isOver(state) ? `Took ${took}` : `For ${took}`}</span>
      {loop === null ? null : (
        <span>
          Iteration {data.state.value?.loop?.iteration ?? loop.iteration} of {loop.maxIterations}
        </span>
      )}
      {isThen || isOver(state) ? null : drivenBy === null ? (
        <span>Nobody drives it</span>
      ) : (
        <span>
          Driven by <UserText text={drivenBy} />
        </span>
      )}
      {forkedFrom === null ? null : (
        <span>
          Forked from{" "}
          {address === undefined ? (
            <UserText text={forkedFrom.run} />
          ) : (
            <Link to={runAddress(forkedFrom.run, { at: forkedFrom.at })}>
              <UserText text={forkedFrom.run} />
            </Link>
          )}{" "}
          after event {forkedFrom.at}
        </span>
      )}
      <span class="run-id">
        <code>
          <UserText text={id} />
        </code>
        <CopyButton text={id} what="the id of the run" />
        {address === undefined ? null : (
          <CopyButton text={new URL(address({}), location.href).href} what="the link" icon="link" />
        )}
      </span>
    </div>
  );
}
