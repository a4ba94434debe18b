/** Shows the run that stands in this file. There is no server: places in it are in the address behind the hash. */
import { signal } from "@preact/signals";
import { render } from "preact";
import type { RunDocument } from "../wire/run-document.js";
import { bytesFrom, embeddedSource } from "./model/embedded-source.js";
import { type HashPlace, hashOf, placeIn } from "./model/hash-place.js";
import { startClock } from "./parts/age.js";
import { Notices } from "./parts/notices.js";
import { followWidth } from "./parts/page-width.js";
import { Problem } from "./parts/problem.js";
import { ExportHead } from "./run/export-head.js";
import { RunData } from "./run/run-data.js";
import { RunPage } from "./run/run-page.js";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/shell.css";
import "./styles/question.css";

const place = signal(placeIn(location.hash));

function go(to: Partial<HashPlace>, { replace = false } = {}): void {
  const hash = hashOf({ ...place.peek(), ...to });
  if (replace) history.replaceState(history.state, "", hash);
  else history.pushState(null, "", hash);
  place.value = placeIn(location.hash);
}

function ExportedRun({ run, data }: { run: RunDocument; data: RunData }) {
  const { part, at, event } = place.value;
  data.at.value = at;
  data.selected.value = event;
  return (
    <>
      <ExportHead document={run} />
      <main id="main">
        <RunPage id={run.detail.id} data={data} part={part} onGo={go} />
      </main>
      <Notices />
    </>
  );
}

async function documentHere(): Promise<RunDocument> {
  const packed = bytesFrom(document.getElementById("document")?.textContent ?? "");
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(unpacked).json()) as RunDocument;
}

async function start(app: HTMLElement): Promise<void> {
  try {
    const run = await documentHere();
    const data = new RunData(embeddedSource(run));
    // Nothing goes on here: what was under way is shown as it was then.
    data.now.value = Date.parse(run.exportedAt);
    await data.load();
    addEventListener("popstate", () => (place.value = placeIn(location.hash)));
    followWidth();
    startClock();
    render(<ExportedRun run={run} data={data} />, app);
  } catch (error) {
    const hint = "Export it again, and open the new file in a current browser.";
    render(<Problem message={`This file cannot be shown: ${String(error)}`} hint={hint} />, app);
  }
}

const app = document.getElementById("app");
if (app !== null) void start(app);
