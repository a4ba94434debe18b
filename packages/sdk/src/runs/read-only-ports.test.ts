import { expect, test } from "vitest";
import { RUN, sharedRun } from "../../../../tests/fixtures/replay/shared-run.js";
import { blobRef } from "../journal/rules/blobs.js";
import { readOnlyPorts } from "./read-only-ports.js";

test("a run that is only looked at takes no blob, and names it like one that is kept", async () => {
  const ports = await sharedRun(async () => null);
  const { store } = readOnlyPorts(ports);
  const text = "a text that is longer than the id of the run";
  expect(await store.putBlob(RUN, text)).toEqual(blobRef(text));
  await expect(ports.store.getBlob(RUN, blobRef(text).blob)).rejects.toMatchObject({ code: "JOURNAL_BROKEN" });
});
