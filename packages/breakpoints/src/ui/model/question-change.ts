/** What has happened to a question while somebody reads it. */
import type { QuestionDetail } from "../../wire/inbox-wire.js";

export type QuestionChange = "same" | "files" | "comments" | "changed" | "decided";

/** From what is on the screen to how it stands now; the gravest change counts. */
export function changeOf(shown: QuestionDetail, now: QuestionDetail): QuestionChange {
  if (shown.state !== now.state) return now.state === "open" ? "changed" : "decided";
  if (shown.shown !== now.shown || askedOf(shown) !== askedOf(now)) return "changed";
  if (now.comments.length !== shown.comments.length) return "comments";
  return filesToday(shown) === filesToday(now) ? "same" : "files";
}

function filesToday({ files }: QuestionDetail): string {
  return files.map((file) => file.now ?? "").join("\0");
}

/** Everything that is asked, without what merely happens to it. */
function askedOf({ question, title, options, facts, consequences, risk, needs, readOnly }: QuestionDetail): string {
  return JSON.stringify([question, title, options, facts, consequences, risk, needs, readOnly]);
}
