// SPDX-License-Identifier: Apache-2.0
// Two drawings: the scores by rank, and what the best variant gives against what is expected. Colours are those of the page.

const SPACE = "http://www.w3.org/2000/svg";
const WIDTH = 420, HEIGHT = 260;
const PAPER = { left: 64, right: 12, top: 34, bottom: 40 };
const MOST_TICKS = 5;

function draw(name, attributes, ...children) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, typeof value === "number" ? String(Number(value.toFixed(2))) : value);
  made.append(...children);
  return made;
}

/** Round numbers from `low` to `high`: 1, 2 or 5 times a power of ten apart. */
export function ticks(low, high) {
  const span = high - low || Math.abs(low) || 1;
  const power = 10 ** Math.floor(Math.log10(span / MOST_TICKS));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => span / one <= MOST_TICKS) ?? 10 * power;
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high + step * 1e-9; ++k) found.push(Number((k * step).toPrecision(12)));
  return found;
}
/** The powers of ten from `low` to `high`, both above zero, at most a few of them. */
export function powerTicks(low, high) {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first + 1) / MOST_TICKS));
  const found = [];
  for (let k = first; k <= last; k += step) found.push(10 ** k);
  return found.length > 1 ? found : [low, high];
}
const tickText = (value) => (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6) ? value.toExponential(0) : String(Number(value.toPrecision(6))));

class Scale {
  constructor(low, high, from, to, isLogarithmic = false) {
    const pad = low === high && !isLogarithmic ? Math.abs(low) / 2 || 1 : 0;
    Object.assign(this, { low: low - pad, high: high + pad, from, to, isLogarithmic });
    if (isLogarithmic && low === high) this.high = high * 10;
  }
  at(value) {
    const f = this.isLogarithmic ? Math.log : (x) => x;
    return this.from + ((f(value) - f(this.low)) / (f(this.high) - f(this.low))) * (this.to - this.from);
  }
  ticks() {
    return this.isLogarithmic ? powerTicks(this.low, this.high) : ticks(this.low, this.high);
  }
}

function frame(title, description, x, y, names, ...marks) {
  const parts = [];
  for (const value of y.ticks()) {
    const at = y.at(value);
    parts.push(draw("line", { class: "grid", x1: PAPER.left, x2: WIDTH - PAPER.right, y1: at, y2: at }), draw("text", { class: "end", x: PAPER.left - 6, y: at + 4 }, tickText(value)));
  }
  for (const value of x.ticks()) parts.push(draw("text", { class: "middle", x: x.at(value), y: HEIGHT - PAPER.bottom + 17 }, tickText(value)));
  parts.push(draw("rect", { class: "frame", x: PAPER.left, y: PAPER.top, width: WIDTH - PAPER.left - PAPER.right, height: HEIGHT - PAPER.top - PAPER.bottom }));
  parts.push(draw("text", { class: "middle", x: (PAPER.left + WIDTH - PAPER.right) / 2, y: HEIGHT - 6 }, names.x));
  parts.push(draw("text", { class: "title", x: 0, y: 16 }, title));
  return draw("svg", { class: "komuz-chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${title}. ${description}` }, ...parts, ...marks);
}
const scaleX = (low, high) => new Scale(low, high, PAPER.left, WIDTH - PAPER.right);
const scaleY = (low, high, isLogarithmic) => new Scale(low, high, HEIGHT - PAPER.bottom, PAPER.top, isLogarithmic);
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** Scores from the best on; null: there are not two to draw. */
export function chartOfScores(scores, name) {
  const points = scores.map((score, k) => [k + 1, score]).filter(([, score]) => isNumber(score));
  if (points.length < 2) return null;
  const values = points.map(([, score]) => score);
  const low = Math.min(...values), high = Math.max(...values);
  const x = scaleX(1, points.at(-1)[0]), y = scaleY(low, high, low > 0 && high / low > 20);
  const steps = points.map(([rank, score], k) => `${k ? "L" : "M"}${x.at(rank).toFixed(1)} ${y.at(score).toFixed(1)}`).join("");
  const best = draw("circle", { class: "chosen", cx: x.at(points[0][0]), cy: y.at(points[0][1]), r: 4 });
  return frame(`${name} by rank`, `From ${tickText(low)} to ${tickText(high)}.`, x, y, { x: "rank" }, draw("path", { class: "steps", d: steps }), best);
}

/** What the best variant gives in each case, against what is expected; null: nothing of it are numbers. */
export function chartOfBest(pairs) {
  const points = pairs.filter((pair) => pair.every(isNumber));
  if (points.length === 0) return null;
  const range = (values) => [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const [low, high] = range(points.flat());
  const x = scaleX(low, high), y = scaleY(low, high);
  const diagonal = draw("line", { class: "diagonal", x1: x.at(x.low), y1: y.at(y.low), x2: x.at(x.high), y2: y.at(y.high) });
  const dots = draw("g", { class: "points" }, ...points.map(([expected, actual]) => draw("circle", { cx: x.at(expected), cy: y.at(actual), r: 3 })));
  const away = points.map(([expected, actual]) => Math.abs(actual - expected));
  return frame("The best against expected", `The largest difference is ${tickText(range(away)[1])}.`, x, y, { x: "expected" }, diagonal, dots);
}
