/** Pages of the inbox in a real browser, which tell when something has come into sight. */
import path from "node:path";
import { runnerImport } from "vite";

/** Whoever starts it has to close it. */
export async function startBrowser() {
  const file = path.resolve(import.meta.dirname, "../tests/fixtures/browser/chrome.ts");
  const { module } = await runnerImport(file, { configFile: false, logLevel: "error" });
  const browser = await module.startChrome();
  return {
    close: () => browser.close(),
    /** A person who is signed in, and has looked at nothing yet. */
    async person(server) {
      const context = await module.newPerson(browser);
      context.setDefaultTimeout(5 * 60_000);
      await context.addInitScript(tellWhenSeen);
      const door = await context.newPage();
      await door.goto(server.signInAddress());
      await door.waitForURL(`${server.origin}/`);
      await door.close();
      return context;
    },
  };
}

/** In the page: the time of the first picture after something has come into the document. */
function tellWhenSeen() {
  const waiting = new Map();
  globalThis.seen = {};
  globalThis.whenSeen = (selector, text = "") => {
    const key = `${selector} ${text}`;
    if (globalThis.seen[key] !== undefined) return Promise.resolve(globalThis.seen[key]);
    return new Promise((resolve) => {
      waiting.set(key, { selector, text, resolve });
      look();
    });
  };
  const look = () => {
    for (const [key, { selector, text, resolve }] of waiting) {
      const isThere = [...document.querySelectorAll(selector)].some(
        (element) =>
          element.textContent.includes(text) && (element.tagName !== "CANVAS" || element.width * element.height > 0),
      );
      if (!isThere) continue;
      waiting.delete(key);
      requestAnimationFrame(() =>
        setTimeout(() => {
          globalThis.seen[key] = performance.timeOrigin + performance.now();
          resolve(globalThis.seen[key]);
        }),
      );
    }
  };
  // The nodes themselves: a size that is set later is no new node.
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });
}

/** Opens an address, without a cache, and answers after how many milliseconds each of these was to be seen. */
export async function openPage(person, address, selectors) {
  const page = await person.newPage();
  const devtools = await person.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  const assets = new Map();
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith("/assets/")) assets.set(pathname, Number(response.headers()["content-length"]));
  });
  await page.goto(address, { waitUntil: "commit" });
  const times = await page.evaluate(
    (wanted) =>
      Promise.all(wanted.map(async (selector) => (await globalThis.whenSeen(selector)) - performance.timeOrigin)),
    selectors,
  );
  /** Of what the page still needs. */
  const memoryMb = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await devtools.send("Runtime.getHeapUsage");
    return usedSize / 1024 / 1024;
  };
  return { page, times, assets, memoryMb };
}

/** Milliseconds from a move of the slider until the picture shows the run after that event. */
export function moveSlider(page, to) {
  return page.evaluate(async (seq) => {
    const slider = document.querySelector(".travel input[type=range]");
    const began = performance.timeOrigin + performance.now();
    slider.value = String(seq);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    return (await globalThis.whenSeen(".travel-banner", `after event ${seq} of`)) - began;
  }, to);
}
