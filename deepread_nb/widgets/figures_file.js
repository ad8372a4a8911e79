// A view of figures as a file. Where the file carries runs, the address names the one that is shown: file.html#run=0:12 is
// system 0 on question 12, both counted from 0.

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text());
}

// Turns between the figures in `root` and a run in `place`. What is known of a run is `html`, which Python escaped, or the
// data of the viewer.
function turnToRuns(root, place, data, packed) {
  let close = null, from = null;

  function bar(system, question) {
    const node = document.createElement("div"), back = document.createElement("button"), title = document.createElement("h2");
    node.className = "dr-bar dr-view";
    back.textContent = "\u2190 Back to the figures";
    back.onclick = () => { location.hash = ""; };
    title.textContent = `${data.systems[system]} on ${data.questions[question][0]}`;
    node.append(back, title);
    return [node, back];
  }

  async function turn() {
    const key = location.hash.replace("#run=", ""), found = packed[key];
    if (close) close();
    close = null;
    place.replaceChildren();
    root.hidden = !!found;
    place.hidden = !found;
    if (!found) {
      if (from) { from.focus(); from.scrollIntoView({ block: "center" }); }
      return;
    }
    const [system, question] = key.split(":").map(Number), run = await unpack(found);
    const [head, back] = bar(system, question), host = document.createElement("div");
    place.append(head, host);
    if (run.html) { host.className = "dr-view"; host.innerHTML = run.html; }
    else close = viewRun({ model: null, el: host, data: run });
    scrollTo(0, 0);
    back.focus();
  }

  addEventListener("hashchange", turn);
  turn();
  return {
    has: (system, question) => `${system}:${question}` in packed,
    run: (system, question) => { from = document.activeElement; location.hash = `run=${system}:${question}`; },
  };
}

const readData = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");
const figuresRoot = document.querySelector(".dr-view"), figuresData = readData("dr-data"), packedRuns = readData("dr-runs");
wire(figuresRoot, figuresData, packedRuns && turnToRuns(figuresRoot, document.querySelector(".dr-run"), figuresData, packedRuns));
