// Colours and completion of the chainlist language. A chainlist is read line by line: its first line is the title,
// a line that begins with * is a comment, one that begins with . a command, any other an entity.
import * as CM from "nicegui-codemirror";

const TOKEN = new RegExp([
  "(?<comment>;.*$)",
  '(?<string>"[^"]*"?)',
  "(?<ellipsis>\\.\\.\\.|\u2026)",
  "(?<number>(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?)(?<unit>[A-Za-z]+)?",
  "(?<key>[A-Za-z_][\\w.]*)(?=\\s*=)",
  "(?<call>[A-Za-z_]\\w*)(?=\\()",
  "(?<name>[A-Za-z_][\\w.]*)",
].join("|"), "gu");

const ENTITY = { B: "cl-t-body", C: "cl-t-link", S: "cl-t-slider", X: "cl-t-machine" };
const classOf = (name) => ENTITY[name[0].toUpperCase()] ?? "cl-t-name";
/** Of a name that is used: an entity of this text, or something else, such as a parameter or a keyword. */
const usedClass = (name, known) => (known.has(name.toLowerCase().split(".")[0]) ? classOf(name.split(".").pop()) : "cl-t-name");
const mark = (name) => CM.Decoration.mark({ class: name });
const MARKS = Object.fromEntries(
  ["title", "comment", "command", "string", "ellipsis", "number", "unit", "key", "call", "name", "plus"].map((n) => [n, mark(`cl-t-${n}`)]),
);
const NAMED = Object.fromEntries([...Object.values(ENTITY), "cl-t-name"].map((n) => [n, [mark(n), mark(`${n} cl-t-defined`)]]));

/** Calls add(from, to, mark) for every token of a line that begins at `from`; `known` are the entities of the text. */
function colourLine(text, from, isTitle, known, add) {
  const whole = (name) => text.length && add(from, from + text.length, MARKS[name]);
  if (isTitle) return whole("title");
  let at = text.search(/\S/);
  if (at < 0) return;
  if (text[at] === "*" && !/^\*\+(?![-+*=])/.test(text.slice(at))) return whole("comment");
  const command = /^\.[A-Za-z]+/.exec(text.slice(at)), plus = /^\*?\+/.exec(text.slice(at));
  let defining = !command && !plus;
  for (const [found, name] of [[command, "command"], [plus, "plus"]]) {
    if (!found) continue;
    add(from + at, from + at + found[0].length, MARKS[name]);
    at += found[0].length;
    if (name === "command" && /^\.title$/i.test(found[0])) return add(from + at, from + text.length, MARKS.title);
  }
  TOKEN.lastIndex = at;
  for (let m; (m = TOKEN.exec(text)); ) {
    const start = from + m.index, { number, unit, name } = m.groups;
    if (number !== undefined) {
      add(start, start + number.length, MARKS.number);
      if (unit) add(start + number.length, start + m[0].length, MARKS.unit);
    } else if (name !== undefined) add(start, start + name.length, defining ? NAMED[classOf(name)][1] : NAMED[usedClass(name, known)][0]);
    else {
      const kind = Object.keys(m.groups).find((key) => m.groups[key] !== undefined);
      const isEntity = defining && (kind === "call" || kind === "key");
      add(start, start + m[0].length, isEntity ? NAMED[classOf(m[0])][1] : MARKS[kind]);
    }
    defining = false;
  }
}

