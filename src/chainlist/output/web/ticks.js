// Numbers for people: where ticks stand, and how they are written.

/** Round values (1, 2, 5 times a power of ten) between low and high, about `count` of them, and `least` apart: 1 for what is counted. */
export function niceTicks(low, high, count, least = 0) {
  const step = Math.max(least, niceStep((high - low) / Math.max(1, count)));
  if (!(step > 0) || !Number.isFinite(step)) return [];
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9 && ticks.length < 50; k++) ticks.push(k === 0 ? 0 : k * step);
  return ticks;
}

/** The nearest of 1, 2, 5 times a power of ten. */
export function niceStep(rough) {
  const decade = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / decade;
  return decade * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

/**
 * How the ticks of an axis are written: `text(value)` after an `offset` (a string, "" if none) is taken off
 * and a power of ten `exponent` (0 if none) is taken out.
 */
export function tickFormat(low, high, ticks) {
  const span = high - low, largest = Math.max(Math.abs(low), Math.abs(high));
  let offset = 0;
  if (largest > 0 && span < 1e-4 * largest) offset = +((low + high) / 2).toPrecision(Math.max(2, Math.min(15, Math.ceil(Math.log10(largest / span)))));
  const reach = offset ? Math.max(Math.abs(low - offset), Math.abs(high - offset)) : largest;
  const power = reach > 0 ? Math.floor(Math.log10(reach)) : 0;
  const exponent = power >= 5 || power <= -3 ? power : 0;
  const scale = 10 ** exponent;
  const step = ticks.length > 1 ? (ticks[1] - ticks[0]) / scale : 1;
  const digits = Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)));
  return {
    exponent,
    offset: offset ? minus(String(offset)) : "",
    text: (value) => {
      const written = ((value - offset) / scale).toFixed(digits);
      return minus(Number(written) === 0 ? (0).toFixed(digits) : written);
    },
  };
}

/** A number for a read-out: about `digits` significant digits, an exponent only where it helps. */
export function readable(value, digits = 5) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "no value" : minus(value > 0 ? "infinite" : "-infinite");
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 2).replace("e+", "e") : String(+value.toPrecision(digits));
  return minus(text);
}

/** A time with as many decimals as a run of this duration needs. */
export function timeText(time, duration) {
  const decimals = duration > 0 ? 3 - Math.floor(Math.log10(duration) + 1e-9) : 2;
  return minus(time.toFixed(Math.max(0, Math.min(9, decimals))));
}

function minus(text) {
  return text.replace(/-/g, "\u2212");
}
