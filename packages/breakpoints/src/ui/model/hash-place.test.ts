import { describe, expect, it } from "vitest";
import { hashOf, placeIn } from "./hash-place.js";

describe("places in an exported run", () => {
  it("B7: come back from the address as they went into it", () => {
    const place = { part: "events", at: 12, event: 7 } as const;
    expect(hashOf(place)).toBe("#part=events&at=12&event=7");
    expect(placeIn(hashOf(place))).toEqual(place);
    expect([hashOf({}), placeIn("#")]).toEqual(["#", { part: "steps", at: undefined, event: undefined }]);
  });

  it("are the beginning when the address makes no sense", () => {
    for (const hash of ["", "#part=x&at=-1", "#at=1e9&event=<b>", "#%", "#part=steps&at=0"])
      expect(placeIn(hash)).toEqual({ part: "steps", at: undefined, event: undefined });
  });
});
