/** Search and navigation of the site. It works from the disk too, where nothing can be fetched. */
(() => {
  const MOST = 12;
  const root = document.body.dataset.root ?? "";
  const query = document.getElementById("query");
  const found = document.getElementById("found");
  const menu = document.getElementById("menu");
  const wide = matchMedia("(min-width: 64.01rem)");

  const showMenu = () => {
    menu.open = wide.matches;
  };
  showMenu();
  wide.addEventListener("change", showMenu);

  let loading;
  const loadIndex = () => {
    loading ??= new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = `${root}search-index.js`;
      script.addEventListener("load", () => resolve(globalThis.searchIndex ?? []));
      document.head.append(script);
    });
    return loading;
  };

  // The name of a page counts most, then the heading, then the text.
  const scoreOf = ({ title, heading, text }, words) => {
    let score = 0;
    for (const word of words) {
      const here =
        (title.toLowerCase().includes(word) ? 8 : 0) +
        (heading.toLowerCase().includes(word) ? 5 : 0) +
        (text.toLowerCase().includes(word) ? 1 : 0);
      if (here === 0) return 0;
      score += here;
    }
    return score + (heading === title ? 3 : 0);
  };

  const linkTo = ({ url, title, heading }) => {
    const link = document.createElement("a");
    link.href = root + url;
    const about = document.createElement("small");
    about.textContent = title;
    link.append(heading, about);
    return link;
  };

  const search = async () => {
    const words = query.value.toLowerCase().split(/\s+/u).filter(Boolean);
    if (words.length === 0) return found.replaceChildren();
    const index = await loadIndex();
    const hits = index
      .map((section) => ({ section, score: scoreOf(section, words) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MOST);
    found.replaceChildren(...(hits.length === 0 ? ["Nothing found."] : hits.map(({ section }) => linkTo(section))));
  };

  query.addEventListener("input", () => void search());
  document.getElementById("search").addEventListener("submit", (event) => {
    event.preventDefault();
    found.querySelector("a")?.click();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== query) {
      event.preventDefault();
      query.focus();
    } else if (event.key === "Escape") found.replaceChildren();
  });
})();
