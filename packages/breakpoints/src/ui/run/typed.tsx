/** What to type to get a run on. */
import { Command } from "../parts/command.js";
import { UserText } from "../parts/user-text.js";
import type { NextCommand } from "./next-commands.js";

/** Commands, each in its sentences, and where to type them. */
export function Typed({ commands, folder }: { commands: readonly NextCommand[]; folder?: string }) {
  if (commands.length === 0) return null;
  return (
    <div class="run-next">
      {commands.map(({ lead, command, about }) => (
        <div key={command}>
          <p>{lead}</p>
          <Command text={command} />
          {about === undefined ? null : (
            <p class="quiet">
              <UserText text={about} />
            </p>
          )}
        </div>
      ))}
      {folder === undefined ? null : (
        <p class="quiet">
          In the project's folder, <UserText text={folder} />
        </p>
      )}
    </div>
  );
}
