// A run as Markdown, to be copied into a note or an issue.

// Text that Markdown must not read as its own; code goes between fences longer than any in it.
const plain = (text) => String(text).replace(/([\\`*_{}[\]<>#|])/g, "\\$1").replace(/\n/g, "  \n");
function fenced(text) { const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((t) => t.length)); const fence = "`".repeat(longest + 1); return `${fence}\n${text}\n${fence}`; }

function stepMarkdown(step) {
  const { tool, ...given } = step.action;
  return [`### Step ${step.n}: ${plain(tool ?? "no action")}`, step.thought && `*Thought:* ${plain(step.thought)}`, Object.keys(given).length ? fenced(JSON.stringify(given)) : "", step.observation && fenced(step.observation)].filter(Boolean).join("\n\n");
}

function runMarkdown(run, steps) {
  const cites = run.citations.map((c, n) => `${n + 1}. "${plain(c.quote)}" (${plain(c.document)}${c.page ? `, p. ${c.page}` : ""}, ${c.coord})`);
  return [`## ${plain(run.question)}`, `**${plain(run.answer || "No answer.")}**`, plain(`${run.stop_text} ${run.cost}`), ...steps.map(stepMarkdown), cites.length ? `### Citations\n\n${cites.join("\n")}` : ""].filter(Boolean).join("\n\n") + "\n";
}
