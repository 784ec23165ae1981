// The report of a run as a table; with a pinned run beside it, both in columns. All text is set as text, never as HTML.

/** Fill `host` with the figures and notes of a run, and of a pinned one where there is one. */
export function showReport(host, run, pinned) {
  host.replaceChildren();
  if (!run) return void host.append(paragraph("Run a chainlist, and its report stands here: errors of energy and constraints, singular passages, what the solver found."));
  host.append(statusLine(run));
  host.append(table(run, pinned));
  const notes = list(run.notes);
  if (notes) host.append(heading("What the solver found"), notes);
  if (pinned) {
    const others = list(pinned.notes);
    if (others) host.append(heading("Of the pinned run"), others);
  }
}

/** How two runs are told apart: by the options in which they differ. */
export function labels(run, pinned) {
  const keys = Object.keys(run.options).filter((key) => run.options[key] !== pinned.options[key]);
  if (!keys.length) return run.text === pinned.text ? ["this run", "pinned run"] : ["this run", "pinned, another text"];
  const say = (options) => keys.slice(0, 4).map((key) => `${key}=${options[key]}`).join(" ");
  return [say(run.options), say(pinned.options)];
}

function statusLine({ status }) {
  const line = paragraph(status.ok ? "The run went through." : status.message);
  line.className = `bench-status ${status.ok ? "good" : "bad"}`;
  if (!status.ok) line.setAttribute("role", "alert");
  return line;
}

function table(run, pinned) {
  const element = document.createElement("table"), values = new Map(run.figures), others = new Map(pinned?.figures ?? []);
  element.className = "bench-figures";
  if (pinned) {
    const head = row("th", "", ...labels(run, pinned));
    element.createTHead().append(head);
  }
  const body = element.createTBody();
  for (const name of new Set([...values.keys(), ...others.keys()])) {
    const line = row("td", name, values.get(name) ?? "", ...(pinned ? [others.get(name) ?? ""] : []));
    line.firstChild.replaceWith(header(name));
    body.append(line);
  }
  return element;
}

function row(kind, ...texts) {
  const line = document.createElement("tr");
  for (const text of texts) {
    const cell = document.createElement(kind);
    cell.textContent = text;
    if (kind === "th") cell.scope = "col";
    line.append(cell);
  }
  return line;
}

function header(text) {
  const cell = document.createElement("th");
  cell.scope = "row";
  cell.textContent = text;
  return cell;
}

function list(texts) {
  if (!texts?.length) return null;
  const element = document.createElement("ul");
  for (const text of texts) {
    const item = document.createElement("li");
    item.textContent = text;
    element.append(item);
  }
  return element;
}

function heading(text) {
  const element = document.createElement("h3");
  element.textContent = text;
  return element;
}

function paragraph(text) {
  const element = document.createElement("p");
  element.textContent = text;
  return element;
}
