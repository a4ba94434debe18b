/** The parts of a run, one at a time. Arrow keys move between their names. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { RUN_PARTS, type RunPart } from "../model/routes.js";
import { CriteriaPart } from "./criteria-part.js";
import { EventsPart } from "./events-part.js";
import { FilesPart } from "./files-part.js";
import { LogsPart } from "./logs-part.js";
import type { RunData } from "./run-data.js";
import type { RunMoves } from "./run-place.js";
import { StepsPart } from "./steps-part.js";
import { TranscriptsPart } from "./transcripts-part.js";

const NAMES: Readonly<Record<RunPart, string>> = {
  steps: "Steps",
  events: "Events",
  logs: "Logs",
  files: "Files",
  criteria: "Criteria",
  transcripts: "Transcripts",
};

interface RunTabsProps {
  data: RunData;
  part: RunPart;
  moves: RunMoves;
}

export function RunTabs({ data, part, moves }: RunTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  // Only sideways: nobody who opens a part wants the page to move.
  useLayoutEffect(() => {
    const [box, tab] = [list.current, list.current?.querySelector("[aria-selected=true]")];
    if (box === null || tab === null || tab === undefined) return;
    const [around, own] = [box.getBoundingClientRect(), tab.getBoundingClientRect()];
    box.scrollLeft += own.left + own.width / 2 - (around.left + around.width / 2);
  }, [part]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = partAfter(part, event.key);
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    moves.show(next);
    list.current?.querySelector<HTMLElement>(`#run-tab-${next}`)?.focus();
  };
  return (
    <>
      <div class="run-tabs" role="tablist" aria-label="Parts of the run" ref={list} onKeyDown={onKeyDown}>
        {RUN_PARTS.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            class="run-tab"
            id={`run-tab-${one}`}
            aria-controls="run-panel"
            aria-selected={one === part}
            tabIndex={one === part ? 0 : -1}
            onClick={() => moves.show(one)}
          >
            {NAMES[one]}
          </button>
        ))}
      </div>
      <div class="run-panel" role="tabpanel" id="run-panel" aria-labelledby={`run-tab-${part}`}>
        <Panel data={data} part={part} moves={moves} />
      </div>
    </>
  );
}

function partAfter(part: RunPart, key: string): RunPart | undefined {
  if (key === "Home") return RUN_PARTS[0];
  if (key === "End") return RUN_PARTS.at(-1);
  const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  return by === 0 ? undefined : RUN_PARTS.at((RUN_PARTS.indexOf(part) + by) % RUN_PARTS.length);
}

function Panel({ data, part, moves }: RunTabsProps) {
  if (part === "steps") return <StepsPart data={data} moves={moves} />;
  if (part === "events") return <EventsPart data={data} moves={moves} />;
  const Other = OTHERS[part];
  return <Other data={data} />;
}

const OTHERS = { logs: LogsPart, files: FilesPart, criteria: CriteriaPart, transcripts: TranscriptsPart };
