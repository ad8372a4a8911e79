// The corpus view: what is in a corpus, what the parser made of its pages, and what runs have looked at.

// In a file the same questions are answered from what was written into it. There is no index there: a search that was not
// made in the notebook gives the paragraphs that hold the most of its words.
const fileAnswers = {
  open: (data) => data.open,
  sections: (data, { doc }) => data.sections[doc],
  text: (data, { doc, sec }) => data.texts[`${doc}:${sec}`] ?? [],
  elements: (data, { doc, page }) => data.elements[`${doc}:${page}`] ?? [],
  page: (data, { doc, page }) => data.pages[`${doc}:${page}`] ?? { missing: "The picture of this page was not put into this file; html(path, pages=...) takes more of them." },
  thumb: (data, { doc, page }) => data.thumbs[`${doc}:${page}`] ?? data.pages[`${doc}:${page}`] ?? null,
  explain: (data, { query, n }) => data.searches[query]?.reasons[n] ?? [],
  search: (data, { query }) => {
    if (data.searches[query]) return data.searches[query].found;
    const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu))], found = [];
    for (const [key, paras] of Object.entries(data.texts)) {
      const [doc, sec] = key.split(":").map(Number);
      for (const p of paras) found.push({ held: words.filter((w) => p.text.toLowerCase().includes(w)).length, hit: { doc, sec, coord: p.coord, page: p.page, where: "", text: p.text.slice(0, 200), score: null } });
    }
    const most = found.reduce((n, { held }) => Math.max(n, held), 1), hits = found.filter(({ held }) => held === most).slice(0, 20).map(({ hit }) => hit);
    return { hits, note: `A file has no index: these paragraphs hold ${most < words.length ? `${most} of the ${words.length} words` : "every word"} of the query, in the order of the documents.` };
  },
};

class CorpusViewer {
  constructor(root, link, inFile) {
    Object.assign(this, { root, link, inFile, open_: new Set(), sections: new Map(), only: "", at: null, rows: [], picked: 0, boxes: true, thumbs: new Map(), mode: "text", shown: {}, frames: new Map() });
    this.pictures = new Pictures(link);
    this.list = new VirtualList("Outline. Arrow keys go through it, Enter opens.", 30, (i) => this.row(i), "tree");
    this.list.node.addEventListener("keydown", (event) => this.key(event));
    this.status = el("span", { class: "soft", role: "status" });
    this.text = el("section", { class: "pane", tabindex: 0, "aria-label": "Section or hits" });
    this.page = el("section", { class: "pane", tabindex: 0, "aria-label": "The page" });
  }

  async start() {
    this.data = await this.link.ask("open");
    const { documents, runs, note } = this.data;
    const count = (key) => documents.reduce((n, d) => n + d[key], 0);
    this.search = el("input", { type: "search", placeholder: "search the documents", "aria-label": "Search the documents", onkeydown: (e) => { if (e.key === "Enter") this.seek(); e.stopPropagation(); } });
    const only = el("select", { "aria-label": "Which sections", onchange: (e) => this.filter(e.target.value) }, [["", "all sections"], ["shown", "never shown"], ["read", "never read"], ["cited", "cited"]].map(([v, t]) => el("option", { value: v }, t)));
    const heads = el("div", { class: "heads", "aria-hidden": "true" }, el("span", { class: "grow" }, "section"), runs ? ["shown", "read", "cited"].map((t) => el("span", {}, t)) : "");
    this.root.append(
      this.inFile ? el("h1", { class: "hidden" }, "Corpus") : "",
      el("h2", {}, `${plural(documents.length, "document")}, ${plural(count("n_pages"), "page")}, ${plural(count("n_sections"), "section")}, ${plural(count("n_para"), "paragraph")}`),
      el("p", { class: "soft" }, runs ? `Numbers: in how many of ${plural(runs, "run")} the text directly under a heading was shown by a search, read, and cited. ` : "", note),
      el("div", { class: "bar" }, this.search, el("button", { onclick: () => this.seek() }, "Search"), runs ? only : "", this.status),
      el("div", { class: "panes" }, el("div", { class: "pane outline" }, heads, this.list.node), this.text, this.page));
    if (documents.length) { await this.unfold(documents[0]); this.pick(0); }
    this.arrange();
  }