export const colours = CM.ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.known = new Set(entityNames(view.state).map((n) => n.label.toLowerCase()));
      this.decorations = this.build(view);
    }
    update(update) {
      if (update.docChanged) this.known = new Set(entityNames(update.state).map((n) => n.label.toLowerCase()));
      if (update.docChanged || update.viewportChanged) this.decorations = this.build(update.view);
    }
    build(view) {
      const ranges = [];
      for (const { from, to } of view.visibleRanges)
        for (let at = from; at <= to; ) {
          const line = view.state.doc.lineAt(at);
          colourLine(line.text, line.from, line.number === 1, this.known, (a, b, m) => b > a && ranges.push(m.range(a, b)));
          at = line.to + 1;
        }
      return CM.Decoration.set(ranges, true);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** Completion and comment keys; `vocabulary` holds commands, options and observables with their meanings. */
export function languageData(vocabulary) {
  const data = [{ autocomplete: (context) => complete(context, vocabulary), commentTokens: { line: "*" } }];
  return CM.EditorState.languageData.of(() => data);
}

function complete(context, { commands, options, observables, settings }) {
  const line = context.state.doc.lineAt(context.pos), before = line.text.slice(0, context.pos - line.from);
  if (line.number === 1) return null;
  if (/^\s*\*/.test(before) || /;/.test(before)) return null;
  const dotted = /^\s*(\.[A-Za-z]*)$/.exec(before);
  if (dotted) return { from: context.pos - dotted[1].length, options: commands.map((c, i) => ({ label: c.name, detail: c.usage, info: c.meaning, type: "keyword", boost: -i })) };
  const value = /([A-Za-z_]\w*)\s*=\s*(\w*)$/.exec(before), word = /[A-Za-z_][\w.]*$/.exec(before);
  const command = commandAt(context.state, line.number);
  if (value) {
    const option = options.find((o) => o.name.toLowerCase() === value[1].toLowerCase());
    return option?.choices.length ? { from: context.pos - value[2].length, options: option.choices.map((c) => ({ label: c, type: "constant" })) } : null;
  }
  if (!word && !context.explicit) return null;
  const from = context.pos - (word ? word[0].length : 0), names = entityNames(context.state);
  if (command === ".options") return { from, options: options.map((o) => ({ label: o.name, apply: withValue(o.name), detail: o.default, info: `${o.meaning} (${o.range})`, type: "property" })) };
  if (command === ".plot" || command === ".print") {
    const items = observables.map((o) => ({ label: o.name, apply: o.takes ? `${o.name}(` : o.name, detail: o.unit, info: o.meaning, type: "function" }));
    return { from, options: [...items, ...names] };
  }
  if (command || /^\s*\S*$/.test(before)) return null;
  const keys = settings.map(({ name }) => ({ label: name, apply: `${name}=`, type: "property" }));
  return { from, options: [...names.filter((n) => n.type === "variable"), ...keys] };
}

/** Completes to `NAME=`, then says at once what may follow. */
function withValue(name) {
  return (view, completion, from, to) => {
    view.dispatch({ changes: { from, to, insert: `${name}=` }, selection: { anchor: from + name.length + 1 }, userEvent: "input.complete" });
    const ask = new KeyboardEvent("keydown", { key: " ", code: "Space", keyCode: 32, ctrlKey: true });
    setTimeout(() => CM.runScopeHandlers(view, ask, "editor")); // the list that is open now closes first
  };
}

/** The command that a line belongs to, through its continuation lines; "" for an entity. */
function commandAt(state, number) {
  for (; number > 1; number--) {
    const text = state.doc.line(number).text;
    if (/^\s*(\*?\+|\*|$)/.test(text)) continue;
    return /^\s*(\.[A-Za-z]+)/.exec(text)?.[1].toLowerCase() ?? "";
  }
  return "";
}

function entityNames(state) {
  const names = new Map();
  for (let k = 2; k <= Math.min(state.doc.lines, 5000); k++) {
    const name = /^\s*([A-Za-z]\w*)/.exec(state.doc.line(k).text)?.[1];
    if (name) names.set(name.toLowerCase(), { label: name, type: /^b/i.test(name) ? "variable" : "class" });
  }
  return [...names.values()];
}

/** What a hover over a word says: the meaning of a command, an option or an observable. */
export function meaningOf(word, { commands, options, observables, functions }) {
  const key = word.toLowerCase();
  const command = commands.find((c) => c.name === key);
  if (command) return [command.usage, command.meaning];
  const option = options.find((o) => o.name.toLowerCase() === key);
  if (option) return [`${option.name} = ${option.range}`, `${option.meaning}; default ${option.default}`];
  const item = observables.find((o) => o.name.toLowerCase() === key);
  if (item && word.length > 1) return [item.usage, `${item.meaning}${item.unit ? `, in ${item.unit}` : ""}`];
  const call = functions.find((f) => f.name === key);
  return call ? [call.usage, call.meaning] : null;
}
