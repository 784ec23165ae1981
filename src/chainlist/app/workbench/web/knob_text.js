// The numbers behind the knobs: where they stand in the text, and how a turn is written there.
import * as CM from "nicegui-codemirror";

const setKnobs = CM.StateEffect.define();

export const knobField = CM.StateField.define({
  create: () => [],
  update(knobs, transaction) {
    const { changes } = transaction;
    if (transaction.docChanged)
      knobs = knobs.map((knob) => ({
        ...knob,
        at: [changes.mapPos(knob.at[0], -1), changes.mapPos(knob.at[1], 1)],
        rangeAt: [changes.mapPos(knob.rangeAt[0], 1), changes.mapPos(knob.rangeAt[1], 1)],
      }));
    for (const effect of transaction.effects) if (effect.is(setKnobs)) knobs = effect.value;
    return knobs;
  },
});

/** What the server found; it speaks of the text as it stands. */
export function keepKnobs(view, knobs) {
  if (knobs.every(({ at: [from, to], text }) => view.state.sliceDoc(from, to) === text)) view.dispatch({ effects: setKnobs.of(knobs) });
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

/** Write the range of a knob behind it, in place of the one that stands there. */
export function writeRange(view, name, low, high) {
  const knob = knobOf(view, name);
  if (!knob) return;
  const [from, to] = knob.rangeAt, line = view.state.doc.lineAt(from), commented = line.text.indexOf(";", knob.at[1] - line.from) >= 0;
  const insert = `${low}..${high}`, before = knob.told ? "" : commented ? " " : " ; ";
  view.dispatch({ changes: { from, to, insert: before + insert }, userEvent: "input.range", annotations: CM.isolateHistory.of("full") });
}
