/** The process of one-question runs as a file beside the runs, where every replay finds it. */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { textIfRegular } from "../files/read-regular-file.js";
import { withDiskErrors } from "../journal/files/disk-errors.js";
import { DIR_MODE } from "../journal/files/journal-fs.js";
import { ONE_QUESTION } from "../runs/one-question.js";

/** More than the text that is looked for. */
const LARGEST = 64 * 1024;

/** Answers the path of the file; writes it unless it is there. */
export function placeOneQuestion(runsDir: string, unique: string): string {
  const file = path.join(runsDir, ONE_QUESTION.file);
  withDiskErrors(runsDir, () => {
    if (isThere(file)) return;
    makeFolders(runsDir, DIR_MODE);
    // Several may do so at once; each puts the same text there in one step.
    const temporary = `${file}.${unique}`;
    fs.writeFileSync(temporary, ONE_QUESTION.text, { mode: 0o600 });
    fs.renameSync(temporary, file);
  });
  return file;
}

function isThere(file: string): boolean {
  return textIfRegular(file, LARGEST) === ONE_QUESTION.text;
}
