/** A run of the server. */
import { useEffect, useMemo } from "preact/hooks";
import { runSource } from "../api/run-requests.js";
import { type RunPart, runAddress } from "../model/routes.js";
import { go } from "../parts/address.js";
import { RunData } from "../run/run-data.js";
import { RunPage } from "../run/run-page.js";

export function Run({ id, part, at }: { id: string; part: RunPart; at: number | undefined }) {
  const data = useMemo(() => new RunData(runSource(id)), [id]);
  data.at.value = at;
  useEffect(() => {
    void data.load();
    return data.source.follow?.(() => void data.load());
  }, [data]);
  return <RunPage data={data} part={part} onGo={(place) => go(runAddress(id, { part, at, ...place }))} />;
}
