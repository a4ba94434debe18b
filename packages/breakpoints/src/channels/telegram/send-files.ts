/** The files of a question, as they were when it was asked, for a person who asks for them. */
import { shownLine } from "@a5c-ai/babysitter-sdk/notify";
import { chosenFiles, documentName, LARGEST_FILE, MOST_FILES, shownBytes, whyNoFile } from "../../rules/chat-files.js";
import { htmlOf, type Line, LONGEST_CAPTION } from "../../rules/chat-html.js";
import type { FileHead } from "../../wire/inbox-wire.js";
import type { ChatRoom } from "./chat-room.js";

const NOT_ALLOWED: readonly Line[] = [
  ["Files are not sent to this chat. To allow this, run on your machine:"],
  [{ text: "babysitter extension enable telegram --files", as: "code" }],
];

/** `wanted`: a path, its end or its place in the list; empty for all. */
export async function sendFiles(
  room: ChatRoom,
  chat: string,
  { id, wanted }: { id: string; wanted: string },
): Promise<void> {
  if (!room.parts.record.files) return void (await room.say(chat, NOT_ALLOWED));
  const { files } = await room.parts.questions.look(id);
  const chosen = chosenFiles(files, wanted);
  if (chosen.length === 0) return void (await room.say(chat, noneLines(files, wanted)));
  for (const file of chosen) if (!(await sendFile(room, chat, { id, file }))) return;
  if (wanted === "" && files.length > MOST_FILES)
    await room.say(chat, [[`These are ${MOST_FILES} of ${files.length}. Name the one you want: file 1 path`]]);
}

function noneLines(files: readonly FileHead[], wanted: string): Line[] {
  if (files.length === 0) return [["This question has no files."]];
  const known = files.slice(0, MOST_FILES).map(({ path, n }): Line => [`${n + 1}) ${shownLine(path, 120)}`]);
  return [[`It has no file ${shownLine(wanted, 120)}. It has:`], ...known];
}

/** False when it makes no sense to go on with the next one. */
async function sendFile(room: ChatRoom, chat: string, { id, file }: { id: string; file: FileHead }): Promise<boolean> {
  const why = whyNoFile(file);
  if (why !== undefined) return notSent(room, chat, file, why);
  const content = await contentOf(room, { id, n: file.n });
  if (content === undefined) return notSent(room, chat, file, "it is too large");
  if (content.length === 0) return notSent(room, chat, file, "it is empty");
  try {
    await room.bot.sendFile(chat, { name: documentName(file.path), content, caption: captionOf(file) });
    return true;
  } catch (error) {
    await notSent(room, chat, file, error instanceof Error ? error.message : String(error));
    return false;
  }
}

async function notSent(room: ChatRoom, chat: string, { path }: FileHead, why: string): Promise<boolean> {
  await room.say(chat, [[{ text: shownLine(path, 200), as: "code" }, ` is not sent: ${shownLine(why, 200)}.`]]);
  return true;
}

/** As it was shown, whatever has become of the file since. Undefined when it is too much. */
async function contentOf(room: ChatRoom, { id, n }: { id: string; n: number }): Promise<Buffer | undefined> {
  const pages: Buffer[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page: { text: string; next: number | null; bytes: number } = await room.parts.questions.filePage(id, {
      n,
      side: "file",
      from,
    });
    if (page.bytes > LARGEST_FILE) return undefined;
    pages.push(Buffer.from(page.text));
    from = page.next;
  }
  return Buffer.concat(pages);
}

function captionOf({ path, cutAt, now }: FileHead): string {
  const notes = [
    "as it was when the question was asked",
    ...(cutAt === undefined ? [] : [`only its first ${shownBytes(cutAt)} were kept`]),
    ...(now === undefined ? [] : [`today: ${shownLine(now, 80)}`]),
  ];
  return htmlOf([[{ text: shownLine(path, 300), as: "code" }], [notes.join("; ")]], { longest: LONGEST_CAPTION });
}
