/** The guides, followed by the letter. */
import { describe } from "vitest";
import { followPages } from "../fixtures/docs/run-pages.js";

describe("D1: the guides: every command prints what the page shows", () => {
  followPages({ guides: true });
});
