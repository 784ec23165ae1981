// Numbers that move: Alt and a drag on a number of the text, or Alt with + and -, change it; and the numbers behind
// the handles of the canvas follow a body that is dragged there.
import * as CM from "nicegui-codemirror";
import { OneStep } from "/bench/one_step.js";

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g;
const PIXELS = 4; // of a drag for one unit of the last digit

/** The number at a position of the text: its place, value, and what one unit of its last digit is. */
export function numberAt(doc, pos) {
  const line = doc.lineAt(pos);
  for (const match of line.text.matchAll(NUMBER)) {
    let from = line.from + match.index;
    const to = from + match[0].length;
    if (pos < from || pos > to) continue;
    if (/[\w.]/.test(line.text[match.index - 1] ?? "")) return null; // the index of a name
    const [mantissa, exponent = "0"] = match[0].toLowerCase().split("e");
    const decimals = mantissa.includes(".") ? mantissa.length - mantissa.indexOf(".") - 1 : 0;
    return { from, to, value: Number(match[0]), decimals, exponent: Number(exponent), written: match[0] };
  }
  return null;
}

/** The number some units of its last digit further, written in the same way. */
export function moved(number, units) {
  const finer = number.decimals === 0 && number.exponent === 0 && Math.abs(number.value) < 10 ? 1 : 0;
  const decimals = number.decimals + finer;
  const mantissa = (number.value / 10 ** number.exponent + units * 10 ** -decimals).toFixed(decimals);
  const short = decimals > number.decimals ? mantissa.replace(/\.?0+$/, "") : mantissa;
  const clean = /^-0*\.?0*$/.test(short) ? short.slice(1) : short;
  return number.exponent || /e/i.test(number.written) ? `${clean}${/e/.test(number.written) ? "e" : "E"}${number.exponent}` : clean;
}

/** Extensions of the editor. */
export function movingNumbers() {
  return [CM.Prec.highest(CM.EditorView.domEventHandlers({ mousedown: beginDrag, keydown: nudge }))];
}

/** Alt with + or -, wherever the keyboard has them; with Shift ten times as much. */
function nudge(event, view) {
  if (!event.altKey || event.ctrlKey || event.metaKey) return false;
  const up = ["+", "=", "*"].includes(event.key) || ["Equal", "NumpadAdd"].includes(event.code);
  const down = ["-", "_"].includes(event.key) || ["Minus", "NumpadSubtract"].includes(event.code);
  const number = up || down ? numberAt(view.state.doc, view.state.selection.main.head) : null;
  if (!number) return false;
  event.preventDefault();
  const insert = moved(number, (up ? 1 : -1) * (event.shiftKey ? 10 : 1));
  view.dispatch({ changes: { from: number.from, to: number.to, insert }, userEvent: "input.nudge" });
  return true;
}

function beginDrag(event, view) {
  if (!event.altKey || event.button !== 0) return false;
  const pos = view.posAtCoords({ x: event.clientX, y: event.clientY });
  const number = pos === null ? null : numberAt(view.state.doc, pos);
  if (!number) return false;
  event.preventDefault();
  const step = new OneStep(view);
  let to = number.to, shown = 0;
  const move = (e) => {
    const units = Math.round((e.clientX - event.clientX) / PIXELS) * (e.shiftKey ? 10 : 1);
    if (units === shown) return;
    shown = units;
    const insert = moved(number, units);
    step.change({ changes: { from: number.from, to, insert }, userEvent: "input.drag" });
    to = number.from + insert.length;
  };
  const stop = () => {
    document.removeEventListener("mousemove", move);
    document.removeEventListener("mouseup", stop);
    document.body.classList.remove("cl-scrubbing");
    step.done("input.drag");
  };
  document.addEventListener("mousemove", move);
  document.addEventListener("mouseup", stop);
  document.body.classList.add("cl-scrubbing");
  return true;
}

// Handles: the numbers that say where a body or an anchor is

const setHandles = CM.StateEffect.define();

export const handleField = CM.StateField.define({
  create: () => [],
  update(handles, transaction) {
    if (transaction.docChanged) handles = handles.map((handle) => ({ ...handle, x: followed(handle.x, transaction), y: followed(handle.y, transaction) }));
    for (const effect of transaction.effects) if (effect.is(setHandles)) handles = effect.value;
    return handles;
  },
});

function followed([from, to, metres, text], transaction) {
  const start = transaction.changes.mapPos(from, -1), stop = transaction.changes.mapPos(to, 1);
  const byUs = transaction.isUserEvent("input.handle");
  return [start, stop, metres, byUs ? transaction.newDoc.sliceString(start, stop) : text];
}

/** Whether the numbers that handles speak of stand where they say. */
export function fits(view, handles) {
  const stands = ([from, to, , text]) => view.state.sliceDoc(from, to) === text;
  return handles.every((handle) => stands(handle.x) && stands(handle.y));
}

export function keepHandles(view, handles) {
  view.dispatch({ effects: setHandles.of(handles) });
}

/**
 * Move a body, or the anchors at a place, to (x, y) by changing the numbers of the text, to `decimals` of a metre. The
 * change is a part of `step`.
 * Numbers that were edited since the text was last read are left alone. Returns whether anything was changed.
 */
export function moveHandle(step, { body, at }, x, y, decimals) {
  const { view } = step, changes = [], handles = view.state.field(handleField), moved = [];
  for (const handle of handles) {
    const meant = body ? handle.body.toLowerCase() === body.toLowerCase() : !handle.body && handle.at[0] === at[0] && handle.at[1] === at[1];
    if (!meant) continue;
    moved.push(handle);
    for (const [[from, to, metres, text], value] of [[handle.x, x], [handle.y, y]]) {
      if (view.state.sliceDoc(from, to) !== text) return false;
      const unit = /[A-Za-z]*$/.exec(text.replace(/[eE][-+]?\d+/, ""))[0];
      changes.push({ from, to, insert: plain(value / metres, decimals + Math.round(Math.log10(Math.abs(metres)))) + unit });
    }
  }
  if (!changes.length) return false;
  step.change({ changes, userEvent: "input.handle" });
  for (const handle of view.state.field(handleField))
    if (moved.some((m) => m.body === handle.body && (handle.body || m.at === handle.at))) handle.at = [x, y];
  return true;
}

function plain(value, decimals) {
  const text = value.toFixed(Math.max(0, Math.min(12, decimals)));
  const short = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return short === "-0" ? "0" : short;
}
