/**
 * A loop in a world that a test makes up: a working tree that changes, checks that tell the truth about the tree they
 * ran on, money, a clock that jumps. The decisions, their records and the fold are the real ones; what is right is
 * worked out here anew, from what has happened and not from the state.
 */
import { isDeepStrictEqual } from "node:util";
import { type Decision, decide, decideGuard, recordOf } from "../../../packages/sdk/src/loop/rules/decide.js";
import type { Probes, RunView, Situation } from "../../../packages/sdk/src/loop/rules/situation.js";
import type { LoopContract, LoopLimits } from "../../../packages/sdk/src/model/loop-contract.js";
import type { CriterionChecked, LoopEventPayloads, Spend } from "../../../packages/sdk/src/model/loop-events.js";
import { beginLoop, foldLoop, type LoopState } from "../../../packages/sdk/src/model/loop-state.js";
import { checked, PROMISE, PROOF, RUNNING, SESSION, STARTED, said, spent } from "./situations.js";

/** What the agent says at the end of a turn. */
export const WORDS = {
  nothing: "I go on with it.",
  promise: said(PROMISE),
  proof: said(PROOF),
  complete: "<loop-complete>everything is met</loop-complete>",
  quoted: `I will output \`${said(PROMISE)}\` when I am done.`,
  blocked: "<loop-blocked>no key</loop-blocked>",
} as const;

export interface Stop {
  says: keyof typeof WORDS;
  tools: number | undefined;
  usd: number;
  seconds: number;
  /** The host tells what was used. */
  told: boolean;
  isSilent: boolean;
  isTampered: boolean;
  denied: number;
  background: number;
  /** Of a session that has lost the loop. */
  isForeign: boolean;
}

/** How a check went: nobody touched the tree, the agent did, the check did, or it began on an older tree. */
export type CheckWay = "quiet" | "disturbed" | "changing" | "late";

/** Results of one check on one tree: always the same, or now and then another. */
type Truth = "met" | "unmet" | "flaky";

export interface World {
  contract: LoopContract;
  hasProcess: boolean;
  /** Makes the truth about trees. */
  seed: number;
  /** More than 1 for a loop that was taken over; only without a limit of iterations. */
  iteration?: number;
}

type Events = { [T in keyof LoopEventPayloads]: { type: T; payload: LoopEventPayloads[T]; timestamp: string } };
type LoopDraft = Events[keyof LoopEventPayloads];

/** Blocks that use up no iteration. */
const UNCOUNTED = new Set(["verifying", "ask_human"]);
const MAX_WAITS = 5;

export class ImaginedLoop {
  readonly events: LoopDraft[] = [];
  readonly codes: string[] = [];
  readonly #world: World;
  #state: LoopState;
  #tree = "tree-0";
  #oldTree = "tree-0";
  #now = Date.parse(STARTED);
  #spend = spent(0);
  #limits: LoopLimits;
  #run: RunView;
  #granted = 0;
  #waits = 0;
  #isPaused = false;
  #ended: Decision | undefined;
  readonly #asked = new Set<string>();

  constructor(world: World) {
    this.#world = world;
    this.#limits = world.contract.limits;
    this.#run = { ...RUNNING, hasProcess: world.hasProcess };
    const payload = { contract: world.contract, goal: { value: "Fix it" }, iteration: world.iteration ?? 1 };
    this.events.push({ type: "LOOP_STARTED", payload, timestamp: STARTED });
    this.#state = this.#foldedAnew();
    this.#append("SESSION_BOUND", { harness: "claude-code", sessionId: SESSION, by: "start" });
  }

  get ended(): Decision | undefined {
    return this.#ended;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  edit(tree: number): void {
    this.#oldTree = this.#tree;
    this.#tree = `tree-${tree}`;
  }

  clock(minutes: number): void {
    this.#now += minutes * 60_000;
  }

  /** The program dies; whoever comes next folds the journal. */
  crash(): void {
    const again = this.#foldedAnew();
    this.#require(isDeepStrictEqual(again, this.#state), "folded anew from its journal is another one");
    this.#state = again;
  }

