/* Small live pictures beside equations: <div class="live" data-live="drift">. Plain script, nothing is fetched.
   The steps are those of the program's MIDPOINT; a test holds the two against one another. */
(() => {
  "use strict";
  const G = 9.81;
  const SECONDS = 40; // of motion behind a picture
  const reduced = window.matchMedia("(prefers-reduced-motion: reduce)").matches;

  // The systems (4), (8) and (10) for a pendulum of mass 1: x, y, vx, vy → their derivatives.
  const index1 = () => ([x, y, vx, vy]) => {
    const pull = (vx * vx + vy * vy - G * y) / (x * x + y * y);
    return [vx, vy, -pull * x, -G - pull * y];
  };
  const index12 = () => {
    const plain = index1();
    return (state) => {
      const [x, y, vx, vy] = state, out = (x * vx + y * vy) / (x * x + y * y);
      return [vx - out * x, vy - out * y, ...plain(state).slice(2)];
    };
  };
  const damped = ({ length, rate }) => {
    const plain = index1();
    return (state) => {
      const [x, y, vx, vy] = state, square = x * x + y * y;
      const out = (x * vx + y * vy) / square, off = rate * (square - length * length) / (2 * square);
      const [, , ax, ay] = plain(state);
      return [vx - (out + off) * x, vy - (out + off) * y, ax - rate * out * x, ay - rate * out * y];
    };
  };
  const SYSTEMS = { "(4) INDEX1": index1, "(8) INDEX1_2": index12, "(10) INDEX1_2_DAMPED": damped, "PROJECTED": index1 };

  const moved = (state, step, slope) => state.map((z, i) => z + step * slope[i]);
  const midpoint = (f, state, h) => moved(state, h, f(moved(state, h / 2, f(state))));
  const project = ([x, y, vx, vy], length) => {
    const r = Math.hypot(x, y), out = (x * vx + y * vy) / (r * r);
    return [x * length / r, y * length / r, vx - out * x, vy - out * y];
  };

  /* All states of a run, and Φ of each. `damping` is α and β in units of one over the step. */
  function run({ system, h, length = 1, angle = 90, damping = 1, seconds = SECONDS }) {
    const f = SYSTEMS[system]({ length, rate: damping / h }), a = angle * Math.PI / 180;
    let state = [length * Math.sin(a), -length * Math.cos(a), 0, 0];
    const states = [state];
    for (let n = 0; n < Math.round(seconds / h); n++) {
      state = midpoint(f, state, h);
      if (system === "PROJECTED") state = project(state, length);
      states.push(state);
    }
    return { h, length, states, phi: states.map(([x, y]) => x * x + y * y - length * length) };
  }

  const worst = (motion) => motion.phi.reduce((most, phi) => Math.max(most, Math.abs(phi)), 0);
  const tension = (motion, [x, y, vx, vy]) => (vx * vx + vy * vy - G * y) / motion.length;

  const FIGURES = {
    pendulum: {
      sliders: [["length", "L", 0.25, 2, 0.05, 1, "m"], ["angle", "start", 5, 175, 5, 60, "°"]],
      motion: ({ length, angle }) => run({ system: "PROJECTED", h: 0.002, length, angle, seconds: 12 }),
      curve: (motion) => motion.states.map((state) => tension(motion, state)),
      label: "force in the link [N]",
      says: (motion, curve) => `largest ${Math.max(...curve).toFixed(2)} N, smallest ${Math.min(...curve).toFixed(2)} N`,
    },
    drift: {
      choice: ["system", Object.keys(SYSTEMS)],
      sliders: [["h", "h", 0.005, 0.1, 0.005, 0.03, "s"], ["damping", "α h = β h", 0, 2, 0.1, 1, ""]],
      idle: (key, { system }) => key === "damping" && SYSTEMS[system] !== damped,
      motion: ({ system, h, damping }) => run({ system, h, damping }),
      curve: (motion) => motion.phi,
      label: "Φ [m²]",
      says: (motion) => `largest |Φ| ${worst(motion).toExponential(1)} m²`,
    },
  };

  function labelled(box, words, input) {
    const label = document.createElement("label"), value = document.createElement("output");
    label.append(words, " ", input, " ", value);
    box.append(label);
    return value;
  }

  function controls(figure, box, changed) {
    const wanted = {}, sliders = [];
    const unused = () => sliders.forEach(([slider, key]) => { slider.disabled = figure.idle?.(key, wanted) ?? false; });
    if (figure.choice) {
      const [key, names] = figure.choice, select = document.createElement("select");
      names.forEach((name) => select.append(new Option(name)));
      wanted[key] = names[0];
      labelled(box, "system", select);
      select.addEventListener("change", () => { wanted[key] = select.value; unused(); changed(); });
    }
    for (const [key, words, min, max, step, value, unit] of figure.sliders) {
      const slider = Object.assign(document.createElement("input"), { type: "range", min, max, step, value });
      const shown = labelled(box, words, slider);
      const take = () => { wanted[key] = Number(slider.value); shown.textContent = `${wanted[key]} ${unit}`.trim(); };
      slider.addEventListener("input", () => { take(); changed(); });
      take();
      sliders.push([slider, key]);
    }
    unused();
    return wanted;
  }

  function draw(canvas, motion, curve, figure, at) {
    const context = canvas.getContext("2d"), scale = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight, style = getComputedStyle(canvas);
    if (canvas.width !== Math.round(width * scale)) { canvas.width = Math.round(width * scale); canvas.height = Math.round(height * scale); }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const ink = style.color, accent = style.getPropertyValue("--md-accent-fg-color") || ink;
    const side = Math.min(height, 0.4 * width), unit = 0.42 * side / motion.length, cx = side / 2, cy = height / 2;
    const [x, y] = motion.states[at];
    context.strokeStyle = ink; context.lineWidth = 0.7; context.globalAlpha = 0.35;
    context.beginPath(); context.arc(cx, cy, unit * motion.length, 0, 7); context.stroke();
    context.globalAlpha = 1; context.lineWidth = 2;
    context.beginPath(); context.moveTo(cx, cy); context.lineTo(cx + unit * x, cy - unit * y); context.stroke();
    context.fillStyle = accent;
    context.beginPath(); context.arc(cx + unit * x, cy - unit * y, 6, 0, 7); context.fill();
    const left = side + 12, right = width - 6, top = 20, foot = height - 8;
    const low = Math.min(0, ...curve), high = Math.max(0, ...curve), span = high - low || 1;
    const place = (i) => [left + (right - left) * i / (curve.length - 1), foot - (foot - top) * (curve[i] - low) / span];
    context.lineWidth = 0.7; context.strokeStyle = ink; context.globalAlpha = 0.5;
    context.beginPath(); context.moveTo(left, place(0)[1] + (foot - top) * curve[0] / span); context.lineTo(right, place(0)[1] + (foot - top) * curve[0] / span); context.stroke();
    context.globalAlpha = 1; context.lineWidth = 1.2; context.strokeStyle = accent;
    context.beginPath();
    for (let i = 0; i < curve.length; i += 1 + Math.floor(curve.length / 4000)) context.lineTo(...place(i));
    context.stroke();
    context.beginPath(); context.arc(...place(at), 3, 0, 7); context.fill();
    context.fillStyle = ink; context.font = `12px ${style.fontFamily}`;
    context.fillText(`${figure.label}, ${Math.round((curve.length - 1) * motion.h)} s`, left, 12);
  }

  function show(box) {
    const figure = FIGURES[box.dataset.live];
    box.replaceChildren();
    const canvas = document.createElement("canvas"), said = document.createElement("p"), row = document.createElement("div");
    canvas.setAttribute("role", "img");
    row.className = "controls";
    said.setAttribute("aria-live", "polite");
    box.append(row, canvas, said);
    let motion, curve, begun = 0;
    const still = (at) => draw(canvas, motion, curve, figure, at);
    const wanted = controls(figure, row, () => {
      motion = figure.motion(wanted);
      curve = figure.curve(motion);
      said.textContent = figure.says(motion, curve);
      canvas.setAttribute("aria-label", `pendulum; ${figure.label}; ${said.textContent}`);
      begun = performance.now();
      still(0);
    });
    row.querySelector("input").dispatchEvent(new Event("input"));
    if (reduced) return;
    let seen = false;
    new IntersectionObserver((entries) => { seen = entries[0].isIntersecting; }).observe(canvas);
    const frame = (now) => {
      if (seen) still(Math.floor(Math.max(0, now - begun) / 1000 / motion.h) % motion.states.length);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  window.chainlistLive = { run, worst };
  document.querySelectorAll(".live[data-live]").forEach(show);
})();
