/** The pages that a newcomer reads first, and those beside the guides, followed by the letter. */
import { describe } from "vitest";
import { followPages } from "../fixtures/docs/run-pages.js";

describe("D1: the first pages: every command prints what the page shows", () => {
  followPages({ guides: false });
});
