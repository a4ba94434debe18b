/** What run it is, where it stands, why, and what to do. */
import { shownDuration } from "@a5c-ai/babysitter-sdk/view";
import type { ComponentChildren } from "preact";
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
import { isOver, outcomeNow, outcomeOf, type Standing, standingNow, standingThen } from "./run-words.js";
import { secondsTime } from "./travel-words.js";

interface RunHeadProps {
  data: RunData;
  run: RunDetail;
  address: Address | undefined;
}

export function RunHead({ lastUpdate, ...props }: RunHeadProps & { lastUpdate: ComponentChildren }) {
  const { data, run } = props;
  const state = data.state.value;
  const then = data.at.value === undefined ? undefined : state;
  const standing = then === undefined ? standingNow(run, state) : standingThen(then);
  const outcome = then === undefined ? outcomeNow(run) : outcomeOf(then);
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
          {lastUpdate}
        </div>
      </div>
      <Facts {...props} />
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
  const { createdAt, project, process, loop, forkedFrom, id } = run;
  return (
    <div class="run-facts">
      {loop === null || loop.title === process ? null : <UserText text={process} />}
      <span title={project.root}>
        <UserText text={project.name} />
      </span>
      <span>
        {run.state === "created" ? "Created" : "Started"}{" "}
        {address === undefined ? secondsTime(createdAt) : <Age at={createdAt} ago />}
      </span>
      <Lasted data={data} run={run} />
      {loop === null ? null : (
        <span>
          Iteration {data.state.value?.loop?.iteration ?? loop.iteration} of {loop.maxIterations}
        </span>
      )}
      <Driver data={data} run={run} />
      {forkedFrom === null ? null : <Original {...forkedFrom} isLinked={address !== undefined} />}
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

function Lasted({ data, run: { createdAt, lastEventAt, state } }: Pick<RunHeadProps, "data" | "run">) {
  const isThen = data.at.value !== undefined;
  if (state === "created") return null;
  const last = isThen ? data.shownEvents.value.at(-1)?.timestamp : isOver(state) ? lastEventAt : undefined;
  const end = last === undefined ? data.now.value : Date.parse(last);
  const took = shownDuration(Math.max(0, end - Date.parse(createdAt)));
  return <span>{isThen ? `${took} after its start` : isOver(state) ? `Took ${took}` : `For ${took}`}</span>;
}

function Driver({ data, run: { state, drivenBy } }: Pick<RunHeadProps, "data" | "run">) {
  if (data.at.value !== undefined || isOver(state)) return null;
  if (drivenBy === null && state === "created") return null;
  if (drivenBy === null) return <span>Nobody drives it</span>;
  return (
    <span>
      Driven by <UserText text={drivenBy} />
    </span>
  );
}

function Original({ run, at, isLinked }: { run: string; at: number; isLinked: boolean }) {
  const name = <UserText text={run} />;
  return (
    <span>
      Forked from {isLinked ? <Link to={runAddress(run, { at })}>{name}</Link> : name} after event {at}
    </span>
  );
}
