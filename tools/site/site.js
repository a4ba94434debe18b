/** Search and navigation of the site. It works from the disk too, where nothing can be fetched. */
(() => {
  const MOST = 12;
  const { prepare, find, pieces, SNIPPET } = globalThis.siteSearch;
  const root = document.body.dataset.root ?? "";
  const byId = (id) => document.getElementById(id);
  const [form, query, found, said, list, more] = ["search", "query", "found", "said", "hits", "more"].map(byId);
  const menu = byId("menu");
  const wide = matchMedia("(min-width: 64.01rem)");

  const showMenu = () => {
    menu.open = wide.matches;
  };
  showMenu();
  wide.addEventListener("change", showMenu);
  const nav = menu.parentElement;
  const current = nav.querySelector("[aria-current]");
  // The list may be longer than the window; it moves only if the page itself would not be seen.
  if (current !== null && wide.matches && current.offsetTop > nav.clientHeight - 40)
    nav.scrollTop = current.offsetTop - nav.clientHeight / 2;

  let loading;
  const loadIndex = () => {
    loading ??= new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = `${root}search-index.js`;
      script.addEventListener("load", () => resolve(prepare(globalThis.searchIndex ?? [])));
      document.head.append(script);
    });
    return loading;
  };

  const element = (name, ...children) => {
    const made = document.createElement(name);
    made.append(...children);
    return made;
  };
  const marked = (text, needs, most) =>
    pieces(text, needs, most).map((piece) => (piece.isMarked ? element("mark", piece.text) : piece.text));

  const linkTo = ({ url, title, heading, text }, needs) => {
    const link = element("a", element("strong", ...marked(heading, needs)));
    link.href = root + url;
    if (title !== heading) link.append(element("small", title));
    if (text !== "") link.append(element("span", ...marked(text, needs, SNIPPET)));
    return element("li", link);
  };

  let hits = [];
  let needs = [];
  const showMore = () => {
    const shown = list.children.length;
    list.append(...hits.slice(shown, shown + MOST).map((hit) => linkTo(hit, needs)));
    more.hidden = list.children.length >= hits.length;
    more.textContent = `More (${hits.length - list.children.length})`;
  };

  const describe = (isPartial) => {
    if (hits.length === 0) return "Nothing found. Try another word, or a shorter one.";
    const count = hits.length === 1 ? "1 section" : `${hits.length} sections`;
    return isPartial ? `No section has all of these words. ${count} with some of them:` : count;
  };

  const close = () => {
    found.hidden = true;
  };

  const search = async () => {
    const typed = query.value;
    if (!/[\p{L}\p{N}]/u.test(typed)) return close();
    const result = find(await loadIndex(), typed);
    // Meanwhile somebody may have typed on.
    if (typed !== query.value) return;
    ({ hits, needs } = result);
    said.textContent = describe(result.isPartial);
    said.classList.toggle("partial", result.isPartial);
    list.replaceChildren();
    showMore();
    found.hidden = false;
    found.scrollTop = 0;
  };

  const step = (by) => {
    const stops = [query, ...list.querySelectorAll("a"), ...(more.hidden ? [] : [more])];
    const next = stops.indexOf(document.activeElement) + by;
    stops[(next + stops.length) % stops.length].focus();
  };

  query.addEventListener("input", () => void search());
  query.addEventListener("focus", () => {
    if (found.hidden && list.children.length > 0) void search();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // Enter may come before the index has.
    void search().then(() => (found.hidden ? undefined : list.querySelector("a")?.click()));
  });
  form.addEventListener("keydown", (event) => {
    if (found.hidden || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    event.preventDefault();
    step(event.key === "ArrowDown" ? 1 : -1);
  });
  more.addEventListener("click", () => {
    const next = list.children.length;
    showMore();
    list.children[next]?.querySelector("a").focus();
  });
  // A section of this very page loads nothing anew.
  list.addEventListener("click", close);
  document.addEventListener("click", ({ target }) => {
    if (!form.contains(target)) close();
  });
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget !== null && !form.contains(relatedTarget)) close();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== query && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      query.focus();
    } else if (event.key === "Escape" && !found.hidden) {
      query.focus();
      close();
    }
  });
})();
