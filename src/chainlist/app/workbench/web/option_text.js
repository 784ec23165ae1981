// Where each option stands in the text, or can be written.
import * as CM from "nicegui-codemirror";
import { following, moveTight } from "/bench/following.js";

const options = following((option, changes) => ({ ...option, at: option.at && moveTight(option.at, changes), write: changes.mapPos(option.write, 1) }));
export const optionField = options.field;

/** What the server found; it speaks of the text as it stands. */
export function keepOptions(view, found) {
  view.dispatch({ effects: options.set.of(found) });
}

/** Write the value of an option: one edit. */
export function writeOption(view, name, value) {
  const option = view.state.field(optionField).find((one) => one.name === name);
  if (!option || (option.at && view.state.sliceDoc(...option.at) !== option.value)) return; // somebody has just written something else there
  const head = option.at ? "" : `${option.before}${name}=`, [from, to] = option.at ?? [option.write, option.write], start = from + head.length;
  view.dispatch({ changes: { from, to, insert: head + value }, userEvent: "input.option", annotations: CM.isolateHistory.of("full") });
  const written = { value, at: [start, start + value.length] };
  keepOptions(view, view.state.field(optionField).map((one) => ({ ...one, before: " ", ...(one.name === name ? written : {}) })));
}