  pause(): void {
    if (this.#ended !== undefined || this.#isPaused) return;
    this.#append("LOOP_PAUSED", { code: "by_request", message: "", by: "person" });
    this.#isPaused = true;
  }

  resume(raise: number): void {
    if (this.#ended !== undefined || !this.#isPaused) return;
    const { iterations } = this.#limits;
    const limits = raise > 0 && iterations > 0 ? { iterations: iterations + raise } : undefined;
    this.#append("LOOP_RESUMED", { by: "person", ...(limits === undefined ? {} : { limits }) });
    this.#limits = { ...this.#limits, ...limits };
    this.#isPaused = false;
    this.#waits = 0;
  }

  step(id: string, status: "open" | "done" | "failed"): void {
    if (this.#ended !== undefined) return;
    this.#append("STEP_CHANGED", { step: id, title: id, status, by: "agent", errorClass: "logic" });
  }

  completeRun(): void {
    if (this.#run.hasProcess) this.#run = { ...this.#run, state: "completed", proof: PROOF, openQuestions: [] };
  }

  askQuestion(id: string): void {
    if (this.#run.hasProcess && this.#run.proof === undefined) this.#run = { ...this.#run, openQuestions: [id] };
  }

  answerQuestions(): void {
    this.#run = { ...this.#run, openQuestions: [] };
  }

  /** The engine looks at a criterion. `luck` decides where the truth leaves it open. */
  check(index: number, way: CheckWay, { luck, to }: { luck: boolean; to: number }): void {
    const { criteria } = this.#world.contract;
    const id = criteria[index % Math.max(1, criteria.length)]?.id;
    if (id === undefined || this.#ended !== undefined) return;
    const before = way === "late" ? this.#oldTree : this.#tree;
    if (way === "disturbed" || way === "changing") this.edit(to);
    const after = way === "late" ? before : this.#tree;
    const alone = way !== "disturbed" && (this.#isPaused || this.#state.session === undefined);
    const truth = this.#truthOf(id, after);
    const isGuess = truth === "flaky" || (before !== after && !alone);
    const ok = isGuess ? luck : truth === "met";
    this.#append("CRITERION_CHECKED", checked(id, ok, { before, after, alone }));
  }

  /** A turn ends: what the hook would do. */
  stop(stop: Stop): void {
    this.#now += stop.seconds * 1_000;
    this.#spend = { ...this.#spend, ...used(this.#spend, stop.usd) };
    const situation = this.#situation(stop);
    const before = JSON.stringify(this.#state);
    const guard = decideGuard(situation.input, { kind: "bound", state: this.#state, run: this.#run });
    if (guard !== undefined) {
      this.#require(guard.action === "allow", "is held by a guard");
      this.#require(JSON.stringify(this.#state) === before, "is changed by a guard");
      return;
    }
    this.#require(!this.#isPaused && this.#ended === undefined && !stop.isForeign, "has no guard");
    const decision = decide(situation);
    this.#require(isDeepStrictEqual(decide({ ...situation }), decision), "is decided otherwise by a second hook");
    this.#require(JSON.stringify(this.#state) === before, "is changed by deciding");
    this.codes.push(decision.code);
    this.#judge(decision, situation);
    this.#append("STOP_HOOK_INVOKED", {
      ...recordOf(situation, decision),
      ...(decision.action === "pause" ? { paused: "why" } : {}),
      ...(decision.attestation === undefined ? {} : { ended: decision.attestation }),
    });
    this.#isPaused = decision.action === "pause";
    if (decision.action === "done") this.#ended = decision;
    this.#require((this.#state.paused !== undefined) === this.#isPaused, "is paused and is not");
    this.#require(this.#state.ended?.attestation === this.#ended?.attestation, "has ended and has not");
  }

  #judge(decision: Decision, { probes }: Situation): void {
    if (decision.action === "block") this.#judgeBlock(decision, probes);
    this.#waits = decision.code === "verifying" ? this.#waits + 1 : 0;
    if (decision.action !== "done") return;
    const claimed = this.#run.hasProcess
      ? probes.blocks.includes(WORDS.proof) && this.#run.state === "completed"
      : probes.blocks.some((text) => text === WORDS.promise || text === WORDS.complete);
    this.#require(claimed, "ends without a claim");
    this.#require(
      this.#state.steps.every(({ status }) => status === "done"),
      "ends with an open step",
    );
    this.#require(!probes.silent && probes.tampered.length === 0, "ends although something was touched");
    const checkable = this.#world.contract.criteria.filter(({ kind }) => kind !== "claim");
    for (const { id } of checkable) this.#judgeCriterion(id);
    const required = checkable.filter((each) => each.kind !== "command" || each.role === "required");
    const attestation = this.#run.hasProcess ? "proof" : required.length > 0 ? "verified" : "claim";
    this.#require(decision.attestation === attestation, `ends as ${decision.attestation} instead of ${attestation}`);
  }

  /** The newest word of the engine about this very tree must be the right one, and true. */
  #judgeCriterion(id: string): void {
    const criterion = this.#world.contract.criteria.find((each) => each.id === id);
    const wanted = !(criterion?.kind === "command" && criterion.role === "must-not");
    const results = this.events.flatMap((event) => (event.type === "CRITERION_CHECKED" ? [event.payload] : []));
    const newest = results.findLast(
      ({ criterion: of, before, after, alone }) => of === id && after === this.#tree && (before === after || alone),
    );
    this.#require(newest?.ok === wanted, `ends although ${id} is ${newest === undefined ? "unknown" : newest.outcome}`);
    const truth = this.#truthOf(id, this.#tree);
    this.#require(truth === "flaky" || (truth === "met") === wanted, `ends although ${id} is in truth ${truth}`);
  }

  #judgeBlock({ code }: Decision, { spend }: Probes): void {
    const { iterations, usd = 0, tokens = 0, wallMs = 0 } = this.#limits;
    if (!UNCOUNTED.has(code)) this.#granted += 1;
    const isWithin = (value: number, limit: number): boolean => limit === 0 || value < limit;
    this.#require(isWithin(this.#granted, iterations), `grants ${this.#granted + 1} iterations of ${iterations}`);
    this.#require(isWithin(this.#now - Date.parse(STARTED), wallMs), "goes on after its time");
    this.#require(isWithin(spend?.knownUsd ?? 0, usd), "continuesout money");
    this.#require(isWithin(spend?.tokens.input ?? 0, tokens), "continuesout tokens");
    this.#require(usd === 0 || spend !== undefined || this.#granted <= 1, "continuesout knowing the costs");
    this.#require(code !== "verifying" || this.#waits < MAX_WAITS, "asks to wait for ever");
    for (const question of code === "ask_human" ? this.#run.openQuestions : []) {
      this.#require(!this.#asked.has(question), "asks twice");
      this.#asked.add(question);
    }
  }

  #situation(stop: Stop): Situation {
    const { state: run } = this.#run;
    const work = this.events.length;
    const newest = Object.values(this.#state.results).flatMap((list) => list.slice(-1));
    const failing = newest.flatMap(({ ok, criterion }: CriterionChecked) => (ok ? [] : [criterion]));
    const isTold = stop.told ? { spend: this.#spend } : {};
    return {
      input: {
        valid: true,
        sessionId: stop.isForeign ? "another" : SESSION,
        subagent: false,
        background: stop.background,
      },
      state: this.#state,
      run: this.#run,
      host: { blockCap: 8 },
      now: new Date(this.#now),
      probes: {
        blocks: stop.isSilent ? [] : [WORDS[stop.says]],
        silent: stop.isSilent,
        tree: this.#tree,
        tampered: stop.isTampered ? [{ name: "test.sh", what: "changed" }] : [],
        denied: stop.denied,
        verifying: false,
        sample: {
          at: new Date(this.#now).toISOString(),
          tree: this.#tree,
          work: run === "running" ? 0 : work,
          failing,
          stepsDone: this.#state.steps.filter(({ status }) => status === "done").length,
          seconds: stop.seconds,
          ...(stop.tools === undefined ? {} : { tools: stop.tools }),
        },
        ...isTold,
      },
    };
  }

  /** Of every tree: two of four checks succeed, one fails, one is not to be relied on. */
  #truthOf(id: string, tree: string): Truth {
    const mixed = `${this.#world.seed}/${id}/${tree}`
      .split("")
      .reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) | 0, 7);
    return (["met", "met", "unmet", "flaky"] as const)[Math.abs(mixed >> 3) % 4] as Truth;
  }

  #append<T extends keyof LoopEventPayloads>(type: T, payload: LoopEventPayloads[T]): void {
    const event = { type, payload, timestamp: new Date(this.#now).toISOString() } as LoopDraft;
    this.events.push(event);
    this.#take(this.#state, this.events.length - 1);
  }

  #foldedAnew(): LoopState {
    // Through text, as files would hold them.
    const events = JSON.parse(JSON.stringify(this.events)) as LoopDraft[];
    const state = beginLoop(events[0] as Events["LOOP_STARTED"]);
    for (let index = 1; index < events.length; index += 1) this.#take(state, index, events);
    return state;
  }

  #take(state: LoopState, index: number, events: readonly LoopDraft[] = this.events): void {
    const frame = { seq: index + 1, id: `e${index + 1}`, format: 1, writer: "test", prev: null, checksum: "" };
    foldLoop(state, { ...(events[index] as LoopDraft), ...frame });
  }

  #require(condition: boolean, problem: string): void {
    if (!condition) throw new Error(`The loop ${problem} (${this.codes.slice(-5).join(", ")}).`);
  }
}

function used({ knownUsd, tokens, calls }: Spend, usd: number): Partial<Spend> {
  const sum = knownUsd + usd;
  return { usd: sum, knownUsd: sum, calls: calls + 1, tokens: { ...tokens, input: tokens.input + usd * 100 } };
}
