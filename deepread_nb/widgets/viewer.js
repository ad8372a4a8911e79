// The trajectory viewer. The kernel gives an overview of all runs at once (`open`) and everything else when it is looked at:
// steps with their observations, the prompt of a call, places on a page, pictures of pages.

// In a file the same questions are answered from what was written into it.
const fileAnswers = {
  open: (data, { question = 0 }) => data.open[question],
  steps: (data, { run, from, to }) => data.steps[run].slice(from, to),
  marks: (data, { run, doc, page }) => data.marks[run][`${doc}:${page}`] ?? [],
  page: (data, { doc, page }) => data.pages[`${doc}:${page}`] ?? { missing: "This page was not put into the file." },
  thumb: (data, { doc, page }) => data.pages[`${doc}:${page}`] ?? null,
  section: (data, { doc, sec }) => data.sections[`${doc}:${sec}`] ?? [],
  find: (data, { run, query }) => {
    const wanted = query.toLowerCase();
    return data.steps[run].flatMap((s, i) => (JSON.stringify([s.thought, s.action, s.observation]).toLowerCase().includes(JSON.stringify(wanted).slice(1, -1)) ? [i] : []));
  },
  // A call keeps `keep` messages of its conversation and adds what it sent: so prompts are put together again.
  prompt: (data, { run, step, call }) => {
    const talks = new Map();
    for (const [i, s] of data.steps[run].entries()) {
      for (const [j, c] of s.calls.entries()) {
        const prompt = (talks.get(c.talk) ?? []).slice(0, c.keep).concat(c.sent);
        if (i === step && j === call) return prompt;
        talks.set(c.talk, prompt.concat([{ role: "assistant", content: c.reply }]));
      }
    }
    return [];
  },
};

const HOW = { cited: "cited", read: "read", shown: "shown by a search" };
const STAR = "★"; // a gold page, one that supports the right answer
const CHECK = { true: "✓ these words are on the page", false: "✗ these words were NOT found on the page", null: "– not checked: there was no page to look at" };

class Viewer {
  constructor(root, link) {
    Object.assign(this, { root, link, question: 0, run: 0, step: 0, tool: "", query: "", found: null, align: "step", at: null, back: [], moves: 0, golds: 0 });
    this.pictures = new Pictures(link);
    this.parts = { pick: el("div"), top: el("div"), live: el("div"), when: el("div"), bar: el("div"), panes: el("div", { class: "panes" }), cites: el("div") };
    this.list = new VirtualList("Steps. Arrow keys go through them.", 68, (i) => this.row(i), "listbox", () => this.id(this.run, this.step));
    this.detail = el("section", { class: "pane", tabindex: 0, "aria-label": "The step" });
    this.page = el("section", { class: "pane", tabindex: 0, "aria-label": "The page" });
    this.parts.panes.append(this.list.node, this.detail, this.page);
    this.status = el("span", { class: "soft", role: "status" });
    root.append(...Object.values(this.parts));
    root.addEventListener("keydown", (event) => this.key(event));
    link.listen((event) => this.happened(event));
  }

  say(text) { this.status.textContent = text; }
  get runs() { return this.data.runs; }
  get one() { return this.runs[this.run]; }
  get documents() { return Object.values(this.data.documents); }
  isGold(doc, page) { return !!this.one.gold?.pages.some((g) => g.doc === doc && g.page === page); }
  isPlace(coord) { return coord in this.data.places; }

  // What the kernel counts as run number `run`: all runs, and not only those on the question that is shown.
  number(run = this.run) { return this.runs[run].index; }

  async open() {
    const question = this.question, data = await this.link.ask("open", { question });
    if (question !== this.question) return; // another one was chosen meanwhile
    this.data = data;
    this.parts.panes.style.display = this.runs.length ? "" : "none";
    if (!this.runs.length) return fill(this.parts.top, el("p", { role: "status" }, this.data.note || "There is no run to show."));
    this.runs.forEach((run) => this.markGold(run));
    this.drawPick();
    this.parts.panes.classList.toggle("nopage", !this.data.documents);
    this.page.hidden = !this.data.documents;
    this.parts.panes.classList.toggle("wide", this.runs.length > 1);
    this.drawTop();
    this.drawLive();
    this.drawBar();
    this.drawWhen();
    this.arrange();
    this.go(this.run, Math.min(this.step, Math.max(0, this.one.steps.length - 1)));
  }

  // Notes in each step whether it showed a gold page; for a run that is not marked there is nothing to note.
  markGold(run) {
    const steps = new Set(run.gold?.pages.flatMap((p) => p.steps) ?? []);
    run.steps.forEach((s) => { s.gold = steps.has(s.n); });
  }

