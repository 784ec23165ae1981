// The tools of the palette: how each is used, and the card that it writes. A point is { body, at }: a body by its name,
// or a place of the ground.

export const number = (value) => String(Number(value.toFixed(9)));
export const word = ({ body, at }) => body || `(${number(at[0])},${number(at[1])})`;
const bodyFirst = (a, b) => (a.body ? [a, b] : [b, a]);
const joined = (rest = "") => (name, a, b) => {
  const [first, second] = bodyFirst(a, b);
  return first.body ? `${name} ${word(first)} ${word(second)}${rest}` : null;
};

/** A slider through a body; nearly level or upright lines are made so, and written in the short form. */
function slider(name, a, b) {
  const [first, { at }] = bodyFirst(a, b), dx = at[0] - first.at[0], dy = at[1] - first.at[1];
  if (!first.body) return null;
  if (Math.abs(dy) < 0.12 * Math.abs(dx)) return `${name} ${first.body} LINE(0,1,${number(first.at[1])})`;
  if (Math.abs(dx) < 0.12 * Math.abs(dy)) return `${name} ${first.body} LINE(1,0,${number(first.at[0])})`;
  return `${name} ${first.body} LINE(${word({ at: first.at })},${word({ at })})`;
}

/** A wall through two places; bodies stay on the side on which most of them are, above it where there are none. */
function wall(name, a, b, bodies) {
  let dx = b.at[0] - a.at[0], dy = b.at[1] - a.at[1];
  if (Math.abs(dy) < 0.12 * Math.abs(dx)) [dx, dy] = [1, 0];
  if (Math.abs(dx) < 0.12 * Math.abs(dy)) [dx, dy] = [0, 1];
  const off = ([x, y]) => dx * (y - a.at[1]) - dy * (x - a.at[0]), sides = bodies.reduce((sum, at) => sum + Math.sign(off(at)), 0);
  const side = sides < 0 || (sides === 0 && (dx || -dy) < 0) ? -1 : 1, k = [-side * dy, side * dx];
  return `${name} LINE(${number(k[0])},${number(k[1])},${number(k[0] * a.at[0] + k[1] * a.at[1])})`;
}

const NEWTONS_PER_METRE = 10; // of the arrow that is drawn
const force = (name, a, b) => a.body && `${name} ${a.body} (${number(NEWTONS_PER_METRE * (b.at[0] - a.at[0]))},${number(NEWTONS_PER_METRE * (b.at[1] - a.at[1]))})`;

/** use: "place" a click, "join" from point to point, "string" point after point, "link" a click on a link. */
export const TOOLS = [
  { id: "select", key: "v", name: "Select", tip: "Select, move; double click for properties", use: "select", icon: "M6 4l12 8-5 1 3 6-2.5 1-3-6-4.5 3z" },
  { id: "body", key: "b", name: "Body", tip: "Click to place a body of 1 kg", use: "place", letter: "B", card: (name, { at }) => `${name} ${word({ at })} 1`, icon: "M12 7a5 5 0 1 0 .01 0z" },
  { id: "link", key: "l", name: "Link", tip: "Drag from point to point; the ground is an anchor", use: "join", letter: "C", card: joined(), icon: "M6 18 18 6M6 18m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M18 6m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0" },
  { id: "slider", key: "s", name: "Slider", tip: "Drag from a body along the line on which it shall stay", use: "join", letter: "S", card: slider, icon: "M3 16h18M8 9h8v5H8z" },
  { id: "rod", key: "r", name: "Rod", tip: "Drag from point to point: a uniform rod of 1 kg", use: "join", letter: "R", card: joined(" 1"), icon: "M4 17 17 4l3 3L7 20z" },
  { id: "plate", key: "p", name: "Plate", tip: "Click its corners, then the last one again", use: "string", letter: "R", fewest: 3, card: (name, points) => `${name} ${points.map(word).join(" ")} 1 UNIFORM`, icon: "M5 18 9 5l10 5-3 9z" },
  { id: "spring", key: "k", name: "Spring", tip: "Drag from point to point: 100 N/m", use: "join", letter: "K", card: joined(" 100"), icon: "M3 12h3l2-5 3 10 3-10 3 10 2-5h2" },
  { id: "damper", key: "d", name: "Damper", tip: "Drag from point to point: 1 N s/m", use: "join", letter: "D", card: joined(" 1"), icon: "M3 12h6M9 7h8M9 17h8M9 7v10M14 9v6M14 12h7" },
  { id: "string", key: "t", name: "String", tip: "Click its ends and pegs, then the last one again", use: "string", letter: "C", fewest: 3, card: (name, points) => `${name} ${points.map(word).join(" ")}`, icon: "M4 19 10 5l6 10 4-9" },
  { id: "rope", key: "o", name: "Rope", tip: "Drag from point to point: at most so long", use: "join", letter: "C", card: joined(" ROPE"), icon: "M4 6c0 16 16 16 16 0M4 6m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M20 6m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0" },
  { id: "wall", key: "w", name: "Wall", tip: "Drag along it: bodies stay on their side", use: "join", letter: "W", card: wall, icon: "M3 11h18M5 11l-2 4M10 11l-4 7M15 11l-4 7M20 11l-4 7" },
  { id: "motor", key: "m", name: "Motor", tip: "Click a link: it turns by 1 rad/s", use: "link", letter: "M", card: (name, link) => `${name} ${link} SPEED=1`, icon: "M12 5a7 7 0 1 0 7 7M19 5v5h-5" },
  { id: "force", key: "f", name: "Force", tip: "Drag from a body: 10 N for each metre", use: "join", letter: "F", card: force, icon: "M5 19 18 6M10 6h8v8" },
];
