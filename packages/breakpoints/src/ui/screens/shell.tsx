/** The frame around every screen. */
import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { connection, isLive, newerVersion } from "../api/connection.js";
import { draftsOf } from "../api/draft-box.js";
import { inbox, openCount, trouble } from "../api/inbox-state.js";
import { titleOf } from "../model/decision-words.js";
import { route } from "../parts/address.js";
import { Icon, type IconName } from "../parts/icons.js";
import { lazyPart } from "../parts/lazy-part.js";
import { Link } from "../parts/link.js";
import { Notices } from "../parts/notices.js";
import { openHelp } from "./help-state.js";

const NotifyBanner = lazyPart(() => import("./notify-banner.js").then((module) => module.NotifyBanner), {
  meanwhile: null,
  otherwise: null,
});

const PLACES: { to: string; word: string; icon: IconName; screen: string }[] = [
  { to: "/", word: "Inbox", icon: "inbox", screen: "inbox" },
  { to: "/history", word: "History", icon: "history", screen: "history" },
  { to: "/runs", word: "Runs", icon: "runs", screen: "runs" },
  { to: "/report", word: "Report", icon: "report", screen: "report" },
  { to: "/settings", word: "Settings", icon: "settings", screen: "settings" },
];

/** Screens that no link at the top leads to. */
const OTHER_WORDS: Readonly<Record<string, string>> = { compare: "Compare runs" };
/** Screens that one opens from another, whose link stays marked. */
const BELOW: Readonly<Record<string, string>> = { run: "runs", compare: "runs" };

function titleHere(screen: string, open: number | undefined): string {
  const place = PLACES.find((one) => one.screen === screen && screen !== "inbox");
  return titleOf(open, place?.word ?? OTHER_WORDS[screen]);
}

export function Shell({ children }: { children: ComponentChildren }) {
  const { screen } = route.value;
  const open = openCount.value;
  document.title = titleHere(screen, open);
  return (
    <div class="app">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <Link to="/" class="brand" aria-label="Babysitter">
          <Icon name="brand" />
          <span>Babysitter</span>
        </Link>
        <nav aria-label="Screens">
          <ul>
            {PLACES.map(({ to, word, icon, screen: own }) => (
              <li key={to}>
                <Link to={to} aria-current={screen === own ? "page" : BELOW[screen] === own ? "true" : undefined}>
                  <Icon name={icon} />
                  <span class="nav-word">{word}</span>
                  {own === "inbox" ? (
                    <span class="count" data-empty={(open ?? 0) === 0 ? (open === 0 ? "none" : "unknown") : undefined}>
                      {open ?? 0}
                      <span class="unseen"> open</span>
                    </span>
                  ) : null}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div class="top-end">
          <LiveMark />
          <button
            type="button"
            class="button"
            data-kind="quiet"
            data-size="icon"
            aria-label="Keys and help"
            title="Keys and help (?)"
            onClick={openHelp}
          >
            <Icon name="help" />
          </button>
        </div>
      </header>
      <Banner />
      {children}
      <Notices />
    </div>
  );
}

function LiveMark() {
  const state = connection.value;
  const live = isLive.value;
  return (
    <span class="mark live" data-state={state} data-tone={live ? "good" : "needs"}>
      <Icon name={live ? "check" : "offline"} />
      <span class="live-word">{live ? "Live" : state === "stale" ? "Not live" : "Offline"}</span>
    </span>
  );
}

/** What stands between the reader and the truth. */
function Banner() {
  const offline = useComputed(() => connection.value === "offline");
  return (
    <div role="status">
      {offline.value ? (
        <div class="banner" data-tone="needs">
          <Icon name="offline" />
          <div class="banner-text">
            <strong>The inbox server is not responding.</strong>{" "}
            <span>{draftsOf().length > 0 ? "Your drafts are kept. " : ""}Reconnecting…</span>
          </div>
          <button type="button" class="button" onClick={() => void inbox.catchUp()}>
            Try now
          </button>
        </div>
      ) : null}
      {newerVersion.value && !offline.value ? (
        <div class="banner" data-tone="quiet">
          <span class="banner-text">The inbox was updated. Your drafts are kept.</span>
          <button type="button" class="button" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      ) : null}
      {offline.value || trouble.value === null || route.value.screen === "settings" ? null : (
        <NotifyBanner trouble={trouble.value} />
      )}
    </div>
  );
}
