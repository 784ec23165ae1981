// The numbers behind the knobs: where they stand in the text, and how a turn is written there.
import * as CM from "nicegui-codemirror";
import { following, moveWide } from "/bench/following.js";

const knobs = following((knob, changes) => ({
  ...knob,
  at: moveWide(knob.at, changes),
  rangeAt: knob.rangeAt.map((place) => changes.mapPos(place, 1)),
  sweep: knob.sweep && { ...knob.sweep, at: changes.mapPos(knob.sweep.at, 1) },
}));
export const knobField = knobs.field;

/** What the server found; it speaks of the text as it stands. */
export function keepKnobs(view, found) {
  if (found.every(({ at: [from, to], text }) => view.state.sliceDoc(from, to) === text)) view.dispatch({ effects: knobs.set.of(found) });
}

const knobOf = (view, name) => view.state.field(knobField).find((knob) => knob.name === name);

/** Write a value, in the unit of the number, as a part of `step`. */
export function turnKnob(step, name, value) {
  const knob = knobOf(step.view, name);
  if (!knob) return;
  const [from, to] = knob.at, there = step.view.state.sliceDoc(from, to);
  if (/[^\w.+-]/.test(there)) return; // somebody has written something else there meanwhile
  step.change({ changes: { from, to, insert: value + knob.unit }, userEvent: "input.turn" });
}

/** Write the cards that sweep a knob, where the text has none. */
export function writeSweep(view, name) {
  const sweep = knobOf(view, name)?.sweep;
  if (!sweep || view.state.doc.toString().includes(sweep.text)) return;
  view.dispatch({ changes: { from: sweep.at, insert: sweep.text }, userEvent: "input.sweep", annotations: CM.isolateHistory.of("full") });
}

/** Write the range of a knob behind it, in place of the one that stands there. */
export function writeRange(view, name, low, high) {
  const knob = knobOf(view, name);
  if (!knob) return;
  const [from, to] = knob.rangeAt, line = view.state.doc.lineAt(from), commented = line.text.indexOf(";", knob.at[1] - line.from) >= 0;
  const insert = `${low}..${high}`, before = knob.told ? "" : commented ? " " : " ; ";
  view.dispatch({ changes: { from, to, insert: before + insert }, userEvent: "input.range", annotations: CM.isolateHistory.of("full") });
}
