// Small pieces that all widgets are made of. This file is put before each widget's own; together they are one module.
// Text of documents, models and people is only ever set as text, never as HTML: a document that holds markup or script
// shows it as it was written.

// An element: `class`, attributes, on<event> listeners; children are nodes or text.
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  fill(node, ...children);
  return node;
}

// Children instead of those a node has; lists are flattened, and what is absent is left out.
function fill(node, ...children) {
  node.replaceChildren(...children.flat(9).filter((c) => c !== undefined && c !== null && c !== false));
}

function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const number = (n) => Number(n).toLocaleString("en-US");
const seconds = (s) => (s === 0 ? "0 s" : s < 1 ? `${s.toPrecision(2)} s` : s < 10 ? `${s.toFixed(1)} s` : s < 120 ? `${Math.round(s)} s` : `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`);
const facts = (pairs) => el("dl", {}, Object.entries(pairs).filter(([, v]) => v !== "" && v !== null && v !== undefined).map(([k, v]) => [el("dt", {}, k), el("dd", {}, v)]));

// The way to the kernel and back. `ask(kind, args)` is answered once; events come without a request. All views of a model hear every
// message, so each question has an id that no other view has. In a file there is no model: `local` answers from its data.
function connect(model, local, data) {
  if (!model) return { ask: async (kind, args = {}) => local[kind](data, args), listen() {}, close() {} };
  const waiting = new Map(), listeners = [];
  const hear = (message, buffers) => {
    const { id, event, error } = message;
    if (event) return listeners.forEach((f) => f(message));
    const [done, failed] = waiting.get(id) ?? [];
    if (!done) return;
    waiting.delete(id);
    if (error) failed(new Error(error));
    else done(buffers?.length ? { ...message.answer, bytes: buffers[0] } : message.answer);
  };
  model.on("msg:custom", hear);
  return {
    ask: (kind, args = {}) => new Promise((done, failed) => {
      const id = Math.random().toString(36).slice(2) + Date.now();
      waiting.set(id, [done, failed]);
      model.send({ id, kind, ...args });
    }),
    listen: (f) => listeners.push(f),
    close: () => model.off("msg:custom", hear),
  };
}

// Pictures are asked for when they are seen, the newest first and a few at a time; what has scrolled away again is left out.
class Pictures {
  constructor(link, atOnce = 3) {
    Object.assign(this, { link, atOnce, busy: 0, queue: [], kept: new Map() });
    this.watch = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => {
      target.seen = isIntersecting;
      if (isIntersecting && target.wanted) { this.queue.push(target); this.next(); }
    }), { rootMargin: "100px" });
  }

  // An image whose picture comes when it is seen; `then` hears the whole answer.
  image(kind, args, alt, then) {
    const node = el("img", { alt });
    node.wanted = { kind, args, then };
    this.watch.observe(node);
    return node;
  }

  async next() {
    if (this.busy >= this.atOnce || !this.queue.length) return;
    const node = this.queue.pop();
    if (!node.wanted || !node.isConnected || !node.seen) return this.next();
    const { kind, args, then } = node.wanted;
    node.wanted = null;
    this.watch.unobserve(node);
    this.busy += 1;
    try {
      const found = await this.get(kind, args);
      if (found?.src) node.src = found.src; else node.remove();
      then?.(found);
    } catch (problem) { node.replaceWith(el("p", { class: "soft" }, problem.message)); then?.(null); }
    this.busy -= 1;
    this.next();
  }

  // The answer with its bytes as an address; the last 200 are kept.
  async get(kind, args) {
    const key = JSON.stringify([kind, args]);
    let found = this.kept.get(key);
    if (!found) {
      found = await this.link.ask(kind, args);
      if (found?.bytes) found.src = URL.createObjectURL(new Blob([found.bytes], { type: "image/jpeg" }));
      this.kept.set(key, found);
      const oldest = this.kept.keys().next().value;
      if (this.kept.size > 200) { this.forget(this.kept.get(oldest)); this.kept.delete(oldest); }
    }
    return found;
  }

  forget(found) { if (found?.bytes) URL.revokeObjectURL(found.src); }
  close() { this.watch.disconnect(); this.kept.forEach((found) => this.forget(found)); }
}

// Scrolls a pane, and nothing around it, until a part of it is seen.
function bringInto(pane, node) {
  const p = pane.getBoundingClientRect(), n = node.getBoundingClientRect();
  if (n.top < p.top) pane.scrollTop += n.top - p.top;
  else if (n.bottom > p.bottom) pane.scrollTop += Math.min(n.bottom - p.bottom, n.top - p.top);
  if (n.left < p.left) pane.scrollLeft += n.left - p.left;
  else if (n.right > p.right) pane.scrollLeft += Math.min(n.right - p.right, n.left - p.left);
}

