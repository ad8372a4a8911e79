// A view of figures, the same in a notebook and in a file: reads out a mark under the pointer or the focus, walks from mark to
// mark with the arrow keys, lists the questions behind a mark, finds questions by their words, and hides series.
// Text of questions and systems is only ever set as text, never as HTML.

// `root` holds the figures that Python drew. `data` holds `systems`, `questions` ([id, text, gold answers]), `marks` (for each
// system a character per question: 1 right, 0 wrong, ? without a mark, - not asked) and `picks` (for each key: system, questions, marks).
// `open`, where runs can be opened, has `has(system, question)` and `run(system, question)`.
function wire(root, data, open) {
  const tip = root.querySelector(".dr-tip"), picked = root.querySelector(".dr-picked");
  const on = (kind, act) => root.addEventListener(kind, act);
  const withKey = (svg, what, key) => key && [...svg.querySelectorAll(what)].find((n) => n.dataset.key === key);

  // The mark that an event concerns; a stretch of a curve stands for the mark in its middle.
  function markOf(event) {
    const stretch = event.target.closest?.(".dr-seg");
    if (stretch) return withKey(stretch.closest("svg"), ".dr-mark", stretch.dataset.key);
    return event.target.closest?.(".dr-mark");
  }

  // --- the text of a mark -----------------------------------------------------------------------------------------------

  function hideTip() {
    tip.hidden = true;
    root.querySelectorAll(".dr-seg.on").forEach((n) => n.classList.remove("on"));
  }

  function showTip(mark) {
    hideTip();
    const stretch = withKey(mark.closest("svg"), ".dr-seg", mark.dataset.key);
    if (stretch) stretch.classList.add("on");
    tip.textContent = mark.getAttribute("aria-label");
    tip.hidden = false;
    const m = mark.getBoundingClientRect(), r = root.getBoundingClientRect();
    const left = m.left - r.left + m.width / 2 - tip.offsetWidth / 2;
    tip.style.left = `${Math.max(0, Math.min(left, r.width - tip.offsetWidth))}px`;
    const above = m.top - r.top - tip.offsetHeight - 8;
    tip.style.top = `${above < 0 ? m.bottom - r.top + 8 : above}px`;
  }

  // --- the questions behind a mark --------------------------------------------------------------------------------------

  function node(name, text, parent) {
    const n = document.createElement(name);
    if (text !== undefined) n.textContent = text;
    if (parent) parent.append(n);
    return n;
  }

  function questionItem(system, question, mark, list) {
    const item = node("li", undefined, list), [id, text, gold] = data.questions[question];
    const label = `${{ 1: "\u2713 right", 0: "\u2717 wrong" }[mark] ?? "not marked"}, ${data.systems[system]}, ${id}: ${text}`;
    if (open && open.has(system, question)) {
      const button = node("button", label, item);
      button.dataset.question = id;
      button.onclick = () => open.run(system, question);
    } else {
      item.textContent = label + (gold ? `  [gold: ${gold}]` : "");
    }
  }

  // Lists [system, question, mark] below the figures; a button leads back to where the list was asked for.
  function listQuestions(title, origin, entries) {
    picked.replaceChildren();
    const head = node("h3", title, picked);
    head.tabIndex = -1;
    const back = node("button", "\u2191 Back to the figure", picked);
    back.onclick = () => { origin.focus(); origin.scrollIntoView({ block: "center" }); };
    const list = node("ol", undefined, picked);
    for (const [system, question, mark] of entries) questionItem(system, question, mark, list);
    head.focus();
  }

  function openMark(mark) {
    const found = mark.dataset.key && data.picks[mark.dataset.key];
    if (!found) return;
    const [system, questions, marks] = found;
    listQuestions(mark.getAttribute("aria-label").split(". ")[0], mark, questions.map((q, n) => [system, q, marks[n]]));
  }

  function findQuestions(box) {
    const typed = box.value.trim(), wanted = typed.toLowerCase();
    if (!wanted) return;
    const hits = [...data.questions.keys()].filter((q) => data.questions[q].slice(0, 2).some((t) => t.toLowerCase().includes(wanted)));
    const entries = hits.slice(0, 50).flatMap((q) => data.systems.map((_, s) => [s, q, data.marks[s][q]]).filter((e) => e[2] !== "-"));
    const title = `${hits.length} ${hits.length === 1 ? "question" : "questions"} with \u201c${typed}\u201d${hits.length > 50 ? ", the first 50" : ""}`;
    listQuestions(title, box, entries);
  }

  // --- marks and series by keyboard -------------------------------------------------------------------------------------

  // The mark `along` places on in the same series, or near the same place in the series `across` further on.
  function neighbour(mark, along, across) {
    const series = [...mark.closest("svg").querySelectorAll(".dr-series:not(.dr-off)")];
    const shown = series.map((s) => [...s.querySelectorAll(".dr-mark")]).filter((marks) => marks.length);
    const row = shown.findIndex((marks) => marks.includes(mark)), at = shown[row].indexOf(mark);
    const next = shown[(row + across + shown.length) % shown.length];
    return across ? next[Math.min(at, next.length - 1)] : next[Math.max(0, Math.min(at + along, next.length - 1))];
  }

  function toggleSeries(button) {
    const off = button.getAttribute("aria-pressed") === "true";
    button.setAttribute("aria-pressed", String(!off));
    const own = `g:not(.dr-switch)[data-series="${button.dataset.series}"]`;
    button.closest("svg").querySelectorAll(own).forEach((g) => g.classList.toggle("dr-off", off));
  }

  // A page that scrolls under a resting mouse must not hide what the keyboard has asked for.
  function rest() {
    const focused = root.querySelector(".dr-mark:focus-visible");
    if (focused) showTip(focused);
    else hideTip();
  }

  function keydown(event) {
    const mark = markOf(event), button = event.target.closest(".dr-switch");
    const move = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    const enter = event.key === "Enter" || event.key === " ";
    if (event.target.matches(".dr-find")) {
      if (event.key === "Enter") { findQuestions(event.target); event.preventDefault(); }
      event.stopPropagation(); // else the notebook takes the letters for its own commands
      return;
    }
    if (event.key === "Escape") { hideTip(); return; }
    if (mark && move) neighbour(mark, ...move).focus();
    else if (move && event.target.matches(".dr-figure")) event.target.querySelector(".dr-series:not(.dr-off) .dr-mark")?.focus();
    else if (mark && enter) openMark(mark);
    else if (button && enter) toggleSeries(button);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  on("mouseover", (event) => { const mark = markOf(event); if (mark) showTip(mark); else rest(); });
  on("mouseleave", rest);
  on("focusin", (event) => { const mark = markOf(event); if (mark) showTip(mark); else hideTip(); });
  on("focusout", hideTip);
  on("click", (event) => {
    const mark = markOf(event), button = event.target.closest(".dr-switch");
    if (mark) openMark(mark);
    if (button) toggleSeries(button);
  });
  on("keydown", keydown);
}
