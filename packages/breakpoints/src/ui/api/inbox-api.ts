/** Everything that the pages ask of the server, one function each. */
import type {
  ChallengeReply,
  CommentBody,
  CommentReply,
  DecisionBody,
  DecisionReply,
  DecisionWords,
  FilePage,
  Me,
  NewPasskeyBody,
  NewPasskeyOptions,
  QuestionDetail,
  QuestionList,
  Side,
  SignInBody,
  SignInReply,
} from "../../wire/inbox-wire.js";
import type { ChannelList } from "../../wire/notify-wire.js";
import type { NightReport } from "../../wire/report-wire.js";
import type { RunDetail } from "../../wire/run-wire.js";
import type { ListKind } from "../model/question-list.js";
import { request } from "./request.js";

const at = (id: string): string => `/api/questions/${encodeURIComponent(id)}`;

export interface ListQuery {
  state: ListKind;
  search?: string;
  after?: string;
  limit?: number;
}

export function listQuestions({ state, search = "", after, limit = 100 }: ListQuery): Promise<QuestionList> {
  const params = new URLSearchParams({ state, limit: String(limit) });
  if (search !== "") params.set("search", search);
  if (after !== undefined) params.set("after", after);
  return request(`/api/questions?${params}`);
}

export function readQuestion(id: string): Promise<QuestionDetail> {
  return request(at(id));
}

export function readRun(id: string): Promise<RunDetail> {
  return request(`/api/runs/${encodeURIComponent(id)}`);
}

export function readFilePage(id: string, { n, side, from }: { n: number; side: Side; from: number }) {
  return request<FilePage>(`${at(id)}/files/${n}?${new URLSearchParams({ side, from: String(from) })}`);
}

export function decide(id: string, body: DecisionBody): Promise<DecisionReply> {
  return request(`${at(id)}/decision`, { method: "POST", body });
}

export function askChallenge(id: string, words: DecisionWords): Promise<ChallengeReply> {
  return request(`${at(id)}/challenge`, { method: "POST", body: words });
}

export function comment(id: string, body: CommentBody): Promise<CommentReply> {
  return request(`${at(id)}/comments`, { method: "POST", body });
}

export function signIn(body: SignInBody): Promise<SignInReply> {
  return request("/api/sign-in", { method: "POST", body, unsigned: true });
}

export function readMe(): Promise<Me> {
  return request("/api/me");
}

export function readChannels(): Promise<ChannelList> {
  return request("/api/channels");
}

export function readReport(since: Date): Promise<NightReport> {
  return request(`/api/report?${new URLSearchParams({ since: since.toISOString() })}`);
}

export function signOut(): Promise<void> {
  return request("/api/sign-out", { method: "POST", body: {} });
}

export function removeDevice(device: string): Promise<void> {
  return request(`/api/devices/${encodeURIComponent(device)}`, { method: "DELETE" });
}

export function askNewPasskey(): Promise<NewPasskeyOptions> {
  return request("/api/passkeys/challenge", { method: "POST", body: {} });
}

export function addPasskey(body: NewPasskeyBody): Promise<void> {
  return request("/api/passkeys", { method: "POST", body });
}

export function removePasskey(credentialId: string): Promise<void> {
  return request(`/api/passkeys/${encodeURIComponent(credentialId)}`, { method: "DELETE" });
}