  // --- which question: those that were answered wrong come first ------------------------------------------------------

  drawPick() {
    const { questions } = this.data, all = questions.map((q, i) => ({ ...q, i }));
    if (all.length < 2) return fill(this.parts.pick);
    const sign = (m) => (m === null ? "–" : m === 1 ? "✓" : m === 0 ? "✗" : "½");
    const group = ({ marks }) => { const known = marks.filter((m) => m !== null); return !known.length ? "Not marked" : known.every((m) => m < .5) ? "Wrong" : known.every((m) => m >= .5) ? "Right" : "Some right, some wrong"; };
    const option = (q) => el("option", { value: q.i, selected: q.i === this.question }, `${q.id || q.i + 1} ${q.marks.some((m) => m !== null) ? `${q.marks.map(sign).join("")} ` : ""}${q.text.slice(0, 110)}`);
    const groups = ["Wrong", "Some right, some wrong", "Right", "Not marked"].map((name) => [name, all.filter((q) => group(q) === name)]).filter(([, qs]) => qs.length);
    const options = groups.length === 1 && groups[0][0] === "Not marked" ? all.map(option) : groups.map(([name, qs]) => el("optgroup", { label: `${name} (${qs.length})` }, qs.map(option)));
    const order = groups.flatMap(([, qs]) => qs.map((q) => q.i)), at = order.indexOf(this.question);
    this.beside = (by) => { if (order[at + by] !== undefined) this.choose(order[at + by]); };
    const turn = (by) => el("button", { disabled: order[at + by] === undefined, "aria-label": by < 0 ? "Question before" : "Question after", onclick: () => this.beside(by) }, by < 0 ? "‹" : "›");
    fill(this.parts.pick, el("div", { class: "bar" }, el("div", { class: "question" }, el("span", { "aria-hidden": "true" }, "Question"), el("select", { "aria-label": "Question", onchange: (e) => this.choose(Number(e.target.value)) }, options)), turn(-1), turn(1), el("span", { class: "soft" }, `${at + 1} of ${all.length}`)));
  }

  choose(question) {
    this.pictures.queue.length = 0;
    Object.assign(this, { question, run: 0, step: 0, tool: "", found: null, query: "", at: null, back: [], moves: 0, golds: 0, strips: null });
    if (this.search) this.search.value = "";
    return this.open();
  }

  // --- the head: question, answers, how the runs ended, what they cost -------------------------------------------------

  drawTop() {
    const head = (run, i) => el("div", { class: "run" },
      this.runs.length > 1 && el("h3", {}, run.name),
      el("p", { class: "answer" }, run.answer || (run.live ? "No answer yet." : "No answer.")),
      el("p", { class: "soft" }, run.stop_text, " ", run.cost),
      run.error && run.stop !== "interrupted" && el("p", { class: "bad" }, `Error: ${run.error}`), // a person who stops a run makes no error
      this.gold(run, i),
      el("details", {}, el("summary", {}, "About this run"), facts(run.about)),
      this.citations(run, i));
    fill(this.parts.top, el("h2", {}, this.one.question || "A run without a question"), el("div", { class: "runs" }, this.runs.map(head)),
      this.data.note ? el("p", { class: "soft" }, this.data.note) : "");
  }

  // The right answer, what the run's answer is worth, and for each gold page the steps that showed it.
  gold(run, i) {
    const { gold } = run;
    if (!gold) return "";
    const name = (p) => `${p.document}${p.page ? `, page ${p.page}` : ""}`;
    const page = (p) => el("li", {}, `${STAR} `, p.page && p.doc && this.data.documents?.[p.doc]?.pages[p.page - 1] !== undefined ? el("button", { class: "link", "aria-label": `${name(p)}, show this gold page`, onclick: () => { this.run = i; this.toPage(p.doc, p.page); } }, name(p)) : name(p), ": ",
      p.steps.length ? ["shown in step ", p.steps.slice(0, 8).map((n, k) => [k ? ", " : "", el("button", { class: "link", "aria-label": `${n}, go to this step`, onclick: () => this.go(i, run.steps.findIndex((s) => s.n === n)) }, n)]), p.steps.length > 8 ? `, ${p.steps.length - 8} more` : ""] : el("span", { class: "bad" }, "never shown"),
      p.cited ? "; cited" : el("span", { class: "bad" }, "; not cited"));
    return el("div", { class: "gold" }, el("p", {}, el("b", { class: gold.mark === 0 ? "bad" : "" }, gold.text)),
      el("p", {}, el("span", { class: "soft" }, gold.answers.length > 1 ? "Gold answer, any of: " : "Gold answer: "), gold.answers.join(" | ") || (gold.answerable ? "not given" : "none: the documents do not contain it")),
      gold.pages.length ? el("ul", { class: "plain" }, gold.pages.map(page)) : el("p", { class: "soft" }, "No gold pages are known."));
  }

