/** A run of the server. */
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import { connection } from "../api/connection.js";
import { runSource } from "../api/run-requests.js";
import { type RunPart, runAddress } from "../model/routes.js";
import { go } from "../parts/address.js";
import { RunData } from "../run/run-data.js";
import { RunPage } from "../run/run-page.js";
import { LastUpdate } from "./last-update.js";

interface RunProps {
  id: string;
  part: RunPart;
  at: number | undefined;
  event: number | undefined;
}

export function Run({ id, part, at, event }: RunProps) {
  const data = useMemo(() => new RunData(runSource(id)), [id]);
  useLayoutEffect(() => {
    data.at.value = at;
    data.selected.value = event;
  }, [data, at, event]);
  useEffect(() => {
    void data.load();
    return data.source.follow?.(() => void data.load());
  }, [data]);
  return (
    <RunPage
      key={id}
      id={id}
      data={data}
      part={part}
      lastUpdate={<LastUpdate of={[data]} />}
      isOffline={connection.value === "offline"}
      address={(place) => runAddress(id, { part, at, event, ...place })}
      onGo={(place, how) => go(runAddress(id, { part, at, event, ...place }), how)}
    />
  );
}
