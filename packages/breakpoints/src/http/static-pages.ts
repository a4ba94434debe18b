/** The files of the pages. Every address without a dot is a page, and so is that of a run or a question; all pages are one file. */
import type { Handler } from "hono";
import { IMMUTABLE } from "../rules/response-headers.js";
import type { InboxParts, StaticPage } from "./inbox-parts.js";

const INDEX = "/index.html";
/** What people call their runs may have dots in it. */
const NAMED = /^\/(?:runs|questions)\/[^/]+\/?$/u;

export function staticPages({ pages }: Pick<InboxParts, "pages">): Handler {
  return (context) => {
    const { path } = context.req;
    const page =
      pages.get(path === "/" ? INDEX : path) ??
      (path.includes(".") && !NAMED.test(path) ? undefined : pages.get(INDEX));
    if (page === undefined && pages.size > 0) return context.notFound();
    if (page === undefined)
      return context.text("The pages of the inbox are not built. In a clone of Babysitter run: npm run build\n", 503);
    const isPacked = /\bgzip\b/u.test(context.req.header("accept-encoding") ?? "");
    return context.body(isPacked ? page.packed : page.bytes, 200, headersOf(page, isPacked));
  };
}

function headersOf({ type, immutable }: StaticPage, isPacked: boolean): Record<string, string> {
  return {
    "Content-Type": type,
    Vary: "Accept-Encoding",
    ...(immutable ? { "Cache-Control": IMMUTABLE } : {}),
    ...(isPacked ? { "Content-Encoding": "gzip" } : {}),
  };
}