  say(text) { this.status.textContent = text; }
  document_(id) { return this.data.documents[id - 1]; }

  // --- outline: documents, and the sections of those that are unfolded --------------------------------------------------

  async unfold(doc) {
    if (!this.sections.has(doc.doc_id)) this.sections.set(doc.doc_id, await this.link.ask("sections", { doc: doc.doc_id }));
    this.open_.add(doc.doc_id);
  }

  async filter(value) {
    this.only = value;
    if (value) await Promise.all(this.data.documents.map((d) => this.unfold(d)));
    this.arrange();
    this.say(value ? `${plural(this.rows.filter((r) => r.sec).length, "section")}.` : "");
  }

  passes(sec) {
    const [shown, read, cited] = sec.heat;
    return !this.only || (sec.n_para > 0 && { shown: !shown && !read, read: !read, cited }[this.only]);
  }

  arrange() {
    this.rows = this.data.documents.flatMap((doc) => [{ doc }, ...(this.open_.has(doc.doc_id) ? this.sections.get(doc.doc_id).filter((s) => this.passes(s)).map((sec) => ({ doc, sec })) : [])]);
    this.list.set(this.rows.length);
  }

  row(i) {
    const { doc, sec } = this.rows[i], open = this.open_.has(doc.doc_id);
    const heat = (n, k) => el("span", { class: "heat", title: `${["shown", "read", "cited"][k]} in ${n} of ${this.data.runs} runs` }, bar(n / this.data.runs), el("b", {}, n));
    const name = el("span", { class: "name", title: sec ? `${sec.number} ${sec.title}${sec.page ? `, page ${sec.page}` : ""}` : doc.name }, sec ? sec.title : `${open ? "▾" : "▸"} ${doc.name}`, sec?.page ? el("span", { class: "soft" }, `  p. ${sec.page}`) : "");
    if (sec) name.style.paddingLeft = `${Math.min(sec.level, 8) * 0.8}rem`;
    return el("div", { class: `line ${sec ? "" : "doc"}`, role: "treeitem", id: `${this.root.id}-${i}`, "aria-level": sec ? sec.level + 1 : 1, "aria-expanded": sec ? undefined : String(open), "aria-selected": String(i === this.picked), onclick: () => this.pick(i, true) },
      name, this.data.runs ? (sec ?? doc).heat.map(heat) : "");
  }

  async pick(i, toggle = false) {
    this.picked = i;
    const { doc, sec } = this.rows[i] ?? { doc: this.data.documents[0] };
    if (!sec && toggle) { if (this.open_.has(doc.doc_id)) this.open_.delete(doc.doc_id); else await this.unfold(doc); this.arrange(); }
    this.list.reveal(i);
    this.list.node.setAttribute("aria-activedescendant", `${this.root.id}-${i}`);
    await (sec ? this.showSection(doc, sec) : this.showDocument(doc));
  }

