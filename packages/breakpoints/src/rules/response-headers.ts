export type Headers = Readonly<Record<string, string>>;

/** Of every response: it may not be framed, kept or guessed about. */
const ALWAYS = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/** For programs: nothing that comes from here may be shown in a page. */
export const MACHINE_HEADERS: Headers = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  ...ALWAYS,
};

/** For pages: everything they need comes from here, and text becomes markup in one place only. */
export const PAGE_HEADERS: Headers = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types dompurify",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  ...ALWAYS,
};

/** A file whose name changes with its content. */
export const IMMUTABLE = "public, max-age=31536000, immutable";