  citations(run, i) {
    if (!run.citations.length) return run.live ? "" : el("p", { class: "soft" }, "No citations.");
    const one = (c, n) => el("li", {}, el("blockquote", {}, c.quote), el("span", { class: c.verified === false ? "bad" : "soft" }, `${c.document}${c.page ? `, page ${c.page}` : ""}, ${c.section.join(" › ")}; ${CHECK[c.verified]} `),
      this.data.documents && this.isPlace(c.coord) && el("button", { class: "link", "aria-label": `${c.page ? "show on its page" : "show in its section"}: citation ${n + 1}`, onclick: () => this.cite(i, n) }, c.page ? "show on its page" : "show in its section"));
    return el("details", { open: this.runs.length < 2 }, el("summary", {}, `${run.citations.length} ${run.citations.length === 1 ? "citation" : "citations"}`), el("ol", {}, run.citations.map(one)));
  }

  // A citation is shown on its page; "back" returns to where one was.
  cite(run, n) {
    const { doc, page, coord } = this.runs[run].citations[n];
    this.run = run;
    if (page) this.toPage(doc, page, coord);
    else { this.show(coord); this.toPage(); }
  }

  // Turns to a page, and brings the page's pane before the reader.
  toPage(doc, page, coord = null) {
    if (page) this.turn(doc, page, coord);
    this.page.scrollIntoView({ block: "nearest" });
    this.page.focus({ preventScroll: true });
  }

  // The gold page after the one that was shown last.
  nextGold() {
    const pages = (this.one.gold?.pages ?? []).filter((p) => p.page && this.data.documents?.[p.doc]?.pages[p.page - 1] !== undefined);
    if (!pages.length) return this.say(this.one.gold ? "None of the gold pages can be shown here." : "No gold pages are known.");
    const { doc, page } = pages[this.golds % pages.length];
    this.golds += 1;
    this.toPage(doc, page);
  }

  // --- a run that goes on ---------------------------------------------------------------------------------------------

  drawLive() {
    const live = this.runs.some((r) => r.live);
    if (!live) return fill(this.parts.live);
    this.words = el("pre", { role: "group", tabindex: 0, "aria-label": "What the model is writing" });
    this.stop = el("button", { onclick: () => { this.stop.disabled = true; this.stop.textContent = "Stopping at the next word…"; this.link.ask("stop"); } }, "Stop and keep what was done");
    fill(this.parts.live, el("div", { class: "live" }, el("div", { class: "bar" }, el("b", { class: "busy" }, "Running"), el("span", { class: "soft" }, "The model is reading; its words appear here as it writes them."), el("span", { class: "grow" }), this.stop), this.words));
  }

  happened({ event, data }) {
    if (!this.data) return;
    if (event === "text" && this.words) { this.words.textContent = (this.words.textContent + data).slice(-4000); this.words.scrollTop = this.words.scrollHeight; }
    if (event === "step") {
      if (data.index !== this.one?.steps.length) return this.open(); // a step ended while the overview was on its way
      const follows = this.step >= this.one.steps.length - 1;
      this.one.steps.push(data.step);
      this.one.seconds = data.step.start + data.step.seconds;
      this.one.pages = data.pages;
      Object.assign(this.data.places, data.places);
      if (this.data.documents) Object.assign(this.data.documents, data.documents);
      if (this.words) this.words.textContent = "";
      this.say(`Step ${data.step.n}: ${data.step.action}`);
      this.drawBar();
      this.drawWhen();
      this.arrange();
      if (follows) this.go(this.run, this.one.steps.length - 1);
    }
    if (event === "open") this.open();
  }

  // --- timeline: for each run a line, for each step its time in the model and everything else --------------------------

