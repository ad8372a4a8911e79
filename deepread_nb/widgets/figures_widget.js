// A view of figures as a widget. `body` is HTML that Python made, with all text in it escaped; the questions behind the marks
// come as JSON, and the kernel is told which question was chosen.
function render({ model, el }) {
  const draw = () => {
    const root = document.createElement("div");
    root.className = "dr-view";
    root.innerHTML = model.get("body");
    el.replaceChildren(root);
    const data = JSON.parse(model.get("data"));
    const run = (system, question) => model.send({ open: [data.systems[system], data.questions[question][0]] });
    wire(root, data, { has: () => true, run });
  };
  model.on("change:body", draw);
  draw();
}

export default { render };
