import crypto from "node:crypto";
import { expect, it } from "vitest";
import { createTestRun } from "../testing/test-run.js";

it("R5: synchronous calls of crypto are over at once, asynchronous ones are waited for", async () => {
  const run = await createTestRun({
    quietLimitMs: 20_000,
    process: async (_inputs, ctx) => {
      crypto.randomBytes(8);
      crypto.pbkdf2Sync("password", "salt", 1, 16, "sha256");
      const pair = crypto.generateKeyPairSync("ed25519");
      crypto.sign(null, Buffer.from("text"), pair.privateKey);
      const bytes = await new Promise<Buffer>((resolve) =>
        crypto.scrypt("password", "salt", 16, (_error, key) => resolve(key)),
      );
      return ctx.task({ kind: "agent", title: "work", agent: {} }, { bytes: bytes.length });
    },
  });
  const { status, warnings, nextActions } = await run.iterate();
  expect([status, warnings]).toEqual(["waiting", []]);
  expect(nextActions).toHaveLength(1);
});