  // Each line is two outlines, however many steps there are; a step is found by where one points.
  drawWhen() {
    const whole = Math.max(...this.runs.map((r) => r.seconds), 1e-9), x = (time) => (1000 * time) / whole;
    const bar = (at, wide, y, high) => `M${at.toFixed(2)} ${y}h${Math.max(1.5, wide).toFixed(2)}v${high}h${(-Math.max(1.5, wide)).toFixed(2)}z`;
    const line = (run, r) => {
      const inModel = (s) => Math.min(s.model, s.seconds), own = run.steps.filter((s) => s.seconds - inModel(s) > whole / 500);
      const path = (kind, d) => svg("path", { class: kind, d });
      const picture = svg("svg", { viewBox: "0 0 1000 20", preserveAspectRatio: "none", role: "img", "aria-label": this.whenText(run) },
        path("model", run.steps.map((s) => bar(x(s.start), x(inModel(s)), 4, 15)).join("")), path("own", own.map((s) => bar(x(s.start + inModel(s)), x(s.seconds - inModel(s)), 8, 7)).join("")),
        path("star", run.steps.filter((s) => s.gold).map((s) => bar(x(s.start), x(s.seconds), 0, 3)).join("")), svg("rect", { class: "on", y: 3, height: 17, x: -9, width: 0, "data-run": r }));
      const pointed = ({ clientX }) => { const { left, width } = picture.getBoundingClientRect(), time = ((clientX - left) / width) * whole; return run.steps.findLastIndex((s) => s.start <= time); };
      const node = el("div", { class: "line", onclick: (e) => { const i = pointed(e); if (i >= 0) this.go(r, i); }, onmousemove: (e) => { const s = run.steps[pointed(e)]; node.title = s ? `Step ${s.n}: ${s.action}\n${seconds(s.seconds)}, of these ${seconds(inModel(s))} in the model` : ""; } }, picture);
      return [el("span", {}, this.runs.length > 1 ? run.name : "Time"), node];
    };
    const ticks = [0, .25, .5, .75, 1].map((f) => el("span", {}, seconds(f * whole))), starred = this.runs.some((r) => r.gold);
    fill(this.parts.when, el("div", { class: "when" }, this.runs.map(line), el("span", {}), el("div", { class: "scale", "aria-hidden": "true" }, ticks), el("span"),
      el("span", { class: "soft" }, `tall: in the model; low: everything else${starred ? "; a line on top: a gold page was shown" : ""}. Click goes to the step.`)));
    this.markWhen();
  }

  // Frames the chosen step on its line.
  markWhen() {
    const whole = Math.max(...this.runs.map((r) => r.seconds), 1e-9), s = this.one.steps[this.step];
    this.parts.when.querySelectorAll(".on").forEach((frame) => {
      const mine = s && Number(frame.dataset.run) === this.run;
      frame.setAttribute("x", mine ? (1000 * s.start) / whole : -9);
      frame.setAttribute("width", mine ? Math.max(3, (1000 * s.seconds) / whole) : 0);
    });
  }

  whenText(run) {
    if (!run.steps.length) return "Timeline: no step was finished.";
    const slow = run.steps.reduce((a, b) => (b.seconds > a.seconds ? b : a));
    return `Timeline: ${seconds(run.seconds)} in all; the longest is step ${slow.n} with ${seconds(slow.seconds)}.`;
  }

  // --- filter, search, copy ------------------------------------------------------------------------------------------

  drawBar() {
    const counts = new Map();
    this.runs.forEach((r) => r.steps.forEach((s) => counts.set(s.tool, (counts.get(s.tool) ?? 0) + 1)));
    const every = this.runs.flatMap((r) => r.steps), troubled = every.filter((s) => !s.ok).length, golden = every.filter((s) => s.gold).length;
    const option = (value, text) => el("option", { value, selected: value === this.tool }, text);
    const filter = el("select", { "aria-label": "Filter by action", onchange: (e) => { this.tool = e.target.value; this.arrange(); } },
      option("", "all actions"), [...counts].map(([tool, n]) => option(`=${tool}`, `${tool} (${n})`)), troubled ? option("!", `calls that were wrong (${troubled})`) : "", golden ? option("*", `${STAR} gold page shown (${golden})`) : "");
    if (!this.search) this.search = el("input", { type: "search", placeholder: "search thoughts, actions, observations", "aria-label": "Search in the steps", oninput: () => this.seek() });
    const align = this.runs.length > 1 && el("select", { "aria-label": "Align the runs", onchange: (e) => { this.align = e.target.value; this.arrange(); } },
      ["step", "time"].map((by) => el("option", { value: by, selected: by === this.align }, `side by side by ${by}`)));
    const copies = el("select", { "aria-label": "Copy", onchange: async (e) => { const what = e.target.value; e.target.value = ""; await this.copy(what); } },
      el("option", { value: "" }, "Copy…"), ["step as Markdown", "step as JSON", "run as Markdown", "run as JSON"].map((t) => el("option", {}, t)));
    const keys = el("details", {}, el("summary", {}, "Keys"), el("p", { class: "soft" }, "In the list: ↑ ↓ Home End Page Up/Down go through the steps, ← → between runs. /: search. c: next citation on its page. g: next gold page. b: back. n, p: next and previous question."));
    fill(this.parts.bar, el("div", { class: "bar" }, filter, this.search, align, copies, this.status), keys);
  }

