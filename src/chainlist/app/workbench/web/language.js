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

/** Completion and comment keys; `ask(what, at)` asks the language service. */
export function languageData(ask) {
  const data = [{ autocomplete: (context) => complete(context, ask), commentTokens: { line: "*" } }];
  return CM.EditorState.languageData.of(() => data);
}

async function complete(context, ask) {
  if (!context.explicit && !context.matchBefore(/[\w.=]+$/)) return null;
  const found = await ask("complete", context.pos);
  if (!found || context.aborted) return null;
  const options = found.options.map(({ label, apply, detail, info, type, again }, rank) => {
    return { label, apply: again ? withValue(label) : apply, detail, info: info || undefined, type, boost: -Math.min(rank, 99) };
  });
  return { from: found.from, options, validFor: found.more ? undefined : /^[\w.]*$/ };
}

/** Completes to `NAME=`, then says at once what may follow. */
function withValue(name) {
  return (view, completion, from, to) => {
    view.dispatch({ changes: { from, to, insert: `${name}=` }, selection: { anchor: from + name.length + 1 }, userEvent: "input.complete" });
    const ask = new KeyboardEvent("keydown", { key: " ", code: "Space", keyCode: 32, ctrlKey: true });
    setTimeout(() => CM.runScopeHandlers(view, ask, "editor")); // the list that is open now closes first
  };
}

function entityNames(state) {
  const names = new Map();
  for (let k = 2; k <= Math.min(state.doc.lines, 5000); k++) {
    const name = /^\s*([A-Za-z]\w*)/.exec(state.doc.line(k).text)?.[1];
    if (name) names.set(name.toLowerCase(), { label: name, type: /^b/i.test(name) ? "variable" : "class" });
  }
  return [...names.values()];
}
