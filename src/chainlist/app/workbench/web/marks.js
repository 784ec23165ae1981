// Messages in the editor: signs in the margin, wavy lines under the text, and their words on hover.
import * as CM from "nicegui-codemirror";

const RANK = { error: 0, warning: 1, note: 2 };

class Sign extends CM.GutterMarker {
  constructor(messages) {
    super();
    this.messages = messages;
    this.severity = messages.map((m) => m.severity).sort((a, b) => RANK[a] - RANK[b])[0] ?? "note";
  }
  eq(other) { return JSON.stringify(other.messages) === JSON.stringify(this.messages); }
  toDOM() {
    const sign = document.createElement("span");
    sign.className = `cl-sign cl-sign-${this.severity}`;
    sign.setAttribute("role", "img");
    sign.setAttribute("aria-label", this.messages.map((m) => `${m.severity}: ${m.message}`).join("; "));
    sign.title = this.messages.map((m) => m.message).join("\n");
    return sign;
  }
}

const setMessages = CM.StateEffect.define();

const messageField = CM.StateField.define({
  create: () => ({ signs: CM.RangeSet.empty, waves: CM.Decoration.none }),
  update(value, transaction) {
    value = { signs: value.signs.map(transaction.changes), waves: value.waves.map(transaction.changes) };
    for (const effect of transaction.effects) if (effect.is(setMessages)) value = placed(effect.value, transaction.state.doc);
    return value;
  },
  provide: (field) => CM.EditorView.decorations.from(field, (value) => value.waves),
});

function placed(messages, doc) {
  const lines = new Map(), waves = [];
  for (const message of messages) {
    if (message.from === undefined) continue;
    const from = Math.min(message.from, doc.length), line = doc.lineAt(from);
    const to = Math.max(Math.min(message.to, line.to), Math.min(from + 1, line.to));
    if (!lines.has(line.from)) lines.set(line.from, []);
    lines.get(line.from).push(message);
    const start = to > from ? from : Math.max(line.from, to - 1);
    if (to > start) waves.push(CM.Decoration.mark({ class: `cl-wave cl-wave-${message.severity}`, message }).range(start, to));
  }
  const signs = [...lines].map(([at, list]) => new Sign(list).range(at));
  return { signs: CM.RangeSet.of(signs, true), waves: CM.Decoration.set(waves, true) };
}

export function showMessages(view, messages) {
  view.dispatch({ effects: setMessages.of(messages) });
}

/** The extensions: field, margin, and hover texts (messages first, then the meaning of the word). */
export function messageMarks(ask) {
  const margin = CM.gutter({
    class: "cl-margin",
    markers: (view) => view.state.field(messageField).signs,
    initialSpacer: () => new Sign([]),
  });
  const hover = CM.hoverTooltip((view, pos) => messageTip(view, pos) ?? meaningTip(view, pos, ask), { hoverTime: 250 });
  return [messageField, CM.Prec.high(margin), hover];
}

function messageTip(view, pos) {
  const found = [];
  let from = Infinity, to = 0;
  view.state.field(messageField).waves.between(pos, pos, (a, b, decoration) => {
    found.push(decoration.spec.message);
    from = Math.min(from, a);
    to = Math.max(to, b);
  });
  return found.length ? { pos: from, end: to, create: () => ({ dom: tip(found.map(messageText), found.flatMap((m) => (m.fixes ?? []).map((fix) => fixButton(view, fix)))) }) } : null;
}

function messageText({ severity, code, message, label, help, inside }) {
  const parts = [[`cl-tip-${severity}`, `${severity} ${code}`], ["", inside ? `in ${inside}: ${message}` : message]];
  if (label) parts.push(["cl-tip-quiet", label]);
  if (help) parts.push(["cl-tip-help", `Help: ${help}`]);
  return parts;
}

async function meaningTip(view, pos, ask) {
  if (view.state.doc.lineAt(pos).number === 1) return null;
  const found = await ask("hover", pos);
  if (!found || found.to > view.state.doc.length) return null;
  const parts = [["cl-tip-code", found.code], ["", found.text]].filter(([, text]) => text);
  return { pos: found.from, end: found.to, create: () => ({ dom: tip([parts]) }) };
}

/** Writes a cure into the text, unless the text has changed there since it was read. */
function fixButton(view, { title, from, to, was, text }) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "cl-tip-fix";
  button.textContent = title;
  button.addEventListener("click", () => {
    if (view.state.sliceDoc(from, to) !== was) return;
    view.dispatch({ changes: { from, to, insert: text }, userEvent: "input.fix", annotations: CM.isolateHistory.of("full") });
    view.focus();
  });
  return button;
}

function tip(blocks, buttons = []) {
  const dom = document.createElement("div");
  dom.className = "cl-hover";
  for (const parts of blocks) {
    const block = document.createElement("div");
    for (const [name, text] of parts) {
      const part = document.createElement("div");
      part.className = name;
      part.textContent = text;
      block.append(part);
    }
    dom.append(block);
  }
  dom.append(...buttons);
  return dom;
}
