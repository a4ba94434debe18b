import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Authenticator } from "../../../../tests/fixtures/inbox/authenticator.js";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { SettableClock } from "../testing/index.js";
import { InboxAccess } from "./inbox-access.js";

const START = Date.UTC(2026, 0, 20, 8);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let home: string;
let clock: SettableClock;
beforeEach(() => {
  home = tempDir();
  clock = new SettableClock(START);
});

const access = (): InboxAccess => new InboxAccess({ home, now: () => clock.now() });
const logFile = (): string => path.join(home, "inbox", "access.jsonl");

function signedIn(name = "Firefox"): ReturnType<InboxAccess["signIn"]> {
  return access().signIn(access().makeLink("mia").link, name);
}

describe("passkeys", () => {
  it("removing the last one signs every browser out, and no link that was made before signs in again", () => {
    const [first, second] = [new Authenticator().key, new Authenticator().key];
    for (const key of [first, second]) access().addKey("device", key);
    const { token, device } = signedIn();
    const { link } = access().makeLink("mia");
    access().removeKey(device, "made up");
    access().removeKey(device, first.credentialId);
    expect(access().deviceOf(token)).toBeDefined();
    access().removeKey(device, second.credentialId);
    expect([access().keys(), access().devices()]).toEqual([[], []]);
    expect(() => access().signIn(link, "Firefox")).toThrow("used before");
    expect(access().deviceOf(signedIn().token)).toBeDefined();
  });
});

describe("signing in to the inbox", () => {
  it("a link signs one browser in, once, within ten minutes", () => {
    const { link } = access().makeLink("mia");
    const { token, device } = access().signIn(link, "Firefox");
    expect(access().deviceOf(token)).toMatchObject({ device, name: "Firefox" });
    expect(() => access().signIn(link, "another")).toThrow("used before");
    expect(() => access().signIn("made up", "another")).toThrow("used before");
    const late = access().makeLink("mia").link;
    clock.set(START + 10 * MINUTE);
    expect(() => access().signIn(late, "late")).toThrow("too old");
    expect(access().devices()).toHaveLength(1);
  });

  it("of two that show the same link at the same moment one is signed in", () => {
    const { link } = access().makeLink("mia");
    const second = new InboxAccess({
      home,
      // Asked for between the look at the log and the entry.
      now: () => {
        if (access().devices().length === 0) access().signIn(link, "first");
        return new Date(START);
      },
    });
    expect(() => second.signIn(link, "second")).toThrow("used before");
    expect(
      access()
        .devices()
        .map(({ name }) => name),
    ).toEqual(["first"]);
  });

  it("a token counts for twelve hours, not after a sign-out, and not by a clock that was set back", () => {
    const { token, device } = signedIn();
    clock.set(START + 12 * HOUR - 1);
    expect(access().deviceOf(token)).toBeDefined();
    clock.set(START + 12 * HOUR);
    expect(access().deviceOf(token)).toBeUndefined();
    clock.set(START - HOUR);
    expect(access().deviceOf(token)).toBeUndefined();
    clock.set(START + HOUR);
    access().signOut(device);
    expect(access().deviceOf(token)).toBeUndefined();
    expect(access().devices()).toEqual([]);
  });

  it("the log has no secret in it, and nobody else can read it", () => {
    const { link } = access().makeLink("mia");
    const { token } = access().signIn(link, "Firefox");
    const text = fs.readFileSync(logFile(), "utf8");
    expect(text).not.toContain(token);
    expect(text).not.toContain(link);
    expect(fs.statSync(logFile()).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(logFile())).mode & 0o777).toBe(0o700);
  });

  it("half a line, foreign lines and entries of a newer version are passed over", () => {
    const { token } = signedIn();
    fs.appendFileSync(logFile(), 'nonsense\n[]\n{"type":"SIGNED_OUT"}\n{"type":"NEW_THING","at":"x"}\n{"type":"SIGN');
    const other = signedIn("Chromium");
    expect([access().deviceOf(token)?.name, access().deviceOf(other.token)?.name]).toEqual(["Firefox", "Chromium"]);
  });

  it("a log that has grown long begins anew with what counts, and the old one stays", () => {
    const { token } = signedIn();
    const old = signedIn("gone");
    access().signOut(old.device);
    const { link } = access().makeLink("mia");
    const key = { credentialId: "k", publicKey: "p", origin: "http://localhost:3184", name: "key" };
    access().addKey("d", key);
    fs.appendFileSync(logFile(), `${"x".repeat(1023)}\n`.repeat(1025));
    access().shorten();
    expect(fs.statSync(logFile()).size).toBeLessThan(2048);
    expect(access().deviceOf(token)?.name).toBe("Firefox");
    expect(access().deviceOf(old.token)).toBeUndefined();
    expect(access().keys()).toEqual([key]);
    expect(access().signIn(link, "still good").name).toBe("still good");
    expect(fs.readdirSync(path.dirname(logFile())).toSorted()).toEqual([`access.${START}.jsonl`, "access.jsonl"]);
  });

  it("something else in its place is an error that says so, and nothing waits for it", () => {
    fs.mkdirSync(path.join(logFile(), "folder"), { recursive: true });
    expect(() => access().deviceOf("x")).toThrow("not a regular file");
    expect(() => access().makeLink("mia")).toThrow(/Cannot open/);
    fs.rmSync(logFile(), { recursive: true });
    fs.symlinkSync("/dev/zero", logFile());
    expect(() => access().deviceOf("x")).toThrow("symbolic link");
  });
});
