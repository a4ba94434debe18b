/** `babysitter paths`: a map of the disk. */
import fs from "node:fs";
import os from "node:os";
import { configFiles } from "../../config/read-config.js";
import { lastFolders, ownFolders } from "../../hooks/hook-folders.js";
import { pluginRootIn } from "../../hosts/environments.js";
import { accessLogFile } from "../../inbox/access-log.js";
import { serverRecordFile } from "../../inbox/server-record.js";
import { inboxFolder } from "../../machine/inbox/inbox-settings.js";
import { logFile } from "../../machine/inbox/start-server.js";
import { explainPlaces } from "../../machine/project/project-root.js";
import { defined } from "../../model/json.js";
import { VERSION } from "../../model/version.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import type { Command } from "../grammar/invocation.js";
import { alignColumns } from "../output/output.js";

export const command: Command = async (invocation) => {
  const { env, paint } = invocation;
  const { projectRoot, why, runsDir, archiveDir, runsWhy } = explainPlaces(
    invocation.places(),
    invocation.env,
    invocation.options.text("runs-dir"),
  );
  const hostPluginRoot = pluginRootIn(env);
  const hooks = { projectRoot, env, home: env["HOME"] || os.homedir(), ...defined({ hostPluginRoot }) };
  const config = configFiles(projectRoot, env);
  const inbox = inboxFolder(env);
  const document = {
    project: { path: projectRoot, exists: fs.existsSync(projectRoot), why },
    runs: { ...place(runsDir), why: runsWhy },
    archive: place(archiveDir),
    hooks: [...ownFolders(hooks), ...lastFolders(hooks)].map(({ tier, dir }) => ({ tier, ...place(dir) })),
    config: { team: place(config.team), person: place(config.person) },
    state: place(sessionPlaces({ env, cwd: invocation.cwd }).home),
    inbox: {
      folder: place(inbox),
      devices: place(accessLogFile(inbox)),
      server: place(serverRecordFile(inbox)),
      log: place(logFile(inbox)),
    },
    cli: { path: process.argv[1] as string, realPath: fs.realpathSync(process.argv[1] as string), version: VERSION },
    node: { path: process.execPath, version: process.versions.node },
  };
  const missing = paint("dim", "missing");
  const row = (name: string, { path, exists }: Place, note = ""): string[] => [name, path, exists ? note : missing];
  const rows = [
    row("project", document.project, why),
    row("runs", document.runs, runsWhy === "inside the project" ? "" : runsWhy),
    row("archive", document.archive),
    ...document.hooks.map((folder) => row(`hooks (${folder.tier})`, folder)),
    row("config (team)", document.config.team),
    row("config (person)", document.config.person),
    row("personal state", document.state, env["BABYSITTER_HOME"] ? "BABYSITTER_HOME" : ""),
    row("inbox", document.inbox.folder),
    row("inbox (devices)", document.inbox.devices),
    row("inbox (server)", document.inbox.server),
    row("inbox (log)", document.inbox.log),
    ["babysitter", document.cli.path, VERSION],
    ["node", document.node.path, document.node.version],
  ];
  return { document, text: alignColumns(rows) };
};

interface Place {
  path: string;
  exists: boolean;
}

function place(path: string): Place {
  return { path, exists: fs.existsSync(path) };
}
