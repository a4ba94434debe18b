/** Answers a hook of a host on this machine. Built as a file of its own, for hosts wait for it. */
import { answerHost } from "../../hosts/answer/answer-host.js";
import { failOpen } from "../../hosts/answer/fail-open.js";
import type { HostHookCall } from "../../hosts/answer/host-call.js";
import type { SlashRunner } from "../../hosts/answer/host-machine.js";
import type { HostAnswer } from "../../hosts/host.js";
import { endWhenSpinning } from "../watchdog.js";
import { recordCallingHost } from "./called-by.js";
import { localHostMachine } from "./local-host-machine.js";

/** What is known of a call before anything is read from the disk. */
export type PlainHookCall = Omit<HostHookCall, "machine"> & { runSlashCommand: SlashRunner };

/** These stay for as long as the session rests. */
const WATCHING: ReadonlySet<string> = new Set(["stop-watch", "stop-failure-watch"]);

export function answerHook(plain: PlainHookCall): Promise<HostAnswer> {
  if (plain.event === "session-start") recordCallingHost(plain.env, plain.places.home);
  if (WATCHING.has(plain.event)) endWhenSpinning(plain.env);
  return answerHost(callOf(plain));
}

/** When the engine itself has failed. */
export function failHookOpen(plain: PlainHookCall, thrown: unknown): Promise<HostAnswer> {
  return failOpen(callOf(plain), thrown);
}

function callOf({ runSlashCommand, ...call }: PlainHookCall): HostHookCall {
  const { cwd, env, harness: host, registry: sessions } = call;
  return { ...call, machine: localHostMachine({ cwd, env, host, sessions, runSlashCommand }) };
}
