/** How somebody is reached, devices that are signed in, and passkeys. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { DeviceRow, Me } from "../../wire/inbox-wire.js";
import { readMe, removeDevice, signOut } from "../api/inbox-api.js";
import { problemOf, type RequestProblem } from "../api/request.js";
import { signedOut } from "../api/session.js";
import { Age, Until } from "../parts/age.js";
import { Icon } from "../parts/icons.js";
import { notify } from "../parts/notices.js";
import { Problem } from "../parts/problem.js";
import { UserText } from "../parts/user-text.js";
import { Notifications } from "./notifications.js";
import { Passkeys } from "./passkeys.js";
import { SkeletonCard } from "./settings-skeleton.js";
import "../styles/settings.css";

export function Settings() {
  const me = useSignal<Me | undefined>(undefined);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const load = async (): Promise<void> => {
    try {
      me.value = await readMe();
      problem.value = undefined;
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  // Once, when the screen opens.
  // oxlint-disable-next-line exhaustive-deps
  useEffect(() => void load(), []);
  const { value } = me;
  return (
    <div class="page settings">
      <h1 tabIndex={-1}>Settings</h1>
      {problem.value === undefined ? null : (
        <Problem message={problem.value.message} hint={problem.value.hint} onRetry={() => void load()} />
      )}
      <Notifications />
      <Devices devices={value?.devices} onChange={load} />
      <Passkeys keys={value?.passkeys} onChange={load} />
      {value === undefined ? null : (
        <p class="quiet small">
          Signed in as <UserText text={value.user} /> on <UserText text={value.host} />. Version{" "}
          <UserText text={value.version} />. Your questions and answers stay on this machine, apart from what
          notifications say.
        </p>
      )}
    </div>
  );
}

function Devices({ devices, onChange }: { devices: DeviceRow[] | undefined; onChange: () => Promise<void> }) {
  const sorted = devices?.toSorted(
    (a, b) => Number(b.current) - Number(a.current) || Date.parse(b.at) - Date.parse(a.at),
  );
  const others = sorted?.filter(({ current }) => !current) ?? [];
  const endOthers = async (): Promise<void> => {
    try {
      for (const { device } of others) await removeDevice(device);
      notify({ text: `Signed out ${others.length} other browsers.`, tone: "quiet" });
    } catch (error) {
      notify({ text: problemOf(error).message, tone: "bad" });
    }
    await onChange();
  };
  return (
    <section class="section" aria-labelledby="devices">
      <h2 id="devices">Signed-in browsers</h2>
      <p class="quiet small">Each one is signed out after 12 hours. If you do not recognize one, sign it out.</p>
      <ul class="cards">
        {sorted === undefined ? <SkeletonCard /> : null}
        {sorted?.map((device) => (
          <Device key={device.device} device={device} onChange={onChange} />
        ))}
      </ul>
      {others.length > 1 ? (
        <div>
          <button type="button" class="button" onClick={() => void endOthers()}>
            Sign out the {others.length} others
          </button>
        </div>
      ) : null}
    </section>
  );
}

function Device({ device, onChange }: { device: DeviceRow; onChange: () => Promise<void> }) {
  const end = async (): Promise<void> => {
    try {
      await (device.current ? signOut() : removeDevice(device.device));
    } catch (error) {
      notify({ text: problemOf(error).message, tone: "bad" });
      if (!device.current) return;
    }
    if (device.current) signedOut();
    else {
      notify({ text: "Signed out:", about: device.name, tone: "quiet" });
      await onChange();
    }
  };
  return (
    <li class="card">
      <Icon name="device" />
      <div class="card-text">
        <strong class="card-name">
          <UserText text={device.name} />
          {device.current ? (
            <span class="chip" data-tone="good">
              <Icon name="check" />
              This browser
            </span>
          ) : null}
        </strong>
        <span class="quiet small">
          Signed in <Age at={device.at} ago />, expires <Until at={device.expires} />
        </span>
      </div>
      <button type="button" class="button" onClick={() => void end()}>
        Sign out
        {device.current ? null : (
          <span class="unseen">
            {" "}
            <UserText text={device.name} />
          </span>
        )}
      </button>
    </li>
  );
}
