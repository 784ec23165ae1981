// The motion: times, positions and (perhaps) velocities of all bodies, frame by frame.
// Chunks may be appended while a run goes on; between frames positions are interpolated.

const FIRST_CAPACITY = 256;

export class Motion {
  constructor(bodies) {
    this.bodies = bodies;
    this.count = 0; // frames
    this.times = new Float64Array(FIRST_CAPACITY);
    this.positions = new Float32Array(FIRST_CAPACITY * 2 * bodies);
    this.velocities = null;
    this.last = 0; // frame where the last search ended: the next one is near
  }

  /** Take arrays over as they are: t (frames), q and v (frames · bodies · 2, v may be null). */
  static of(bodies, t, q, v) {
    const motion = new Motion(bodies);
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
    const width = 2 * this.bodies;
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

  /** Positions at a time into `out` (bodies · 2): cubic Hermite between frames, straight lines without velocities. */
  sample(time, out) {
    const n = 2 * this.bodies, q = this.positions, v = this.velocities;
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

  /** The box [left, right, bottom, top] that frames from..count fill. A body that runs away does not count. */
  box(from = 0) {
    const n = 2 * this.bodies, q = this.positions;
    const step = Math.max(1, Math.floor(((this.count - from) * this.bodies) / 200000));
    const xs = [], ys = [];
    for (let k = from; k < this.count; k += step)
      for (let i = k * n; i < (k + 1) * n; i += 2)
        if (Number.isFinite(q[i]) && Number.isFinite(q[i + 1])) { xs.push(q[i]); ys.push(q[i + 1]); }
    if (!xs.length) return null;
    return [...range(xs), ...range(ys)];
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
