/** Replays one restored history in a program of its own and prints what came out, as JSON. */
import fs from "node:fs";
import path from "node:path";
import { orchestrateIteration } from "../../packages/sdk/dist/index.js";
import { localPorts } from "../../packages/sdk/dist/machine/local-ports.js";
import { sdkAccess } from "../../packages/sdk/dist/machine/sdk-access.js";
import { parseRunId } from "../../packages/sdk/dist/model/ids.js";
import { forkRun } from "../../packages/sdk/dist/runs/fork-run.js";

const runDir = process.argv[2];
const ports = localPorts({ runsDir: path.dirname(runDir), sdk: sdkAccess(), env: process.env });
const runId = parseRunId(path.basename(runDir));
const check = await ports.upkeep.check(runId);
const recorded = await orchestrateIteration({ runDir });

const forks = [];
for (let at = 1; at <= check.events; at += 1) {
  const fork = await forkRun(ports, { runId, from: { at }, forkId: `fork-${at}` });
  const { status, reason, error } = await orchestrateIteration({ runDir: fork.runDir });
  forks.push({ at, status, reason, error });
}

const journal = path.join(runDir, "journal");
fs.rmSync(path.join(journal, fs.readdirSync(journal).toSorted().at(-1)));
const replayed = await orchestrateIteration({ runDir });
process.stdout.write(JSON.stringify({ findings: check.findings, recorded, forks, replayed }));
process.exit(0);
