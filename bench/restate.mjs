/**
 * The same sequential workload on Restate, with its own defaults, which sync its log to disk. Server and SDK come from
 * npm into a temporary folder, run without our environment, and listen on loopback only.
 */
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { otherNode } from "../tools/other-node.mjs";

const PACKAGES = ["@restatedev/restate-server@1.7.12", "@restatedev/restate-sdk@1.17.2"];
const START_MS = 120_000;

const SERVICE = `
import http2 from "node:http2";
import * as restate from "@restatedev/restate-sdk";
const steps = restate.service({
  name: "steps",
  handlers: {
    run: async (ctx, count) => {
      let sum = 0;
      for (let n = 0; n < count; n += 1) sum += await ctx.run("step", () => n);
      return sum;
    },
  },
});
const handler = restate.createEndpointHandler({ services: [steps] });
http2.createServer(handler).listen(Number(process.argv[2]), "127.0.0.1");
`;

/** Answers how to run `steps` steps, which takes so many milliseconds, and how to stop it all. */
export async function startRestate(work) {
  const dir = path.join(work, "restate");
  const home = path.join(dir, "home");
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(path.join(dir, "package.json"), JSON.stringify({ private: true, type: "module" }));
  fs.writeFileSync(path.join(dir, "service.mjs"), SERVICE);
  const installed = spawnSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...PACKAGES], {
    cwd: dir,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (installed.status !== 0) throw new Error(`cannot install ${PACKAGES.join(", ")}`);
  const [fabric, admin, ingress, service] = await freePorts(4);
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: home,
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
  };
  const scope = path.join(dir, "node_modules/@restatedev");
  const server = path.join(scope, `restate-server-${process.platform}-${process.arch}`, "bin/restate-server");
  const where = ["--base-dir", path.join(dir, "data"), "--listen-mode", "tcp", "--bind-address", `127.0.0.1:${fabric}`];
  const logFd = fs.openSync(path.join(dir, "log"), "w");
  const options = { cwd: dir, env, stdio: ["ignore", logFd, logFd] };
  const children = [
    spawn(server, [...where, "--advertised-address", `http://127.0.0.1:${fabric}`, "--no-logo"], options),
    // Its SDK needs a newer Node than our oldest.
    spawn(newNode(), ["service.mjs", String(service)], options),
  ];
  const stop = () => children.forEach((child) => child.kill("SIGKILL"));
  process.once("exit", stop);
  try {
    await retried(() => answered(`http://127.0.0.1:${admin}/health`));
    const uri = `http://127.0.0.1:${service}`;
    await retried(() => answered(`http://127.0.0.1:${admin}/deployments`, { uri }));
    const run = async (steps) => {
      const began = performance.now();
      const sum = await answered(`http://127.0.0.1:${ingress}/steps/run`, steps);
      if (Number(sum) !== (steps * (steps - 1)) / 2) throw new Error(`Restate answered ${sum}`);
      return performance.now() - began;
    };
    await retried(() => run(1));
    return { run, stop };
  } catch (error) {
    stop();
    const log = fs.readFileSync(path.join(dir, "log"), "utf8").slice(-1000);
    throw new Error(`Restate does not work here: ${error.message}\n${log}`, { cause: error });
  }
}

function newNode() {
  return Number(process.versions.node.split(".")[0]) >= 22 ? process.execPath : otherNode(22);
}

async function answered(url, body) {
  const answer = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text.slice(0, 300)}`);
  return text;
}

async function retried(act) {
  for (const until = Date.now() + START_MS; ; ) {
    try {
      return await act();
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** Nobody else is likely to take them in the next second. */
async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = net.createServer().listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
