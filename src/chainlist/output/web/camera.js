// How space is seen: the counterpart of camera.py. The plane is seen as it is.
// Azimuth 0 and elevation 0 look at the plane of x and y: x to the right, y up, z to the eye.

const DEGREE = Math.PI / 180;

export class Camera {
  constructor(dim = 2, view = [0, 0]) {
    this.dim = dim;
    this.at = view; // where it stands at first
    this.pivot = [0, 0, 0]; // what it turns about: the middle of the picture
    this.home();
  }

  get turned() { return this.azimuth !== this.at[0] || this.elevation !== this.at[1]; }
  get key() { return this.dim === 2 ? "" : [this.azimuth, this.elevation, ...this.pivot].join(); }

  home() { this.aim(...this.at); }

  /** Another first place. Who has not turned the picture, or asks for another place, stands there now. */
  from(view) {
    const stays = this.turned && view.every((angle, i) => angle === this.at[i]);
    this.at = view;
    if (!stays) this.home();
  }

  aim(azimuth, elevation) {
    this.azimuth = ((azimuth % 360) + 360) % 360;
    if (azimuth === this.at[0]) this.azimuth = azimuth;
    this.elevation = Math.max(-90, Math.min(90, elevation));
    const a = this.azimuth * DEGREE, e = this.elevation * DEGREE;
    this.right = [Math.cos(a), 0, -Math.sin(a)];
    this.up = [-Math.sin(e) * Math.sin(a), Math.cos(e), -Math.sin(e) * Math.cos(a)];
    this.eye = [Math.cos(e) * Math.sin(a), Math.sin(e), Math.cos(e) * Math.cos(a)];
  }

  turn(azimuth, elevation) { this.aim(this.azimuth + azimuth, this.elevation + elevation); }

  // A place in an array, from index i on, as it is seen from the pivot [m]: to the right, up, and towards the eye.
  x(a, i = 0) { return this.dim === 2 ? a[i] : towards(this.right, a, i, this.pivot); }
  y(a, i = 0) { return this.dim === 2 ? a[i + 1] : towards(this.up, a, i, this.pivot); }
  z(a, i = 0) { return this.dim === 2 ? 0 : towards(this.eye, a, i, this.pivot); }

  // The same of a direction.
  dx(a, i = 0) { return this.dim === 2 ? a[i] : onto(this.right, a, i); }
  dy(a, i = 0) { return this.dim === 2 ? a[i + 1] : onto(this.up, a, i); }
  dz(a, i = 0) { return this.dim === 2 ? 0 : onto(this.eye, a, i); }

  /** Turn about the middle of a room (see extent.js); returns the box of the picture that holds it, and most of the ground. */
  surround({ middle, aside, up, down }, floor) {
    this.pivot = middle;
    const e = this.at[1] * DEGREE, wide = 0.35 * Math.hypot(floor.xs.at(-1) - floor.xs[0], floor.zs.at(-1) - floor.zs[0]);
    const ground = Math.cos(e) * (middle[1] - floor.height) + Math.abs(Math.sin(e)) * wide;
    return [-aside, aside, -Math.max(down, ground), up];
  }
}

function onto(d, a, i) { return d[0] * a[i] + d[1] * a[i + 1] + d[2] * a[i + 2]; }

function towards(d, a, i, p) { return d[0] * (a[i] - p[0]) + d[1] * (a[i + 1] - p[1]) + d[2] * (a[i + 2] - p[2]); }
