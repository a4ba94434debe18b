/** Downloads a file of the run, all of it. */
import { useState } from "preact/hooks";
import { notify } from "../parts/notices.js";
import { readWhole } from "./byte-text.js";
import type { RunData } from "./run-data.js";
import { saveFile } from "./save-file.js";

export function SaveButton({ data, path, type }: { data: RunData; path: string; type?: string }) {
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      saveFile(path, await readWhole((from) => data.source.readFile(path, from)), type);
    } catch (error) {
      notify({ text: "The file could not be read.", tone: "bad", about: problemText(error) });
    }
    setBusy(false);
  };
  return (
    <button type="button" class="button" data-kind="quiet" disabled={isBusy} onClick={() => void save()}>
      {isBusy ? "Reading…" : "Download"}
    </button>
  );
}

export function problemText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
