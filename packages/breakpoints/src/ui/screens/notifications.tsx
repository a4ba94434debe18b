/** How somebody is reached, for looking only: whoever has got hold of a session must not lead messages elsewhere. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ChannelList, ChannelRow } from "../../wire/notify-wire.js";
import { readChannels } from "../api/inbox-api.js";
import { noticeNews } from "../api/inbox-state.js";
import { problemOf, type RequestProblem } from "../api/request.js";
import { channelTitle } from "../model/channel-words.js";
import { counted } from "../model/counted.js";
import { fieldsOf, proofOf, settingRows, topicsOf } from "../model/notify-settings-words.js";
import { addressOf } from "../model/routes.js";
import { Age, Clock } from "../parts/age.js";
import { Command } from "../parts/command.js";
import { CopyButton } from "../parts/copy-button.js";
import { Icon } from "../parts/icons.js";
import { Link } from "../parts/link.js";
import { Problem } from "../parts/problem.js";
import { UserText } from "../parts/user-text.js";
import { SkeletonCard } from "./settings-skeleton.js";

export function Notifications() {
  const list = useSignal<ChannelList | undefined>(undefined);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const load = async (): Promise<void> => {
    try {
      list.value = await readChannels();
      problem.value = undefined;
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  const news = noticeNews.value;
  // When the screen opens, and whenever there is news.
  // oxlint-disable-next-line exhaustive-deps
  useEffect(() => void load(), [news]);
  return (
    <section class="section" aria-labelledby="notifications">
      <h2 id="notifications">Notifications</h2>
      {problem.value === undefined ? null : (
        <Problem message={problem.value.message} hint={problem.value.hint} onRetry={() => void load()} />
      )}
      {list.value === undefined ? (
        problem.value === undefined && <Waiting />
      ) : list.value.channels.length === 0 ? (
        <NoChannel />
      ) : (
        <Enabled list={list.value} />
      )}
    </section>
  );
}

function Waiting() {
  return (
    <ul class="cards">
      <SkeletonCard />
    </ul>
  );
}

function NoChannel() {
  return (
    <>
      <p class="quiet small prose">
        You are not notified of questions while you are away. To be notified by Telegram, or by ntfy, Slack, Discord or
        a webhook, run this in a terminal:
      </p>
      <Command text="babysitter extension enable telegram --token -" />
    </>
  );
}

function Enabled({ list }: { list: ChannelList }) {
  return (
    <>
      <p class="quiet small prose">
        Channels are enabled and disabled in a terminal only, so nobody can redirect your messages with a stolen browser
        session.
      </p>
      {list.worker === "none" ? <NobodySends list={list} /> : null}
      <ul class="cards">
        {list.channels.map((channel) => (
          <Channel key={channel.name} channel={channel} />
        ))}
      </ul>
      <h3 class="small">When messages are sent</h3>
      <dl class="facts small">
        {settingRows(list).map(([name, text]) => (
          <Fact key={name} name={name} text={text} />
        ))}
      </dl>
    </>
  );
}

function NobodySends({ list: { channels } }: { list: ChannelList }) {
  const waiting = channels.reduce((sum, channel) => sum + channel.waiting, 0);
  return (
    <div class="callout" data-tone="needs">
      <Icon name="warning" />
      <div class="callout-text">
        <strong>Notifications are not being sent.</strong>{" "}
        {waiting === 0 ? "" : `${counted(waiting, "notification is waiting", "notifications are waiting")}. `}
        Start a worker: <code>babysitter-breakpoints worker</code>
      </div>
    </div>
  );
}

function Channel({ channel }: { channel: ChannelRow }) {
  const { name, since } = channel;
  const disable = `babysitter extension disable ${name}`;
  return (
    <li class="card channel">
      <div class="card-text">
        <strong class="card-name">
          <span>{channelTitle(name)}</span>
          <StateChip channel={channel} />
        </strong>
        <span class="quiet small">
          <Target channel={channel} />
          enabled <Age at={since} ago />
        </span>
      </div>
      <Unbound channel={channel} />
      <Broken channel={channel} />
      <GivenUp channel={channel} />
      <dl class="facts small">
        <Fact name="Sends" text={topicsOf(channel)} />
        <Fact name="Messages include" text={fieldsOf(channel)} />
        <Fact name="Proof of delivery" text={proofOf(channel)} />
        <div>
          <dt>To disable it</dt>
          <dd class="with-action disabling">
            <code>{disable}</code>
            <CopyButton text={disable} what="the command" />
          </dd>
        </div>
      </dl>
    </li>
  );
}

function Target({ channel: { target, bound } }: { channel: ChannelRow }) {
  if (bound === null) return null;
  return (
    <>
      To <UserText text={target} />,{" "}
    </>
  );
}

function StateChip({ channel: { problem, bound, waiting } }: { channel: ChannelRow }) {
  if (problem !== undefined)
    return (
      <span class="chip" data-tone="bad">
        <Icon name="warning" />
        Not working
      </span>
    );
  if (bound === null)
    return (
      <span class="chip" data-tone="needs">
        <Icon name="hand" />
        Not connected yet
      </span>
    );
  return waiting === 0 ? null : <span class="chip">{waiting} to be sent</span>;
}

function Unbound({ channel: { name, bound } }: { channel: ChannelRow }) {
  if (bound !== null) return null;
  return (
    <div class="callout" data-tone="needs">
      <Icon name="hand" />
      <div class="callout-text">
        <strong>No chat is connected.</strong> Messages wait until one is. To get a link that connects yours, valid for
        ten minutes: <code>babysitter extension link {name}</code>
      </div>
    </div>
  );
}

function Broken({ channel: { problem, waiting } }: { channel: ChannelRow }) {
  if (problem === undefined) return null;
  return (
    <div class="callout" data-tone="bad">
      <Icon name="warning" />
      <div class="callout-text">
        <strong>
          Since <Clock at={problem.since} />:
        </strong>{" "}
        <UserText text={problem.reason} />
        {waiting === 0 ? null : (
          <div class="quiet">{counted(waiting, "notification is waiting", "notifications are waiting")}.</div>
        )}
      </div>
    </div>
  );
}

function GivenUp({ channel: { failed } }: { channel: ChannelRow }) {
  if (failed.length === 0) return null;
  return (
    <details>
      <summary>{counted(failed.length, "notification was", "notifications were")} given up</summary>
      <ul class="given-up small">
        {failed.map(({ about, question, why, at }) => (
          <li key={`${at} ${about}`}>
            {question === undefined ? (
              <UserText text={about} />
            ) : (
              <Link to={addressOf("inbox", { id: question })}>
                <UserText text={about} />
              </Link>
            )}
            <span class="quiet">
              <UserText text={why} />, <Age at={at} ago />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Fits beside its name where there is little room. */
const SHORT = 24;

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div data-short={text.length <= SHORT ? "" : undefined}>
      <dt>{name}</dt>
      <dd>
        <UserText text={text} />
      </dd>
    </div>
  );
}
