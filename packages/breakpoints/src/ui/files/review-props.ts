/** What the screen of a question gives to those who show its files. */
import type { ComponentChildren } from "preact";
import type { CommentBody, FileHead, FilePage, QuestionComment, Side } from "../../wire/inbox-wire.js";

export interface ReviewProps {
  questionId: string;
  loadPage: (n: number, side: Side, from: number) => Promise<FilePage>;
  comments: readonly QuestionComment[];
  canComment: boolean;
  /** Words that were typed and not sent, by their place, until they are sent or thrown away. */
  readDraft: (place: string) => string;
  keepDraft: (place: string, text: string) => void;
  /** All places that have one: a comment that was begun is there again after a reload. */
  draftPlaces?: () => readonly string[];
  onComment: (body: CommentBody) => Promise<void>;
}

export interface FileReviewProps extends ReviewProps {
  file: FileHead;
  /** What else can be done with it, beside its views. */
  tools?: ComponentChildren;
}
