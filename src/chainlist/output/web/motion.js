// The motion: times, positions and (perhaps) velocities of all bodies, frame by frame.
// Chunks may be appended while a run goes on; between frames positions are interpolated.

const FIRST_CAPACITY = 256;

export class Motion {
  constructor(bodies, dim = 2) {
    this.bodies = bodies;
    this.dim = dim;
    this.width = dim * bodies; // numbers of a frame
    this.count = 0; // frames
    this.times = new Float64Array(FIRST_CAPACITY);
    this.positions = new Float32Array(FIRST_CAPACITY * dim * bodies);
    this.velocities = null;
    this.last = 0; // frame where the last search ended: the next one is near
  }

  /** Take arrays over as they are: t (frames), q and v (frames · bodies · dim, v may be null). */
  static of(bodies, t, q, v, dim = 2) {
    const motion = new Motion(bodies, dim);
    motion.times = t;
    motion.positions = q;
    motion.velocities = v;
    motion.count = t.length;
    return motion;
  }

  get start() { return this.count ? this.times[0] : 0; }
  get stop() { return this.count ? this.times[this.count - 1] : 0; }

  /** Add frames at the end. Velocities must come with every chunk or with none. */
  append(t, q, v = null) {
    const { width } = this;
    if (q.length !== t.length * width) throw new Error(`${t.length} times need ${t.length * width} numbers, not ${q.length}`);
    if (this.count && (v === null) !== (this.velocities === null)) throw new Error("velocities must come with every chunk or with none");
    const count = this.count + t.length;
    if (v && !this.velocities) this.velocities = new Float32Array(this.positions.length);
    if (count > this.times.length) {
      const capacity = Math.max(count, 2 * this.times.length);
      this.times = grown(this.times, capacity);
      this.positions = grown(this.positions, capacity * width);
      if (this.velocities) this.velocities = grown(this.velocities, capacity * width);
    }
    this.times.set(t, this.count);
    this.positions.set(q, this.count * width);
    if (v) this.velocities.set(v, this.count * width);
    this.count = count;
  }

  /** The frame at or before a time. Playing forward this looks at one or two frames only. */
  frameAt(time) {
    const t = this.times, end = this.count - 1;
    let k = Math.min(this.last, end);
    if (k >= 0 && t[k] <= time && (k === end || time < t[k + 1])) return k;
    if (k >= 0 && k < end && t[k + 1] <= time && (k + 1 === end || time < t[k + 2])) return (this.last = k + 1);
    let low = 0, high = end;
    while (low < high) {
      k = (low + high + 1) >> 1;
      if (t[k] <= time) low = k; else high = k - 1;
    }
    return (this.last = Math.max(low, 0));
  }

  /** Positions at a time into `out` (bodies · dim): cubic Hermite between frames, straight lines without velocities. */
  sample(time, out) {
    const n = this.width, q = this.positions, v = this.velocities;
    if (!this.count) return out.fill(NaN, 0, n);
    const k = this.frameAt(time), a = k * n;
    const h = k + 1 < this.count ? this.times[k + 1] - this.times[k] : 0;
    const s = h > 0 ? Math.min(1, Math.max(0, (time - this.times[k]) / h)) : 0;
    if (s === 0) {
      for (let i = 0; i < n; i++) out[i] = q[a + i];
      return out;
    }
    const b = a + n;
    if (!v) {
      for (let i = 0; i < n; i++) out[i] = q[a + i] + s * (q[b + i] - q[a + i]);
      return out;
    }
    const rise = s * s * (3 - 2 * s), first = h * s * (1 - s) * (1 - s), second = -h * s * s * (1 - s);
    for (let i = 0; i < n; i++) out[i] = q[a + i] + rise * (q[b + i] - q[a + i]) + first * v[a + i] + second * v[b + i];
    return out;
  }

  /**
   * The box [left, right, bottom, top], in space [..., back, front], that frames from..count fill.
   * A body that runs away does not count; `which` are the bodies that are places (null: all).
   */
  box(from = 0, which = null) {
    const { dim, width: n, positions: q } = this, bodies = which ?? Array.from({ length: this.bodies }, (_, i) => i);
    const step = Math.max(1, Math.floor(((this.count - from) * bodies.length) / 200000));
    const values = Array.from({ length: dim }, () => []);
    for (let k = from; k < this.count; k += step)
      for (const body of bodies) {
        const i = k * n + dim * body;
        let whole = true;
        for (let c = 0; c < dim; c++) whole &&= Number.isFinite(q[i + c]);
        if (whole) for (let c = 0; c < dim; c++) values[c].push(q[i + c]);
      }
    return values[0].length ? values.flatMap(range) : null;
  }
}

function grown(array, length) {
  const larger = new array.constructor(length);
  larger.set(array);
  return larger;
}

/** Lowest and highest value; where a few stray far beyond the rest (a run that broke down), those of the rest. */
function range(values) {
  const sorted = Float64Array.from(values).sort();
  const low = sorted[0], high = sorted[sorted.length - 1];
  const inner = sorted[Math.floor(0.02 * sorted.length)], outer = sorted[Math.min(sorted.length - 1, Math.floor(0.98 * sorted.length))];
  const usual = outer - inner;
  return usual > 0 && high - low > 50 * usual ? [inner - usual / 2, outer + usual / 2] : [low, high];
}