  key(event) {
    const size = Math.max(1, Math.floor(this.list.node.clientHeight / this.list.height) - 1), { doc, sec } = this.rows[this.picked] ?? {};
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: size, PageUp: -size, Home: -Infinity, End: Infinity }[event.key];
    if (by) this.pick(Math.min(this.rows.length - 1, Math.max(0, this.picked + by)));
    else if (event.key === "Enter" || event.key === " ") this.pick(this.picked, true);
    else if (event.key === "ArrowRight" && doc && !sec && !this.open_.has(doc.doc_id)) this.pick(this.picked, true);
    else if (event.key === "ArrowLeft" && doc && (sec || this.open_.has(doc.doc_id))) { const at = this.rows.findIndex((r) => r.doc === doc); this.pick(at, !sec); }
    else if (event.key === "/") this.search.focus();
    else return;
    event.preventDefault();
    event.stopPropagation(); // or the notebook takes it for one of its own commands
  }

  // --- the middle pane: the text of a section, the hits of a search, or what the parser made of the page beside it ------

  // Shows one of the three, with buttons that turn to the others.
  tell(mode, again, ...content) {
    this.mode = mode;
    if (again) this.shown[mode] = again;
    const names = { text: "Text", hits: "Hits", page: "What the parser made of the page" };
    const button = (m) => el("button", { "aria-pressed": String(m === mode), onclick: () => this.shown[m]() }, names[m]);
    fill(this.text, el("div", { class: "bar" }, Object.keys(names).filter((m) => this.shown[m]).map(button)), ...content);
    this.text.scrollTop = 0;
  }

  // The elements of the page in reading order. A line and its frame on the page light up together.
  tellPage() {
    const { doc, page, elements } = this.at;
    const line = (e) => {
      const node = el("li", { onmouseenter: () => this.light(e, true), onmouseleave: () => this.light(e, false), onfocusin: () => this.light(e, true), onfocusout: () => this.light(e, false) },
        swatch(this.data.colors[e.kind]), el("b", {}, kindOf(e)), " ", e.coord ? el("button", { class: "link", onclick: () => this.toCoord(doc, e.coord) }, e.coord) : "", " ", el("span", { class: e.kind.includes("heading") || e.kind === "title" ? "head" : "" }, e.text),
        this.data.runs && e.heat?.some((n) => n) ? el("div", { class: "soft" }, this.warmth(e.heat)) : "");
      e.line = node;
      return node;
    };
    this.tell("page", () => this.tellPage(), el("h3", {}, `Page ${page} of ${doc.name}`), el("p", { class: "soft" }, `${plural(elements.length, "element")} in reading order, read by ${doc.parser}. Point at one to see where it stands.`),
      elements.length ? el("ol", { class: "elements" }, elements.map(line)) : el("p", {}, "The parser found nothing on this page."));
  }

  light(e, on) {
    this.frames.get(e)?.classList.toggle("lit", on);
    e.line?.classList.toggle("lit", on);
    if (on && this.frames.get(e)) bringInto(this.page, this.frames.get(e));
  }

  warmth(heat) { return `${["shown", "read", "cited"].flatMap((t, k) => (heat[k] ? [`${t} in ${heat[k]}`] : [])).join(", ")} of ${plural(this.data.runs, "run")}`; }

  async toCoord(doc, coord) {
    if (!this.sections.has(doc.doc_id)) await this.unfold(doc);
    await this.showSection(doc, this.sections.get(doc.doc_id).find((s) => s.sec_id === Number(coord.split(":")[1])), coord);
  }

  // --- text -----------------------------------------------------------------------------------------------------------

  async showDocument(doc) {
    this.tell("text", () => this.showDocument(doc), el("h3", {}, doc.title || doc.name), facts({ File: doc.name, Pages: doc.n_pages || "none", Sections: number(doc.n_sections), Paragraphs: number(doc.n_para), Tokens: number(doc.n_tok), "Read by": doc.parser, Warnings: doc.warnings.join("; ") }));
    if (doc.n_pages) await this.turn(doc, 1); else this.noPage(doc);
  }

  async showSection(doc, sec, coord = null) {
    const paras = await this.link.ask("text", { doc: doc.doc_id, sec: sec.sec_id });
    this.tell("text", () => this.showSection(doc, sec, coord), el("h3", {}, sec.title), el("p", { class: "soft" }, `${doc.name} › ${sec.number}; ${plural(paras.length, "paragraph")}, ${plural(sec.n_tok, "token")}`),
      paras.map((p) => el("div", { class: `para${p.coord === coord ? " on" : ""}` }, el("div", { class: "soft" }, p.page && doc.n_pages ? el("button", { class: "link", onclick: () => this.turn(doc, p.page, p.coord) }, p.coord) : p.coord, ` ${p.kind.replace("_", " ")}`, this.data.runs && p.heat.some((n) => n) ? ` · ${this.warmth(p.heat)}` : ""),
        p.kind === "table" || p.kind === "code" ? el("pre", {}, p.text) : el("div", {}, p.text))));
    this.text.querySelector(".on")?.scrollIntoView({ block: "nearest" });
    const page = paras.find((p) => p.coord === coord)?.page ?? sec.page ?? paras.find((p) => p.page)?.page;
    if (page && doc.n_pages) await this.turn(doc, page, coord, sec.sec_id); else this.noPage(doc);
  }

  // --- search ---------------------------------------------------------------------------------------------------------

  async seek() {
    const query = this.search.value.trim();
    if (!query) return;
    this.say("Searching…");
    let found;
    try { found = await this.link.ask("search", { query }); } catch (problem) { return this.say(problem.message); }
    this.say(`${plural(found.hits.length, "hit")} for “${query}”.`);
    const hit = (h, n) => el("div", { class: "hit" },
      el("div", {}, el("b", {}, `${n + 1}. `), el("button", { class: "link", onclick: () => this.toHit(h) }, h.coord ?? `page ${h.page}`), ` ${this.document_(h.doc).name}${h.page ? `, p. ${h.page}` : ""}`, h.score === null ? "" : el("span", { class: "soft" }, `  ${h.score.toFixed(3)}`)),
      el("div", { class: "soft" }, h.where), el("div", {}, mark(h.text, query)),
      h.score === null || !found.explains ? "" : el("details", { ontoggle: (e) => this.explain(e.target, query, n) }, el("summary", {}, "Why it was found")));
    const list = [el("h3", {}, "Hits"), el("p", { class: "soft" }, found.note || (found.explains ? "The score of a hit is the sum of its reasons." : "")), found.hits.length ? found.hits.map(hit) : el("p", {}, "Nothing was found. Try fewer or other words.")];
    const show = () => this.tell("hits", show, list);
    show();
    if (found.hits.length) await this.toHit(found.hits[0], false);
  }

  async explain(details, query, n) {
    if (!details.open || details.childElementCount > 1) return;
    const reasons = await this.link.ask("explain", { query, n });
    details.append(el("table", {}, el("thead", {}, el("tr", {}, ["adds", "part", "because of"].map((t) => el("th", { scope: "col" }, t)))),
      el("tbody", {}, reasons.map(([part, what, gives]) => el("tr", {}, el("td", { class: "n" }, gives.toFixed(3)), el("td", {}, part), el("td", {}, what))))));
  }

  async toHit(hit, text = true) {
    const doc = this.document_(hit.doc);
    await this.unfold(doc);
    this.arrange();
    const sec = this.sections.get(hit.doc).find((s) => s.sec_id === hit.sec);
    this.picked = this.rows.findIndex((r) => r.doc === doc && r.sec === sec);
    if (this.picked >= 0) this.list.reveal(this.picked);
    if (text && sec) await this.showSection(doc, sec, hit.coord);
    else if (hit.page && doc.n_pages) await this.turn(doc, hit.page, hit.coord);
  }

  // --- the page: its elements framed and named, so that one sees what the parser made of it ----------------------------

  noPage(doc) { this.at = null; fill(this.page, el("p", { class: "soft" }, `${doc.name} has no pages to show.`)); }

  async turn(doc, page, coord = null, sec = null) {
    this.at = { doc, page, coord, sec };
    const elements = await this.link.ask("elements", { doc: doc.doc_id, page });
    if (this.at.doc !== doc || this.at.page !== page || this.at.coord !== coord) return;
    this.at.elements = elements;
    this.shown.page = () => this.tellPage();
    this.drawPage(elements);
    if (this.mode === "page") this.tellPage(); else this.retab();
  }

  drawPage(elements) {
    const { doc, page, coord } = this.at, label = doc.labels[page - 1], name = `Page ${page}${label && label !== String(page) ? ` (printed ${label})` : ""} of ${doc.name}`;
    const turn = (to) => el("button", { disabled: to < 1 || to > doc.n_pages, "aria-label": to < page ? "Page before" : "Page after", onclick: () => this.turn(doc, to) }, to < page ? "‹" : "›");
    const framed = elements.filter((e) => e.box), kinds = [...new Set(elements.map((e) => e.kind))];
    const boxes = framed.map((e) => ({ box: e.box, kind: "part", color: this.data.colors[e.kind], here: e.coord === coord && coord !== null, click: e.coord ? () => this.toCoord(doc, e.coord) : undefined }));
    const holder = el("div"), picture = this.pictures.image("page", { doc: doc.doc_id, page }, name, (found) => { if (found?.missing) holder.prepend(el("p", { class: "soft" }, found.missing)); });
    const view = sheet(picture, ...doc.sizes[page - 1], this.boxes ? boxes : []);
    this.frames = new Map();
    if (this.boxes) view.querySelectorAll(".box").forEach((node, i) => {
      const e = framed[i], name = el("span", { class: "tag" }, `${kindOf(e)}${e.coord ? ` ${e.coord}` : ""}${e.heat?.some((n) => n) ? ` · ${this.warmth(e.heat)}` : ""}`);
      name.style.borderColor = this.data.colors[e.kind];
      if (e.box[1] < 14) node.classList.add("low");
      if (e.box[0] > doc.sizes[page - 1][0] / 2) node.classList.add("left");
      node.addEventListener("mouseenter", () => { node.classList.add("lit"); e.line?.classList.add("lit"); if (e.line?.isConnected) bringInto(this.text, e.line); });
      node.addEventListener("mouseleave", () => { node.classList.remove("lit"); e.line?.classList.remove("lit"); });
      node.append(name);
      this.frames.set(e, node);
    });
    holder.append(view);
    const toggle = el("label", {}, el("input", { type: "checkbox", checked: this.boxes, onchange: (e) => { this.boxes = e.target.checked; this.drawPage(elements); } }), " elements");
    fill(this.page, el("h3", {}, name), el("div", { class: "bar" }, turn(page - 1), turn(page + 1), toggle), this.boxes ? el("p", { class: "kinds" }, kinds.map((k) => el("span", {}, swatch(this.data.colors[k]), k.replace("_", " ")))) : "", holder,
      this.overview(doc, page));
    this.page.querySelector(".here")?.scrollIntoView({ block: "nearest" });
  }

  // The button of the page's elements appears with the first page that has been turned to.
  retab() {
    const tabs = this.text.firstElementChild;
    if (tabs && tabs.childElementCount < Object.keys(this.shown).length) { const [, ...content] = this.text.childNodes, top = this.text.scrollTop; this.tell(this.mode, null, ...content); this.text.scrollTop = top; }
  }

  // All pages of a document as numbered thumbnails, fetched when they are seen.
  overview(doc, page) {
    if (!this.thumbs.has(doc.doc_id)) {
      const thumb = (p) => el("button", { class: "thumb", "data-page": p, title: `Page ${p}`, onclick: () => this.turn(doc, p) }, el("span", { class: "face" }, this.pictures.image("thumb", { doc: doc.doc_id, page: p }, "")), doc.labels[p - 1] && doc.labels[p - 1] !== String(p) ? `${p} (${doc.labels[p - 1]})` : `${p}`);
      this.thumbs.set(doc.doc_id, el("div", { class: "thumbs" }, Array.from({ length: doc.n_pages }, (_, i) => thumb(i + 1))));
    }
    const node = this.thumbs.get(doc.doc_id);
    node.querySelector("[aria-current]")?.removeAttribute("aria-current");
    node.querySelector(`[data-page="${page}"]`)?.setAttribute("aria-current", "true");
    return [el("h4", {}, `All pages (${doc.n_pages})`), node];
  }

  close() { this.pictures.close(); this.list.close(); this.link.close(); }
}

const plural = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;

function bar(share) { const node = el("i"); node.style.width = `${100 * share}%`; return node; }

function swatch(color) { const node = el("i", { class: "swatch", "aria-hidden": "true" }); node.style.borderColor = color; return node; }

const kindOf = (e) => `${e.kind.replace("_", " ")}${e.level ? ` ${e.level}` : ""}`;

// The words of a query marked in a text.
function mark(text, query) {
  const words = query.split(/[^\p{L}\p{N}]+/u).filter((w) => w.length > 3).map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!words.length) return text;
  return text.split(new RegExp(`(${words.join("|")})`, "gi")).map((part, i) => (i % 2 ? el("mark", {}, part) : part));
}

function render({ model, el: host, data }) {
  const root = el("div", { class: "dr corpus", id: `dr-${Math.random().toString(36).slice(2)}` });
  host.append(root);
  const viewer = new CorpusViewer(root, connect(model, fileAnswers, data), !model);
  viewer.start().catch((problem) => root.append(el("p", { class: "bad" }, problem.message)));
  return () => viewer.close();
}

export default { render };
