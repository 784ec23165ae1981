// What the parts of the workbench share: a bus for news between editor and canvas, and the stream of a run.

/**
 * News: "drag" {body, at, x, y}, "drop", "handles" [...], "text" as it stands, "saved" or not; "document" {number, name, unsaved} of one of the texts, "anyUnsaved" of all; "knobs" [...], "options" [...], "plots" {plots, items} of the text, and of one of
 * them "sweep" its name, "option" {name, value}, "axes" {title, up or across}, "turn" {name, value}, "turned", "knobRange" {name, low, high}; "write"
 * {changes} of the text, "undo", "redo"; "pane" to be shown on a narrow screen. Both sides live in one page.
 */
export const bus = new EventTarget();

export function tell(name, detail) {
  bus.dispatchEvent(new CustomEvent(name, { detail }));
}

export function hear(name, listener) {
  const handler = (event) => listener(event.detail);
  bus.addEventListener(name, handler);
  return () => bus.removeEventListener(name, handler);
}

/**
 * Let `host` have these children and no others. One that is there already is not taken out: a button that leaves its place
 * while a finger is on it, if only for a moment, is not clicked.
 */
export function arrange(host, children) {
  for (const child of [...host.children]) if (!children.includes(child)) child.remove();
  children.forEach((child, i) => host.children[i] !== child && host.insertBefore(child, host.children[i] ?? null));
}

/**
 * Read the messages of a run while it goes on (the layout is that of wire.py): length of the JSON, length of the
 * bytes, the JSON, the bytes. Calls `take(message, bytes)` for each; ends with the stream or with `signal`.
 */
export async function followStream(url, take, signal) {
  const response = await fetch(url, { signal, cache: "no-store" });
  if (!response.ok) throw new Error((await response.text()) || `the server answered ${response.status}`);
  const reader = response.body.getReader();
  let held = new Uint8Array(0);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    held = joined(held, value);
    for (let message; (message = firstMessage(held)); held = held.subarray(message.size)) take(message.data, message.bytes);
  }
}

/** The first whole message of some bytes: its `data`, its `bytes`, and its `size`; null where it is not whole yet. */
export function firstMessage(held) {
  if (held.length < 8) return null;
  const head = new DataView(held.buffer, held.byteOffset, 8), text = head.getUint32(0, true), blob = head.getUint32(4, true);
  const size = 8 + text + blob;
  if (held.length < size) return null;
  const data = JSON.parse(new TextDecoder().decode(held.subarray(8, 8 + text)));
  return { data, bytes: held.slice(8 + text, size).buffer, size };
}

function joined(a, b) {
  if (!a.length) return b;
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
