/** What the search of the site finds: sections that are good answers to what somebody typed. No page, no network. */
globalThis.siteSearch = (() => {
  /** What people type → what the pages say. Values of several words are found where these stand beside each other. */
  const ALSO = {
    abort: ["cancel"],
    approve: ["approval", "decide"],
    bug: ["problem", "troubleshooting"],
    cli: ["command"],
    config: ["configuration", "setting"],
    corrupt: ["damaged"],
    corruption: ["damaged"],
    corrupted: ["damaged"],
    budget: ["limits"],
    cost: ["budget", "spend"],
    crash: ["failed", "killed"],
    cron: ["ci", "overnight", "crontab"],
    debug: ["troubleshooting", "look closer"],
    delete: ["remove"],
    docker: ["ci", "without a display"],
    env: ["environment"],
    error: ["failed", "problem"],
    executing: ["executed"],
    forever: ["limit", "does not end"],
    freeze: ["waits", "does not move"],
    frozen: ["waits", "does not move"],
    hang: ["waits", "does not move"],
    hung: ["waits", "does not move"],
    money: ["budget", "spend"],
    parse: ["does not count"],
    parsing: ["does not count"],
    permission: ["allow"],
    phone: ["notification", "notified"],
    privacy: ["leaves"],
    schedule: ["overnight", "crontab"],
    slack: ["notification"],
    sms: ["notification"],
    stop: ["cancel"],
    stuck: ["waits", "does not move"],
    timeout: ["time limit"],
    typescript: ["types"],
    uninstall: ["remove"],
    update: ["upgrade"],
    var: ["variable"],
    windows: ["wsl", "platform"],
  };
  /** They say nothing, unless nothing else was typed. */
  const EMPTY = new Set(
    "a an and are at be but by can do does for from how i in into is it my not of on or that the this to was what when where which why will with you your".split(
      " ",
    ),
  );
  /** Where newcomers find their answers first; the first that fits counts. */
  const WORTH = [
    // Whoever names a problem wants its cure.
    [/^docs\/guide\/troubleshooting\.html/u, 1.5],
    [/^(?:index|docs\/(?:index|tutorial|guide\/.*))\.html/u, 1],
    [/^(?:docs\/(?:promises|reference\/differences)|[A-Z]+)\.html|^bench\/|sdk\/sdk\.html/u, 0.3],
    [/^docs\//u, 0.7],
    [/^(?:packages|plugins)\//u, 0.6],
    [/^/u, 0.45],
  ];
  const IN_TITLE = 10;
  const IN_HEADING = 8;
  const IN_TEXT = 1;
  /** Of a word that only begins like it, and of one that means the same. */
  const BEGINS = 0.6;
  const SAME = 0.8;
  const SNIPPET = 150;

  const WORD = /[\p{L}\p{N}]+/gu;
  /** Every word that was ever seen, once: the pages say few different ones very often. */
  const known = new Map();

  /** Words of letters and digits, so that run:list is two, and stop-hook is a stop hook. */
  function wordsOf(text) {
    return (text.toLowerCase().match(WORD) ?? []).map((shown) => {
      let word = known.get(shown);
      if (word === undefined) known.set(shown, (word = { shown, stem: stemOf(shown) }));
      return word;
    });
  }

  /** The same for retry, retries, retried and retrying. */
  function stemOf(word) {
    if (word.length < 4) return word;
    const bare = word
      .replace(/(?:ies|ied)$/u, "y")
      .replace(/(?<=[aeiouy].*)(?:ing|ed)$/u, "")
      .replace(/(?<=[^su])s$/u, "");
    // stopp(ing) is stop, but pass(ed) stays.
    return bare.replace(/([^aeiouylsz])\1$/u, "$1").replace(/(?<=..)e$/u, "");
  }

  /** Sections as the search needs them. */
  function prepare(sections) {
    let last;
    return sections.map((section) => {
      const page = section.url.replace(/#.*/u, "");
      const isFirst = page !== last;
      last = page;
      const [title, heading, text] = [section.title, section.heading, section.text].map(wordsOf);
      return {
        ...section,
        isFirst,
        worth: WORTH.find(([where]) => where.test(page))[1],
        words: { title, heading, text },
      };
    });
  }

  /** What was typed, as needs: each a word with everything that means the same. */
  function needsOf(typed) {
    const all = wordsOf(typed);
    const some = all.filter(({ shown }) => !EMPTY.has(shown));
    return (some.length > 0 ? some : all).map((word) => ({
      ...word,
      also: (ALSO[word.shown] ?? []).map((phrase) => wordsOf(phrase)),
      seen: new Map(),
    }));
  }

  /** How well a word is what is needed. One of two letters has to be all of it: CI is not a circle. */
  function likeness(word, { shown, stem }) {
    if (word.shown === shown) return 1;
    if (word.stem === stem) return 0.95;
    return shown.length > 2 && word.shown.startsWith(shown) ? BEGINS : 0;
  }

  const standsAt = (words, at, phrase) => phrase.every(({ stem }, next) => words[at + next]?.stem === stem);

  /** Where a need is met, and how well: `{ at, count, by }`, where `count` is how many words meet it there. */
  function meetings(words, need) {
    const found = [];
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at];
      let by = need.seen.get(word);
      if (by === undefined) need.seen.set(word, (by = likeness(word, need)));
      if (by > 0) found.push({ at, count: 1, by });
      else if (need.also.length > 0) {
        const phrase = need.also.find((other) => standsAt(words, at, other));
        if (phrase !== undefined) found.push({ at, count: phrase.length, by: SAME });
      }
    }
    return found;
  }

  /** The best meeting counts, and all of them together say whether the text is about it. */
  function fieldScore(words, need) {
    const found = meetings(words, need);
    if (found.length === 0) return undefined;
    return found.reduce(({ best, sum }, { by }) => ({ best: Math.max(best, by), sum: sum + by }), { best: 0, sum: 0 });
  }

  function needScore({ isFirst, words: { title, heading, text } }, need) {
    const inTitle = fieldScore(title, need);
    const inHeading = isFirst ? undefined : fieldScore(heading, need);
    const inText = fieldScore(text, need);
    // The title belongs to the beginning of its page; further down it only says that the page is the right one.
    return (
      (inTitle?.best ?? 0) * (isFirst ? IN_TITLE : 2) +
      (inHeading?.best ?? 0) * IN_HEADING +
      (inText === undefined ? 0 : inText.best * IN_TEXT * (1 + Math.log2(1 + inText.sum)))
    );
  }

  /** What several words are worth beside each other, and a name that is just what was typed. */
  function wholeScore({ isFirst, words: { title, heading, text } }, needs) {
    const name = isFirst ? title : heading;
    const isIn = (words) => words.some((_, at) => standsAt(words, at, needs));
    const exact = name.length === needs.length && isIn(name) ? IN_HEADING / 2 : 0;
    if (needs.length === 1) return exact;
    if (isIn(name)) return exact + IN_HEADING;
    return isIn(text) ? IN_HEADING / 2 : 0;
  }

  function scoreOf(section, needs) {
    const scores = needs.map((need) => needScore(section, need)).filter((score) => score > 0);
    const sum = scores.reduce((all, score) => all + score, wholeScore(section, needs));
    return { section, met: scores.length, score: sum * section.worth };
  }

  /** `{ hits, isPartial }`: the sections that have all words, or else those that have the most of them. */
  function find(prepared, typed) {
    const needs = needsOf(typed);
    const scored = prepared.map((section) => scoreOf(section, needs)).filter(({ met }) => met > 0);
    const most = scored.reduce((so, { met }) => Math.max(so, met), 0);
    const hits = scored.filter(({ met }) => met === most).toSorted((a, b) => b.score - a.score);
    return { hits: hits.map(({ section }) => section), isPartial: most < needs.length, needs };
  }

  /** Pieces `{ text, isMarked }` of a text, cut to where it says most about the needs. */
  function pieces(text, needs, most = Number.POSITIVE_INFINITY) {
    const words = wordsOf(text);
    const places = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ from: index, to: index + word.length }));
    const marks = needs
      .flatMap((need) =>
        meetings(words, need).map(({ at, count }) => ({ need, from: places[at].from, to: places[at + count - 1].to })),
      )
      .toSorted((a, b) => a.from - b.from);
    const [from, to] = windowOf(text, marks, most);
    const found = [];
    let end = from;
    for (const mark of marks.filter((one) => one.from >= from && one.to <= to)) {
      if (mark.from < end) continue;
      found.push({ text: text.slice(end, mark.from), isMarked: false });
      found.push({ text: text.slice(mark.from, mark.to), isMarked: true });
      end = mark.to;
    }
    found.push({ text: text.slice(end, to), isMarked: false });
    if (from > 0) found.unshift({ text: "…\u00a0", isMarked: false });
    if (to < text.length) found.push({ text: "\u00a0…", isMarked: false });
    return found.filter((piece) => piece.text !== "");
  }

  /** The first part of the text, no longer than `most`, in which most of the needs are met. */
  function windowOf(text, marks, most) {
    if (text.length <= most) return [0, text.length];
    let best = { from: 0, met: 0 };
    for (const { from } of marks) {
      const inside = marks.filter((mark) => mark.from >= from && mark.to <= from + most * 0.7);
      const met = new Set(inside.map(({ need }) => need)).size;
      if (met > best.met) best = { from, met };
    }
    const before = Math.max(0, best.from - Math.round(most * 0.3));
    const from = before === 0 ? 0 : text.indexOf(" ", before) + 1;
    const last = text.lastIndexOf(" ", from + most);
    return [from, from + most >= text.length ? text.length : last > from ? last : from + most];
  }

  return { prepare, find, pieces, SNIPPET };
})();