  async seek() {
    const query = this.search.value.trim();
    this.query = query;
    const found = query ? await Promise.all(this.runs.map((_, run) => this.link.ask("find", { run: this.number(run), query }))) : null;
    if (query !== this.query) return; // something else was typed meanwhile
    this.found = found?.map((steps) => new Set(steps)) ?? null;
    this.arrange();
    this.drawDetail();
  }

  async copy(what) {
    if (!what) return;
    const [which, , kind] = what.split(" ");
    const [from, to] = which === "step" ? [this.step, this.step + 1] : [0, this.one.steps.length];
    const steps = await this.link.ask("steps", { run: this.number(), from, to });
    const run = this.one, whole = which === "run";
    const json = () => JSON.stringify(whole ? { header: run.header, steps, outcome: run.outcome } : steps[0], null, 2);
    await copy(kind === "JSON" ? json() : (whole ? runMarkdown(run, steps) : steps.map(stepMarkdown).join("\n\n")), this.parts.bar, (text) => this.say(text));
  }

  // --- the list -------------------------------------------------------------------------------------------------------

  shows(run, i) {
    const step = this.runs[run].steps[i];
    const passes = { "": true, "!": !step.ok, "*": step.gold }[this.tool] ?? this.tool === `=${step.tool}`;
    return passes && (!this.found || this.found[run].has(i));
  }

  // Rows of the list: for each run the step in it, or null.
  arrange() {
    const longest = Math.max(...this.runs.map((r) => r.steps.length));
    if (this.runs.length > 1 && this.align === "time") {
      const all = this.runs.flatMap((r, run) => r.steps.map((s, i) => ({ run, i, at: s.start }))).filter(({ run, i }) => this.shows(run, i)).sort((a, b) => a.at - b.at);
      this.rows = all.map(({ run, i, at }) => Object.assign(this.runs.map((_, r) => (r === run ? i : null)), { time: at }));
    } else {
      this.rows = Array.from({ length: longest }, (_, i) => this.runs.map((r, run) => (i < r.steps.length && this.shows(run, i) ? i : null))).filter((row) => row.some((i) => i !== null));
    }
    this.list.space.style.minWidth = this.runs.length > 3 ? `${11 * this.runs.length}rem` : ""; // many runs are scrolled through sideways
    this.list.set(this.rows.length);
    this.tellFound();
  }

  // How many steps are shown, once anything narrows them down; and in words if none is.
  tellFound() {
    const shown = this.rows.flatMap((row) => row.filter((i) => i !== null)).length, narrowed = this.found !== null || this.tool !== "";
    const nothing = narrowed && !shown ? (this.found === null ? "No step is left." : `No step holds “${this.query}”${this.tool ? " under this filter" : ""}.`) : "";
    this.list.node.dataset.nothing = nothing;
    if (narrowed) this.say(nothing || `${shown} ${shown === 1 ? "step" : "steps"} found.`);
    else if (this.told) this.say("");
    this.told = narrowed;
  }

  row(i) {
    const cells = this.rows[i].map((step, run) => (step === null ? el("div", { class: "step none", role: "presentation" }) : this.cell(run, step)));
    return el("div", { role: "presentation" }, this.rows[i].time !== undefined && el("div", { class: "at" }, seconds(this.rows[i].time)), cells);
  }

  cell(run, i) {
    const s = this.runs[run].steps[i], picked = run === this.run && i === this.step;
    const outcome = !s.ok ? "✗ rejected" : s.shown ? `${s.new} new of ${s.shown}` : s.tool === "answer" ? "answer written" : "nothing shown";
    return el("div", { class: "step", role: "option", id: this.id(run, i), "aria-selected": String(picked), "aria-setsize": this.runs[run].steps.length, "aria-posinset": i + 1, onclick: () => this.go(run, i) },
      el("div", {}, el("b", {}, `${s.n} `), s.gold && el("span", { class: "star", title: "showed a gold page" }, `${STAR} gold `), el("code", {}, s.action)), el("div", { class: "soft" }, s.thought || "no thought"), el("div", { class: s.ok ? "soft" : "bad" }, `${outcome} · ${number(s.prompt + s.generated)} tokens · ${seconds(s.seconds)}`));
  }

