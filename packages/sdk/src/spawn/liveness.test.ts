import { expect, test } from "vitest";
import { lifeOf, type MachineFacts, type ProcessRecord, type Sight } from "./liveness.js";

const HERE: MachineFacts = { host: "box", boot: "boot-1", namespace: "100/1", machine: "m-1" };
const RECORD: ProcessRecord = { pid: 7, startTime: "55@boot-1", host: "box", namespace: "100/1", machine: "m-1" };
const SAME: Sight = { startTime: "55@boot-1", zombie: false };
const REUSED: Sight = { startTime: "99@boot-1", zombie: false };

const life = (record: Partial<ProcessRecord>, sight: Sight, here: Partial<MachineFacts> = {}): string =>
  lifeOf({ ...RECORD, ...record }, { ...HERE, ...here }, () => sight);

test("a process of this namespace is alive while its pid has its start time", () => {
  expect(life({}, SAME)).toBe("alive");
  expect(life({}, "nobody")).toBe("dead");
  expect(life({}, REUSED)).toBe("dead");
});

test("a zombie is dead", () => {
  expect(life({}, { ...SAME, zombie: true })).toBe("dead");
});

test("what cannot be looked at now is unknown, not dead", () => {
  expect(life({}, "unclear")).toBe("unknown");
});

test("the same machine under another name is the same machine", () => {
  expect(life({ host: "old-name" }, SAME)).toBe("alive");
  expect(life({ host: "old-name" }, "nobody")).toBe("dead");
});

test("a pid of another namespace says nothing here, whoever has it", () => {
  for (const sight of [SAME, REUSED, "nobody", "unclear"] as const)
    expect(life({ namespace: "200/1" }, sight)).toBe("unknown");
});

test("a record without a namespace is believed when it is found; not finding it proves nothing", () => {
  expect(life({ namespace: undefined }, SAME)).toBe("alive");
  for (const sight of [REUSED, "nobody", { ...SAME, zombie: true }] as const)
    expect(life({ namespace: undefined }, sight)).toBe("unknown");
  expect(life({}, "nobody", { namespace: undefined })).toBe("unknown");
});

test("a boot before this one is over only if it was surely a boot of this machine", () => {
  const before = { startTime: "55@boot-0" };
  expect(life(before, REUSED)).toBe("dead");
  expect(life({ ...before, machine: "m-2" }, REUSED)).toBe("unknown");
  expect(life({ ...before, machine: undefined }, REUSED)).toBe("unknown");
  expect(life({ ...before, machine: undefined }, REUSED, { machine: undefined })).toBe("unknown");
  expect(life({ ...before, host: "box-2" }, REUSED)).toBe("unknown");
  expect(life({ ...before, namespace: "200/1" }, REUSED)).toBe("unknown");
});

test("without ids of boots and namespaces, as on macOS, the name of the host decides", () => {
  const mac = { boot: undefined, namespace: undefined, machine: undefined };
  const record = { startTime: "Mon Nov 16 09:05:00 2026", namespace: undefined, machine: undefined };
  expect(life(record, { startTime: record.startTime, zombie: false }, mac)).toBe("alive");
  expect(life(record, "nobody", mac)).toBe("dead");
  expect(life({ ...record, host: "another" }, "nobody", mac)).toBe("unknown");
  expect(life({}, "nobody", mac)).toBe("unknown");
  expect(life(record, "nobody")).toBe("unknown");
});

test("without an id of the boot, nobody is dead because a namespace has the same number", () => {
  const record = { startTime: "55@unknown" };
  expect(life(record, { startTime: "55@unknown", zombie: false }, { boot: undefined })).toBe("alive");
  expect(life(record, "nobody", { boot: undefined })).toBe("unknown");
});

test("a damaged record names nobody", () => {
  for (const pid of [0, -1, 1.5, Number.NaN]) expect(life({ pid }, SAME)).toBe("unknown");
  expect(life({ startTime: "" }, "nobody")).toBe("unknown");
  const withoutIds = { boot: undefined, namespace: undefined };
  expect(life({ startTime: "", namespace: undefined }, "nobody", withoutIds)).toBe("unknown");
});
