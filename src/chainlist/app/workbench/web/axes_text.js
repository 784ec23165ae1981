// What is up and what is across in a plot, as edits of its items in the text: Y(B1), or VS(Y(B1),X(B1)).
import * as CM from "nicegui-codemirror";
import { following, moveTight } from "/bench/following.js";

const plots = following((plot, changes) => ({ ...plot, items: plot.items.map((item) => ({ ...item, at: moveTight(item.at, changes) })) }));
export const plotField = plots.field;
export const TIME = "Time";

/** What the server found; it speaks of the text as it stands. */
export function keepPlots(view, found) {
  view.dispatch({ effects: plots.set.of(found) });
}

/** What is up and what is across in an item. */
export function halves(text) {
  const inside = /^\{?\s*VS\s*\((.*)\)\s*\}?$/is.exec(text.trim())?.[1];
  if (inside === undefined) return { up: text, across: TIME };
  let depth = 0, at = 0;
  while (at < inside.length && (depth || inside[at] !== ",")) depth += { "(": 1, "{": 1, ")": -1, "}": -1 }[inside[at++]] ?? 0;
  return { up: inside.slice(0, at).trim(), across: inside.slice(at + 1).trim() };
}

/** The item with these halves. */
export const versus = (up, across) => (across.toLowerCase() === TIME.toLowerCase() ? up : `VS(${up},${across})`);

export const same = (a, b) => a.replace(/\s/g, "").toLowerCase() === b.replace(/\s/g, "").toLowerCase();

/** Let a plot, known by its title, have another item across; or one item `up` more, or less where it has it. */
export function writeAxes(view, { title, across, up }) {
  const plot = view.state.field(plotField).find((one) => one.title === title);
  if (!plot || plot.items.some(({ at, text }) => view.state.sliceDoc(...at) !== text)) return;
  const changes = across === undefined ? toggled(plot, up, view.state.doc) : plot.items.map(({ at: [from, to], text }) => ({ from, to, insert: versus(halves(text).up, across) }));
  if (changes) view.dispatch({ changes, userEvent: "input.axes", annotations: CM.isolateHistory.of("full") });
}

function toggled({ items, quoted }, up, doc) {
  const there = items.find(({ text }) => same(halves(text).up, up)), last = items.at(-1);
  if (there && items.length === 1) return null; // a plot of nothing
  if (there) {
    const [from, to] = there.at, first = there === items[0];
    const before = /\s*$/.exec(doc.sliceString(0, from))[0].length, behind = /^\s*/.exec(doc.sliceString(to))[0].length;
    return first ? { from, to: to + behind } : { from: from - before, to };
  }
  const more = versus(up, halves(last.text).across);
  return quoted ? { from: last.at[1], insert: ` ${more}` } : { from: last.at[0], to: last.at[1], insert: `"${last.text} ${more}"` };
}
