// Edits of a chainlist as text: cards are added, changed and deleted; all else stays byte for byte as it was written.
// A card is an entity of the main text with its continuation lines.

const ORDER = "XBRJCSGKDFTMNW"; // in which a person writes them: bodies first, then what joins, drives and bounds them

/** All cards, in order: { name, letter, from, to, text, besideEllipsis }. Those inside submachines are left out. */
export function cards(text) {
  const found = [], lines = text.split("\n");
  let at = 0, depth = 0, ended = false, ellipsis = false;
  lines.forEach((line, k) => {
    const from = at, to = at + line.length;
    at = to + 1;
    if (k === 0 || ended || /^\s*$/.test(line)) return;
    if (/^\s*(\*\+(?![-+*=])|\+)/.test(line)) return void (found.length && found.at(-1).end === from - 1 && Object.assign(found.at(-1), { to, end: to }));
    if (/^\s*\*/.test(line)) return;
    const command = /^\s*\.(\w+)(?:\s+(\S+))?/.exec(line);
    if (/^\s*(\.\.\.|\u2026)/.test(line)) {
      if (found.length) found.at(-1).besideEllipsis = true;
      ellipsis = true;
    } else if (command) {
      if (/^submachine$/i.test(command[1])) depth += 1;
      if (/^end$/i.test(command[1])) {
        if (depth) depth -= 1;
        else ended = true;
      }
    } else if (!depth) {
      const name = /^\s*([A-Za-z]\w*)/.exec(line)?.[1];
      if (name) found.push({ name, letter: name[0].toUpperCase(), from, to, end: to, besideEllipsis: ellipsis });
      ellipsis = false;
    }
  });
  for (const card of found) card.text = text.slice(card.from, card.to);
  return found;
}

export const cardOf = (text, name) => cards(text).find((card) => card.name.toLowerCase() === name.toLowerCase());

/** A name that no entity has yet. */
export function freshName(text, letter) {
  const numbers = [...text.matchAll(new RegExp(`\\b${letter}(\\d+)\\b`, "gi"))].map(([, digits]) => Number(digits));
  return `${letter}${Math.max(0, ...numbers) + 1}`;
}

/** The change that adds a card where a person would look for it: behind those of its kind. */
export function adding(text, card) {
  const all = cards(text), rank = (letter) => ORDER.indexOf(letter), own = rank(card[0].toUpperCase());
  const alike = all.filter(({ letter }) => rank(letter) === own), earlier = all.filter(({ letter }) => rank(letter) < own);
  const last = alike.at(-1) ?? earlier.at(-1);
  if (last) return { from: last.to, insert: `\n${card}` };
  if (all.length) return { from: all[0].from, insert: `${card}\n` };
  const head = /^[^\n]*(\n\s*(\*|\.param\b|\.title\b)[^\n]*)*/i.exec(text)[0]; // the title, and remarks and parameters below it
  return { from: head.length, insert: `\n${card}` };
}

const mentions = (card, name) => new RegExp(`(^|[^\\w.])${name}(?![\\w.])`, "i").test(card.text.replace(/;.*$/gm, ""));

/** The changes that delete a card and all cards that need it; null where an ellipsis stands beside one of them. */
export function deleting(text, name) {
  const all = cards(text), doomed = new Set(all.filter((card) => card.name.toLowerCase() === name.toLowerCase()));
  for (let before = -1; before < doomed.size; ) {
    before = doomed.size;
    for (const card of all) if ([...doomed].some((gone) => mentions(card, gone.name))) doomed.add(card);
  }
  if (!doomed.size || [...doomed].some((card) => card.besideEllipsis)) return null;
  return [...doomed].sort((a, b) => a.from - b.from).map(({ from, to }) => ({ from, to: Math.min(text.length, to + 1) }));
}

/** A card without its remarks, as one line, for whoever edits it; and the change that writes it back. */
export const bare = (card) => card.text.split("\n")[0].replace(/\s*;.*$/, "").trim();

export function rewriting(card, written) {
  const first = card.text.split("\n")[0], start = card.from + first.search(/\S/);
  return { from: start, to: start + bare(card).length, insert: written.trim() };
}

/** The change that copies a body beside itself; null for what cannot be copied so. */
export function copying(text, card, name, dx, dy) {
  const place = /^(\s*\w+\s*\(\s*)([-+.\dEe]+)(\s*,\s*)([-+.\dEe]+)(\s*\).*)$/.exec(bare(card));
  if (card.letter !== "B" || !place) return null;
  const [, , x, comma, y, rest] = place, shifted = (value, by) => String(Number((Number(value) + by).toFixed(9)));
  return adding(text, `${name} (${shifted(x, dx)}${comma}${shifted(y, dy)}${rest}`);
}

/** The change that asks for one more plot. */
export function plotting(text, item) {
  const lines = [...text.matchAll(/^[ \t]*\.plot\b[^\n;]*/gim)], last = lines.at(-1);
  if (last) return { from: last.index + last[0].trimEnd().length, insert: ` ${item}` };
  const end = /^[ \t]*\.end[ \t]*$/im.exec(text), from = end ? end.index : text.length;
  return { from, insert: `${from && text[from - 1] !== "\n" ? "\n" : ""}.plot ${item}\n` };
}
