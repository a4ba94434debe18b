import { describe, expect, it } from "vitest";
import { childEnvironment } from "./child-environment.js";
import { markedEnvironment, matchMarker } from "./spawn-marker.js";

const asEnviron = (env: Record<string, string>): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${value}\0`)
    .join("");

describe("the environment of a child", () => {
  it("is the base, with the task's own values over it", () => {
    const base = { PATH: "/bin", LANG: "C", GONE: undefined };
    expect(childEnvironment(base, { LANG: "de", NEW: "1" }, [])).toEqual({
      env: { PATH: "/bin", LANG: "de", NEW: "1" },
      secrets: [],
      missing: [],
    });
  });

  it("takes secrets by name from the base, also over a value that the task has written down", () => {
    const { env, secrets } = childEnvironment({ TOKEN: "from-base" }, { TOKEN: "(secret)" }, ["TOKEN"]);
    expect(env).toEqual({ TOKEN: "from-base" });
    expect(secrets).toEqual(["from-base"]);
  });

  it("names secrets that are not there, and does not find them in Object", () => {
    const { env, missing } = childEnvironment({ PATH: "/bin" }, {}, ["TOKEN", "constructor", "TOKEN"]);
    expect(missing).toEqual(["TOKEN", "constructor"]);
    expect(env).toEqual({ PATH: "/bin" });
  });

  it("answers values for masking without the line end that came with them, and no short ones", () => {
    const { env, secrets } = childEnvironment({ A: "long-value\n", B: "abc", C: "long-value" }, {}, ["A", "B", "C"]);
    expect(env).toEqual({ A: "long-value\n", B: "abc", C: "long-value" });
    expect(secrets).toEqual(["long-value"]);
  });

  it("answers every other value for masking whose name says that it is secret, unless it looks like a word or a path", () => {
    const secret = { GITHUB_TOKEN: "ghp_0123456789", DB_PASSWORD: "Postgres", APP_SECRET: "correcthorsebatterystaple" };
    const others = {
      POSTGRES_PASSWORD: "postgres",
      MODE_KEY: "PRODUCTION",
      SSH_KEY: "/home/me/.ssh/id",
      PIN_KEY: "1234567",
    };
    const { secrets, missing } = childEnvironment({ ...secret, ...others, MAX_TOKENS: "1000000000" }, {}, []);
    expect(secrets).toEqual(Object.values(secret));
    expect(missing).toEqual([]);
  });
});

describe("the marker", () => {
  it("is added to the environment and found in it", () => {
    const env = markedEnvironment({ PATH: "/bin" }, "spawn-1");
    expect(env).toEqual({ PATH: "/bin", BABYSITTER_SPAWN_ID: "spawn-1" });
    expect(matchMarker(asEnviron(env), "spawn-1")).toBe("ours");
    expect(matchMarker(asEnviron(env), "spawn-")).toBe("other");
    expect(matchMarker(asEnviron({ PATH: "BABYSITTER_SPAWN_ID=spawn-1" }), "spawn-1")).toBe("none");
  });

  it("of an outer spawn stays known inside inner ones", () => {
    const inner = markedEnvironment(markedEnvironment(markedEnvironment({}, "outer"), "middle"), "inner");
    for (const marker of ["outer", "middle", "inner"]) expect(matchMarker(asEnviron(inner), marker)).toBe("ours");
    expect(matchMarker(asEnviron(inner), "oute")).toBe("other");
  });
});