  id(run, i) { return `${this.root.id}-${run}-${i}`; }

  go(run, step) {
    Object.assign(this, { run, step });
    const row = this.rows.findIndex((r) => r[run] === step);
    if (row >= 0) this.list.reveal(row);
    else this.list.paint();
    this.markWhen();
    return this.drawDetail(true);
  }

  key(event) {
    if (/^(input|textarea|select)$/i.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    const inList = event.target === this.list.node, size = Math.max(1, Math.floor(this.list.node.clientHeight / this.list.height) - 1);
    const by = inList && { ArrowDown: 1, ArrowUp: -1, PageDown: size, PageUp: -size, Home: -Infinity, End: Infinity, j: 1, k: -1 }[event.key];
    if (by) this.move(by);
    else if (inList && this.runs.length > 1 && /^Arrow(Left|Right)$/.test(event.key)) this.cross(event.key === "ArrowRight" ? 1 : -1);
    else if (event.key === "/") this.search.focus();
    else if (event.key === "c" && this.one.citations.length && this.data.documents) { this.moves += 1; this.cite(this.run, (this.moves - 1) % this.one.citations.length); }
    else if (event.key === "g") this.nextGold();
    else if (event.key === "b") this.goBack();
    else if (/^[np]$/.test(event.key) && this.data.questions.length > 1) this.beside(event.key === "n" ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation(); // or the notebook takes it for one of its own commands
  }

  // To the next step of this run that is shown, `by` rows on; never over the end.
  move(by) {
    const mine = this.rows.map((r) => r[this.run]).filter((i) => i !== null);
    const here = mine.indexOf(this.step), next = Math.min(mine.length - 1, Math.max(0, (here < 0 ? -Math.sign(by) : here) + by));
    if (mine.length && mine[next] !== undefined) this.go(this.run, mine[next]);
  }

  // To the run beside, to the step nearest to this one.
  cross(by) {
    const run = (this.run + by + this.runs.length) % this.runs.length, row = this.rows.findIndex((r) => r[this.run] === this.step);
    const near = this.rows.map((r, i) => [Math.abs(i - row), r[run]]).filter(([, i]) => i !== null).sort((a, b) => a[0] - b[0])[0];
    if (near) this.go(run, near[1]);
  }

  // --- one step -------------------------------------------------------------------------------------------------------

  // Draws the chosen step; with `turn` also the first page that it brought to light.
  async drawDetail(turn = false) {
    const { run, step } = this, asked = (this.asked = (this.asked ?? 0) + 1);
    const light = this.one.steps[step];
    if (!light) { fill(this.detail, el("p", { class: "soft" }, "No step was finished yet.")); if (turn) this.firstPage(); return; }
    const [full] = await this.link.ask("steps", { run: this.number(run), from: step, to: step + 1 });
    if (asked !== this.asked) return;
    const go = (coord) => this.show(coord), links = (text) => textWithLinks(text, this.query, (c) => this.isPlace(c), go);
    const coord = (c) => (this.isPlace(c) ? el("button", { class: "link", title: this.placeText(c), onclick: () => go(c) }, c) : c);
    const coords = (list) => list.map((c) => [coord(c.join(":")), " "]);
    const given = Object.entries(full.action).filter(([k]) => k !== "tool").map(([k, v]) => el("div", {}, el("code", {}, k), " = ", links(typeof v === "string" ? v : JSON.stringify(v))));
    fill(this.detail,
      el("h3", {}, `${light.tool === "answer" ? "The answer" : `Step ${full.n}: ${light.tool}`}${this.runs.length > 1 ? ` · ${this.one.name}` : ""}`),
      facts({
        Thought: full.thought && el("span", {}, links(full.thought)), Arguments: given.length ? el("div", {}, given) : "", Outcome: full.ok ? "" : el("span", { class: "bad" }, "✗ The tool rejected this call, and the agent was told why."),
        "Gold page": light.gold ? el("span", {}, `${STAR} shown here: `, this.one.gold.pages.filter((p) => p.steps.includes(full.n)).map((p) => `${p.document}${p.page ? `, page ${p.page}` : ""}`).join("; ")) : "",
        "New here": full.new.length ? el("span", {}, coords(full.new)) : "", "Shown before": full.coords.length > full.new.length ? el("span", {}, coords(full.coords.filter((c) => !full.new.some((n) => n.join() === c.join())))) : "",
        Tokens: `prompt ${number(light.prompt)} (${number(light.reused)} reused), generated ${number(light.generated)}`, Time: `${seconds(full.seconds)}, of these ${seconds(Math.min(light.model, full.seconds))} in the model`,
      }),
      full.observation && el("h4", {}, "Observation"), full.observation && el("pre", {}, links(full.observation)),
      full.calls.length ? el("h4", {}, this.callsText(light)) : "", full.calls.map((call, n) => this.call(call, run, step, n, light.calls_before + n + 1)));
    this.detail.scrollTop = 0;
    if (turn) { const first = [...full.new, ...full.coords].map((c) => c.join(":")).find((c) => this.isPlace(c)); if (first) this.show(first, false); else this.firstPage(); }
  }

  callsText({ calls, calls_before: before }) {
    const all = this.one.steps.reduce((sum, s) => sum + s.calls, 0);
    return calls === 1 ? `Model call ${before + 1} of ${all}` : `Model calls ${before + 1} to ${before + calls} of ${all}`;
  }

  // A call; its prompt is put together only when it is unfolded. Calls are counted through the whole run.
  call(call, run, step, n, nth) {
    const [prompt, reused, generated, time] = call.usage, inside = el("div");
    const unfold = async (event) => {
      if (!event.target.open || inside.childElementCount) return;
      const messages = await this.link.ask("prompt", { run: this.number(run), step, call: n });
      const whole = () => [...messages, { role: "assistant", content: call.reply }].map((m) => `[${m.role}]\n${m.content}`).join("\n\n");
      fill(inside, el("button", { onclick: () => copy(whole(), inside, (text) => this.say(text)) }, "Copy the prompt and reply"), messages.flatMap((m) => [el("h4", {}, m.role), el("pre", {}, m.content)]), el("h4", {}, `reply (at most ${number(call.max_tokens)} tokens)`), el("pre", {}, call.reply),
        call.schema ? el("details", {}, el("summary", {}, "The schema that bound the reply"), el("pre", {}, JSON.stringify(call.schema, null, 1))) : "");
    };
    return el("details", { class: "call", ontoggle: unfold }, el("summary", {}, `${nth}. ${call.purpose}: prompt ${number(prompt)} tokens (${number(reused)} reused), generated ${number(generated)}, ${seconds(time)}`), inside);
  }

  // --- the page -------------------------------------------------------------------------------------------------------

  placeText(coord) { const [doc, page] = this.data.places[coord]; return page ? `${this.data.documents[doc].name}, page ${page}` : this.data.documents[doc].name; }

  show(coord, remember = true) {
    const [doc, page] = this.data.places[coord] ?? [];
    if (page) this.turn(doc, page, coord, remember);
    else if (doc) this.showText(doc, coord, remember);
  }

  // The section around a paragraph, for a document without pages.
  async showText(doc, coord, remember) {
    if (remember && this.at) this.back.push({ ...this.at, run: this.run, step: this.step });
    this.at = { doc, page: null, coord };
    const sec = Number(coord.split(":")[1]), paras = await this.link.ask("section", { doc, sec });
    if (this.at.coord !== coord) return;
    fill(this.page, el("h3", {}, `Section ${sec} of ${this.data.documents[doc].name}`), el("div", { class: "pagebar" }, el("button", { disabled: !this.back.length, onclick: () => this.goBack() }, "Back")),
      paras.map(([c, text]) => el("div", { class: `para${c === coord ? " on" : ""}` }, el("code", { class: "soft" }, c), el("div", {}, text))));
    const on = this.page.querySelector(".on");
    if (remember) on?.scrollIntoView({ block: "nearest" });
    else if (on) bringInto(this.page, on);
  }

  firstPage() {
    if (!this.data.documents || this.at) return;
    const doc = this.documents.find((d) => d.pages.length);
    if (doc) this.turn(doc.doc_id, 1, null, false);
    else fill(this.page, el("p", { class: "soft" }, "These documents have no pages: click a coordinate to read its section."));
  }

  goBack() { const last = this.back.pop(); if (last) { this.run = last.run; if (last.page) this.turn(last.doc, last.page, last.coord, false); else this.show(last.coord, false); if (last.step !== this.step) this.go(last.run, last.step); } }

  // Turns to a page, a place on it outlined; what was looked at before is kept for `back`.
  async turn(doc, page, coord = null, remember = true) {
    if (!this.data.documents) return;
    if (remember && this.at) this.back.push({ ...this.at, run: this.run, step: this.step });
    this.at = { doc, page, coord };
    const marks = await this.link.ask("marks", { run: this.number(), doc, page });
    if (this.at.doc === doc && this.at.page === page && this.at.coord === coord) this.drawPage(marks, remember);
  }

  drawPage(marks, asked = true) {
    const { doc, page, coord } = this.at, document_ = this.data.documents[doc], label = document_.pages[page - 1];
    const name = `Page ${page}${label && label !== String(page) ? ` (printed ${label})` : ""} of ${document_.name}`;
    const turn = (to) => el("button", { disabled: to < 1 || to > document_.pages.length, "aria-label": to < page ? "Page before" : "Page after", onclick: () => this.turn(doc, to, null) }, to < page ? "‹" : "›");
    const what = (m) => `${m.coord} ${HOW[m.how]}${m.steps.length ? `, in step ${m.steps.join(", ")}` : ""}`;
    const holder = el("div"), keys = [...new Set(marks.map((m) => m.how))];
    const boxes = marks.filter((m) => m.box).map((m) => ({ box: m.box, kind: m.how, title: what(m), here: m.coord === coord, click: () => this.toStep(m) }));
    const picture = this.pictures.image("page", { doc, page }, name, (found) => {
      if (found?.missing) fill(holder, el("p", { class: "soft" }, found.missing));
    });
    holder.append(sheet(picture, ...document_.sizes[page - 1], boxes));
    const pick = this.documents.length > 1 && el("select", { "aria-label": "Document", onchange: (e) => this.turn(Number(e.target.value), 1, null) }, this.documents.filter((d) => d.pages.length).map((d) => el("option", { value: d.doc_id, selected: d.doc_id === doc }, d.name)));
    fill(this.page,
      el("div", { class: "pagebar" }, el("h3", {}, name)),
      this.isGold(doc, page) && el("p", { class: "star" }, `${STAR} A gold page: it supports the right answer.`),
      el("div", { class: "pagebar" }, turn(page - 1), turn(page + 1), el("button", { disabled: !this.back.length, onclick: () => this.goBack() }, "Back"),
        el("button", { "aria-pressed": String(this.parts.panes.classList.contains("large")), onclick: (e) => e.target.setAttribute("aria-pressed", String(this.parts.panes.classList.toggle("large"))) }, "Large"), pick),
      holder,
      keys.length ? el("p", {}, keys.map((k) => [el("span", { class: `box key ${k}` }), HOW[k], "  "])) : el("p", { class: "soft" }, "Nothing of this page was shown in this run."),
      el("ul", {}, marks.map((m) => el("li", {}, el("button", { class: "link", onclick: () => this.toStep(m) }, what(m))))),
      this.strip());
    const here = this.page.querySelector(".here");
    if (asked) here?.scrollIntoView({ block: "nearest", inline: "nearest" });
    else if (here) bringInto(this.page, here); // opening a file or walking through steps leaves the window where it is
  }

  toStep(mark) { const i = this.one.steps.findIndex((s) => s.n === mark.steps[0]); if (i >= 0) { this.go(this.run, i).then(() => this.list.node.focus({ preventScroll: true })); } }

  // Small pictures of all pages that this run came across, in the order in which it did; made anew only when there are more.
  strip() {
    const { pages } = this.one, key = `${this.question} ${this.run} ${pages.length}`;
    if (this.strips?.key !== key) {
      const thumb = ([d, p]) => el("button", { class: "thumb", title: `Page ${p} of ${this.data.documents[d].name}`, "data-at": `${d}:${p}`, onclick: () => this.turn(d, p, null) },
        el("span", { class: "face" }, this.pictures.image("thumb", { doc: d, page: p }, "")), `${this.isGold(d, p) ? STAR : ""}${this.documents.length > 1 ? `${d}: ` : ""}p. ${p}`);
      this.strips = { key, node: el("div", { class: "strip" }, pages.filter(([d]) => this.data.documents[d]).map(thumb)) };
    }
    const { node } = this.strips;
    node.querySelectorAll("[aria-current]").forEach((n) => n.removeAttribute("aria-current"));
    node.querySelector(`[data-at="${this.at.doc}:${this.at.page}"]`)?.setAttribute("aria-current", "true");
    return pages.length ? [el("h4", {}, `Pages of this run (${pages.length})`), node] : "";
  }

  close() { this.pictures.close(); this.list.close(); this.link.close(); }
}

function render({ model, el: host, data }) {
  const root = el("div", { class: "dr viewer", id: `dr-${Math.random().toString(36).slice(2)}` });
  if (!model) root.append(el("h1", { class: "hidden" }, "What the agent did")); // a file is a page of its own
  host.append(root);
  const viewer = new Viewer(root, connect(model, fileAnswers, data));
  viewer.open().catch((problem) => root.append(el("p", { class: "bad" }, problem.message)));
  return () => viewer.close();
}

export default { render };