// A list of any length: only visible rows exist, and scrolling draws the rows that become visible. The list itself
// has the focus; `aria-activedescendant` names its chosen row, whose id `chosen` returns, as long as that row exists.
class VirtualList {
  constructor(label, height, draw, role = "listbox", chosen = null) {
    Object.assign(this, { height, draw, chosen, count: 0, rows: new Map() });
    this.space = el("div", { class: "space", role: "presentation" });
    this.node = el("div", { class: "pane list", role, tabindex: 0, "aria-label": label, onscroll: () => this.paint(false) }, this.space);
    this.sized = new ResizeObserver(() => this.paint(false));
    this.sized.observe(this.node);
  }

  set(count) { this.count = count; this.space.style.height = `${count * this.height}px`; this.paint(); }

  // Draws the rows that can be seen; those that were drawn before are kept unless all are to be drawn afresh.
  paint(afresh = true) {
    const top = this.node.scrollTop, first = Math.max(0, Math.floor(top / this.height) - 6);
    const last = Math.min(this.count, Math.ceil((top + this.node.clientHeight) / this.height) + 6);
    for (const [i, row] of this.rows) if (afresh || i < first || i >= last) { row.remove(); this.rows.delete(i); }
    for (let i = last - 1, below = null; i >= first; i -= 1) {
      if (!this.rows.has(i)) this.space.insertBefore(this.place(i), below);
      below = this.rows.get(i);
    }
    if (this.chosen) this.tellChosen();
  }

  place(i) {
    const row = this.draw(i);
    row.classList.add("row");
    row.style.top = `${i * this.height}px`;
    row.style.height = `${this.height}px`;
    this.rows.set(i, row);
    return row;
  }

  tellChosen() {
    const id = this.chosen(), there = [...this.rows.values()].some((row) => row.id === id || row.querySelector(`#${CSS.escape(id)}`));
    if (there) this.node.setAttribute("aria-activedescendant", id);
    else this.node.removeAttribute("aria-activedescendant");
  }

  reveal(i) {
    const { scrollTop, clientHeight } = this.node, at = i * this.height;
    if (at < scrollTop) this.node.scrollTop = at;
    else if (at + this.height > scrollTop + clientHeight) this.node.scrollTop = at + this.height - clientHeight;
    this.paint();
  }

  close() { this.sized.disconnect(); }
}

// Text with the searched words marked and coordinates as links; both are pieces of text, never HTML.
function textWithLinks(text, query, isPlace, go) {
  const words = query ? query.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : null;
  const pattern = new RegExp(`(\\b\\d+:\\d+:\\d+\\b)${words ? `|(${words})` : ""}`, "gi");
  const out = [];
  let last = 0;
  for (const found of text.matchAll(pattern)) {
    const [whole, coord] = found;
    if (coord && !isPlace(coord)) continue;
    out.push(text.slice(last, found.index), coord ? el("button", { class: "link", title: "Show where it is", onclick: () => go(coord) }, coord) : el("mark", {}, whole));
    last = found.index + whole.length;
  }
  out.push(text.slice(last));
  return out;
}

// Text on the clipboard; where the browser forbids that, in a box to copy it from.
async function copy(text, root, say) {
  try { await navigator.clipboard.writeText(text); say("Copied."); }
  catch {
    const area = el("textarea", { rows: 8, "aria-label": "Text to copy", readonly: true }), close = el("button", { onclick: () => box.remove() }, "Close");
    const box = el("div", { class: "bar" }, area, close);
    area.value = text;
    area.style.width = "100%";
    root.append(box);
    area.select();
    say("The browser forbids the clipboard: copy the text below.");
  }
}

// One page with places framed on it. `found` is the kernel's answer: width and height in points; `boxes` have [x0, y0, x1, y1], class, title.
function sheet(picture, width, height, boxes) {
  const node = el("div", { class: "sheet" }, picture);
  node.style.aspectRatio = `${width} / ${height}`;
  for (const { box, kind, title, here, color, click } of boxes) {
    const frame = el(click ? "button" : "div", { class: `box ${kind}${here ? " here" : ""}`, title, tabindex: click ? -1 : undefined, "aria-hidden": "true", onclick: click });
    const share = (v, whole) => `${(100 * v) / whole}%`;
    Object.assign(frame.style, { left: share(box[0] - 2, width), top: share(box[1] - 2, height), width: share(box[2] - box[0] + 4, width), height: share(box[3] - box[1] + 4, height) });
    if (color) frame.style.borderColor = color;
    node.append(frame);
  }
  return node;
}
