/** The questions of all projects of one person. */
import path from "node:path";
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import {
  askQuestion,
  type BreakpointDescription,
  type BreakpointListing,
  comment,
  decide,
  describeBreakpoint,
  type Evidence,
  type FoundBreakpoint,
  findBreakpoint,
  type InboxDesk,
  listBreakpoints,
  listOpenBreakpoints,
  localContextFiles,
  openBreakpoints,
  openJournals,
  type UnreadableRun,
} from "@a5c-ai/babysitter-sdk/operate";
import type { Answer, NewAsking } from "../rules/parse-answer.js";
import { type Place, placesOf } from "./places.js";

export interface ProjectQuestion extends BreakpointListing {
  projectRoot: string;
}

export class Questions {
  readonly #desk: InboxDesk;
  readonly #changed: (runsDir: string, runId: string) => Promise<void>;

  /** `changed` is told of what was written here, so that the lists of the inbox have it at once. */
  constructor(desk: InboxDesk, changed: (runsDir: string, runId: string) => Promise<void>) {
    this.#desk = desk;
    this.#changed = changed;
  }

  /** The oldest first. */
  async list({ all }: { all: boolean }): Promise<{ questions: ProjectQuestion[]; unreadable: UnreadableRun[] }> {
    const questions: ProjectQuestion[] = [];
    const unreadable: UnreadableRun[] = [];
    const onUnreadable = (run: UnreadableRun): void => void unreadable.push(run);
    for (const { projectRoot, ports } of this.#places()) {
      const found = all
        ? await listBreakpoints(await openJournals(ports, undefined, onUnreadable), { all, onUnreadable })
        : await listOpenBreakpoints(ports, onUnreadable);
      questions.push(...found.map((question) => ({ ...question, projectRoot })));
    }
    return { questions: questions.toSorted((a, b) => Date.parse(a.askedAt) - Date.parse(b.askedAt)), unreadable };
  }

  async show(id: string): Promise<BreakpointDescription> {
    return describeBreakpoint(await this.#find(id), localContextFiles);
  }

  async answer(id: string, answer: Answer, evidence: Evidence): Promise<object> {
    const { journal, request } = await this.#find(id);
    const { effectId } = request;
    if (answer.kind === "comment") {
      const said = await comment(this.#desk, journal, { effectId, text: answer.text, evidence });
      await this.#changed(path.dirname(journal.runDir), journal.runId);
      return { breakpointId: effectId, state: "open", comments: said.count };
    }
    const { kind: _, author: _author, ...words } = answer;
    const { outcome, result } = await decide(this.#desk, journal, { effectId, ...words, evidence });
    await this.#changed(path.dirname(journal.runDir), journal.runId);
    return { breakpointId: effectId, state: result.approved ? "approved" : "rejected", outcome, result };
  }

  /** As a run of its own in the project that is named; it may be left out where there is only one. */
  async ask({ project, payload }: NewAsking): Promise<object> {
    const { projectRoot, runsDir, ports } = this.#placeOf(project);
    const { env } = this.#desk;
    const journal = await askQuestion(ports, { runsDir, projectRoot, env }, { payload });
    await openBreakpoints(journal, localContextFiles);
    await journal.saveCaches();
    await this.#changed(runsDir, journal.runId);
    const [breakpointId] = Object.keys(journal.summary.pending);
    return { breakpointId, runId: journal.runId, runDir: journal.runDir, state: "open" };
  }

  #placeOf(project: string | undefined): Place {
    const places = this.#places();
    const fitting = project === undefined ? places : places.filter(({ projectRoot }) => projectRoot === project);
    const [only, ...others] = fitting;
    if (only !== undefined && others.length === 0) return only;
    throw new BabysitterError("USAGE", only === undefined ? "No such project is known." : "Which project is meant?", {
      hint: 'Name one as "project". A project is known once a Babysitter command has run in it, or when REPO_ROOT names it.',
      details: { projects: places.map(({ projectRoot }) => projectRoot) },
    });
  }

  /** Its project is not known, so all are looked through; a short form must mean one question in all of them. */
  async #find(id: string): Promise<FoundBreakpoint> {
    const journals = [];
    for (const { ports } of this.#places()) journals.push(...(await openJournals(ports)));
    return findBreakpoint(journals, id);
  }

  #places(): Place[] {
    return placesOf(this.#desk);
  }
}
