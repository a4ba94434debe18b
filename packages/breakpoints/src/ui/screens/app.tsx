/** Which screen is shown where. */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { history, inbox, reading } from "../api/inbox-state.js";
import { token } from "../api/session.js";
import type { Route } from "../model/routes.js";
import { route } from "../parts/address.js";
import { Icon } from "../parts/icons.js";
import { lazyPart } from "../parts/lazy-part.js";
import { Link } from "../parts/link.js";
import { isWide } from "../parts/page-width.js";
import { Problem } from "../parts/problem.js";
import { helpOpen } from "./help-state.js";
import { ListPane } from "./list-pane.js";
import { NothingDecided, NothingOpen } from "./nothing-open.js";
import { LoadingQuestion, QuestionPane } from "./question.js";
import { Shell } from "./shell.js";
import { SignIn } from "./sign-in.js";

const failed = <Problem message="This part could not be loaded." hint="Reload the page." />;
const Settings = lazyPart(() => import("./settings.js").then((module) => module.Settings), {
  meanwhile: (
    <div class="page" aria-busy="true">
      <h1>Settings</h1>
    </div>
  ),
  otherwise: failed,
});
const Report = lazyPart(() => import("./report.js").then((module) => module.Report), {
  meanwhile: (
    <div class="page" aria-busy="true">
      <h1>Report</h1>
    </div>
  ),
  otherwise: failed,
});
const Runs = lazyPart(() => import("./runs.js").then((module) => module.Runs), {
  meanwhile: (
    <div class="page" aria-busy="true">
      <h1>Runs</h1>
    </div>
  ),
  otherwise: failed,
});
const Run = lazyPart(() => import("./run.js").then((module) => module.Run), {
  meanwhile: (
    <div class="page run" aria-busy="true">
      <h1>Run</h1>
    </div>
  ),
  otherwise: failed,
});
const Compare = lazyPart(() => import("./compare.js").then((module) => module.Compare), {
  meanwhile: (
    <div class="page" aria-busy="true">
      <h1>Compare runs</h1>
    </div>
  ),
  otherwise: failed,
});
const Help = lazyPart(() => import("./help.js").then((module) => module.Help), {
  meanwhile: null,
  otherwise: failed,
});

export function App() {
  const here = route.value;
  if (token.value === null || here.screen === "sign-in") return <SignIn />;
  return (
    <Shell>
      {here.screen === "inbox" || here.screen === "history" ? (
        <Panes key={here.screen} here={here} />
      ) : (
        <Page here={here} />
      )}
      {helpOpen.value ? <Help /> : null}
    </Shell>
  );
}

function Page({ here }: { here: Route }) {
  return (
    <main id="main" class="panes" data-view="page" tabIndex={-1}>
      <div class="pane-main">
        <PageHere here={here} />
      </div>
    </main>
  );
}

function PageHere({ here }: { here: Route }) {
  if (here.screen === "settings") return <Settings />;
  if (here.screen === "runs") return <Runs filter={here.filter} />;
  if (here.screen === "run") return <Run id={here.id} part={here.part} at={here.at} event={here.event} />;
  if (here.screen === "compare") return <Compare left={here.left} right={here.right} />;
  if (here.screen === "report") return <Report window={here.window} />;
  return (
    <div class="empty">
      <Icon name="search" />
      <h1>There is no such page</h1>
      <Link class="button" to="/">
        Go to the inbox
      </Link>
    </div>
  );
}

/** List and question: side by side where there is room, else one after the other. */
function Panes({ here }: { here: Extract<Route, { screen: "inbox" | "history" }> }) {
  const { screen, id, search } = here;
  const state = screen === "inbox" ? inbox : history;
  const beside = useBeside(id, screen);
  const shown = id ?? beside;
  useListScroll(id === undefined);
  return (
    <main id="main" class="panes" data-view={id === undefined ? "list" : "question"} tabIndex={-1}>
      <ListPane state={state} screen={screen} search={search} current={shown} replace={isWide.value} />
      <div class="pane-main">
        {shown === undefined ? (
          <NoQuestion screen={screen} />
        ) : (
          <QuestionPane id={shown} screen={screen} search={search} isOpened={id !== undefined} />
        )}
      </div>
    </main>
  );
}

/** With room for both, the first question stands beside the list. It stays when others arrive. */
function useBeside(id: string | undefined, screen: "inbox" | "history"): string | undefined {
  const chosen = useSignal<string | undefined>(undefined);
  const { rows } = (screen === "inbox" ? inbox : history).list.value;
  const wanted = isWide.value && id === undefined;
  useEffect(() => {
    if (id !== undefined) chosen.value = id;
    else if (rows === undefined) return;
    else if (rows.every((row) => row.id !== chosen.peek())) chosen.value = wanted ? rows[0]?.id : undefined;
    if (id === undefined && !wanted) reading.value = undefined;
  }, [id, rows, wanted, chosen]);
  return wanted ? chosen.value : undefined;
}

/** On narrow screens the list is found again where it was left. */
function useListScroll(isList: boolean): void {
  const kept = useRef(0);
  const before = useRef(isList);
  if (before.current && !isList) kept.current = scrollY;
  useLayoutEffect(() => {
    if (isList !== before.current) scrollTo(0, isList ? kept.current : 0);
    before.current = isList;
  }, [isList]);
}

/** Beside a list without a question. */
function NoQuestion({ screen }: { screen: "inbox" | "history" }) {
  const state = screen === "inbox" ? inbox : history;
  const { rows } = state.list.value;
  if (rows === undefined) return state.problem.value === undefined ? <LoadingQuestion /> : null;
  if (rows.length > 0 || state.search !== "") return null;
  return screen === "inbox" ? <NothingOpen /> : <NothingDecided />;
}
