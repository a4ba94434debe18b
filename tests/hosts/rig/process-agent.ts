/** What an agent says that follows a process: the commands of a run, in the words that it was told. */
import { bash, type ModelRequest, type Reply, says } from "./scripted-model.js";

/** A field of the JSON document that the last command has printed. */
export function printed({ news }: ModelRequest, field: string): string {
  return new RegExp(`"${field}": "([^"]+)"`, "u").exec(news)?.[1] ?? "";
}

/** The run that the session was told of; what instructions have in its place is in angle brackets. */
function runOf({ body }: ModelRequest): string {
  return /run:(?:iterate|status) ([^\s<]+) --json/u.exec(JSON.stringify(body.messages))?.[1] ?? "";
}

export const iterates = (request: ModelRequest): Reply => bash(`babysitter run:iterate ${runOf(request)} --json`);

export const looks = (request: ModelRequest): Reply => bash(`babysitter run:status ${runOf(request)} --json`);

/** Posts the result of the first task that the last iteration asked for, as its skill says. */
export const posts =
  (value: string) =>
  (request: ModelRequest): Reply =>
    bash(
      `babysitter task:post ${runOf(request)} ${printed(request, "effectId")} --status ok --value - --json <<'JSON'\n${value}\nJSON`,
    );

export const proves = (request: ModelRequest): Reply =>
  says(`The run is complete.\n\n<promise>${printed(request, "completionProof")}</promise>`);
