// What lies under a place of the picture: points to join, and elements to select.

const REACH = 14; // CSS pixels

export class Hits {
  constructor(player) { this.player = player; }

  pixel(clientX, clientY) {
    const { canvas, view } = this.player, box = canvas.getBoundingClientRect();
    return [(clientX - box.left) * view.ratio, (clientY - box.top) * view.ratio];
  }

  /** The place in metres under a point of the window. */
  world(clientX, clientY) { return this.player.view.world(...this.pixel(clientX, clientY)); }

  /** The body or anchor within reach of pixels; null if there is none. */
  pointAt([x, y]) {
    const { scene, view, position } = this.player, reach = REACH * view.ratio;
    if (!scene || !scene.motion.count || scene.dim !== 2) return null;
    let best = null, nearest = reach;
    const look = (at, body) => {
      const away = Math.hypot(view.x(at[0]) - x, view.y(at[1]) - y);
      if (away < nearest) [best, nearest] = [{ body, at: body ? at.map(clean) : at }, away];
    };
    for (let k = 0; k < scene.fixed.length; k += 2) look([scene.fixed[k], scene.fixed[k + 1]], "");
    for (const i of scene.places) look([position[2 * i], position[2 * i + 1]], scene.bodies[i].name);
    return best;
  }

  /** Where the bodies are, in metres. */
  bodies() {
    const { scene, position } = this.player;
    return scene?.motion.count && scene.dim === 2 ? scene.places.map((i) => [position[2 * i], position[2 * i + 1]]) : [];
  }

  /** The name of the element at pixels: the nearest line between the joints of a link or another part. */
  elementAt([x, y], linksOnly = false) {
    const { scene, drawing, view } = this.player;
    if (!scene?.motion.count || scene.dim !== 2) return null;
    const lines = scene.links.map(({ name }, k) => [name, scene.joints[2 * k], scene.joints[2 * k + 1]]);
    if (!linksOnly) for (const { name, at, kind } of scene.others) for (let k = 0; k + 1 < at.length; k++) lines.push([name, at[k], at[k + 1], kind === "wall"]);
    let best = null, nearest = (REACH - 4) * view.ratio;
    for (const [name, a, b, endless] of lines) {
      const away = distance([x, y], drawing.pixel(a), drawing.pixel(b), endless);
      if (away < nearest) [best, nearest] = [name, away];
    }
    return best;
  }
}

const clean = (value) => Number(value.toPrecision(7)); // positions come in single precision

function distance([x, y], [ax, ay], [bx, by], endless = false) {
  const dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy, along = length > 0 ? ((x - ax) * dx + (y - ay) * dy) / length : 0;
  const s = endless ? along : Math.max(0, Math.min(1, along));
  return Math.hypot(ax + s * dx - x, ay + s * dy - y);
}
