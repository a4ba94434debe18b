/** One session of a real host with a scripted model, whose turns are taken one at a time. */
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";

const PLUGIN = path.resolve(import.meta.dirname, "../plugins/babysitter");
const RIG = path.resolve(import.meta.dirname, "../tests/hosts/rig");
/** A host that says nothing for so long never will. */
const LIMIT_MS = 60_000;

/** The tests' own model and hosts, as modules that Node reads without help. */
export async function loadRig(work) {
  const dir = path.join(work, "rig");
  const bundle = await rolldown({
    input: ["scripted-model", "install-hosts"].map((name) => path.join(RIG, `${name}.ts`)),
    platform: "node",
  });
  await bundle.write({ dir, format: "es", entryFileNames: "[name].mjs" });
  await bundle.close();
  const { ScriptedModel, bash, says } = await import(path.join(dir, "scripted-model.mjs"));
  const { HOST_VERSIONS, installHost } = await import(path.join(dir, "install-hosts.mjs"));
  return { ScriptedModel, bash, says, HOST_VERSIONS, installHost };
}

/** A project with a repository, a home folder and a copy of the plugin, with another Stop hook where one is given. */
export function makePlace(dir, stopCommand) {
  const place = {
    project: path.join(dir, "project"),
    home: path.join(dir, "home"),
    tmp: path.join(dir, "tmp"),
    plugin: path.join(dir, "plugin"),
    sessionId: randomUUID(),
  };
  for (const name of ["project", "home", "tmp"]) fs.mkdirSync(place[name], { recursive: true });
  fs.cpSync(PLUGIN, place.plugin, { recursive: true });
  if (stopCommand !== undefined) {
    const file = path.join(place.plugin, "hooks/hooks.json");
    const document = JSON.parse(fs.readFileSync(file, "utf8"));
    document.hooks.Stop = [{ hooks: [{ type: "command", command: stopCommand }] }];
    fs.writeFileSync(file, JSON.stringify(document));
  }
  for (let n = 0; n < 100; n += 1) fs.writeFileSync(path.join(place.project, `f${n}.txt`), `file ${n}\n`.repeat(20));
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "all"],
  ])
    spawnSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", ...args], { cwd: place.project });
  return place;
}

export function environmentOf({ home, tmp, project }) {
  return {
    PATH: [path.dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    HOME: home,
    TMPDIR: tmp,
    CLAUDE_CODE_TMPDIR: tmp,
    CLAUDE_PROJECT_DIR: project,
    LANG: "C.UTF-8",
    SHELL: "/bin/bash",
  };
}

/**
 * A turn is one call of a tool and one text; then the Stop hook is asked, and it makes the host go on. The model
 * keeps the host waiting between two turns, so that sessions can take theirs in alternation.
 */
export class HostLane {
  #model;
  #child;
  #release = () => undefined;
  #arrived = () => undefined;
  #failed = () => undefined;
  #errors = "";
  #isDisturbed = false;

  static async begin({ rig, version, place }) {
    const lane = new HostLane();
    const program = await rig.installHost(version);
    lane.#model = await rig.ScriptedModel.listen((request) => lane.#reply(rig, request));
    const held = lane.#nextArrival();
    lane.#start(program, place);
    await held;
    return lane;
  }

  /** Takes a turn. Milliseconds from the model's last byte to the next request, and what the hook cost of CPU. */
  async turn() {
    const arrival = this.#nextArrival();
    this.#isDisturbed = false;
    this.#release();
    const { at, cpuBefore } = await arrival;
    const ms = at - this.#model.repliedAt.at(-1);
    return { ms: this.#isDisturbed ? undefined : ms, cpuMs: childrenCpu(this.#child.pid) - cpuBefore };
  }

  async end() {
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    await this.#model.close();
  }

  #nextArrival() {
    let timer;
    const arrival = new Promise((resolve, reject) => {
      this.#arrived = resolve;
      this.#failed = reject;
      timer = setTimeout(() => reject(new Error(`the host has said nothing for ${LIMIT_MS} ms`)), LIMIT_MS);
    });
    return arrival.finally(() => clearTimeout(timer));
  }

  #start(program, place) {
    const url = this.#model.url;
    const env = {
      ...environmentOf(place),
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "no-key",
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      NO_PROXY: "127.0.0.1",
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      IS_SANDBOX: "1",
    };
    const words = ["-p", "Go.", "--session-id", place.sessionId, "--plugin-dir", place.plugin];
    const more = ["--model", "claude-sonnet-4-5", "--permission-mode", "bypassPermissions"];
    const form = ["--output-format", "stream-json", "--verbose"];
    this.#child = spawn(program, [...words, ...more, ...form], {
      cwd: place.project,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (this.#errors = `${this.#errors}${text}`.slice(-2000)));
    this.#child.on("close", () => this.#failed(new Error(`the host has ended: ${this.#errors}`)));
  }

  #cpuBefore = 0;

  async #reply(rig, { kind, number, at }) {
    if (kind !== "main") {
      this.#isDisturbed = true;
      return rig.says("fine");
    }
    if (number % 2 === 0) {
      this.#cpuBefore = childrenCpu(this.#child.pid);
      return rig.says("This was a part of it.");
    }
    const released = new Promise((resolve) => (this.#release = resolve));
    this.#arrived({ at, cpuBefore: this.#cpuBefore });
    await released;
    return rig.bash(`echo ${number} > notes-${number % 7}.txt`);
  }
}

/** User and system time of all children that have ended, in ticks of 10 ms; 0 where nobody can say. */
function childrenCpu(pid) {
  try {
    const fields = fs
      .readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /u, "")
      .split(" ");
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return 0;
  }
}
