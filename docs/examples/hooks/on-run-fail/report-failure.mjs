#!/usr/bin/env node
// Posts why a run has failed to any address, FAILURE_WEBHOOK_URL. Needs nothing but Node.
import { readFileSync } from "node:fs";

const answer = (result) => process.stdout.write(`${JSON.stringify(result)}\n`);
const { runId, processId, error } = JSON.parse(readFileSync(0, "utf8"));

try {
  const response = await fetch(process.env.FAILURE_WEBHOOK_URL, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ runId, processId, error: error.message }),
    signal: AbortSignal.timeout(20_000),
  });
  answer(response.ok ? { ok: true } : { ok: false, error: `the receiver answered ${response.status}` });
} catch (problem) {
  answer({ ok: false, error: problem.message });
}
