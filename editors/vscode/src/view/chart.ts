// SPDX-License-Identifier: Apache-2.0
// A chart of points, as SVG. What it looks like is in media/ranking.css.
import { scoreWords } from "../ranking/words";
import { drawn } from "./page";
import { linearScale, scaleFor, type Scale } from "./scale";

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly isChosen: boolean;
  readonly choose?: () => void;
}
export interface Chart {
  readonly points: readonly Point[];
  readonly across: string;
  readonly up: string;
  /** Both axes have one scale, and a line where the two are equal. */
  readonly comparesAxes: boolean;
}

const width = 320, height = 190, left = 52, right = 8, top = 8, bottom = 34;

export function drawChart(figure: HTMLElement, { points, across, up, comparesAxes }: Chart): void {
  figure.querySelector("svg")?.remove();
  const seen = points.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  figure.hidden = seen.length === 0;
  if (figure.hidden) return;
  const xs = seen.map(({ x }) => x), ys = seen.map(({ y }) => y);
  const shared = comparesAxes ? scaleFor([...xs, ...ys]) : undefined;
  const acrossScale = shared ?? linearScale(Math.min(...xs), Math.max(...xs)), upScale = shared ?? scaleFor(ys);
  const place = (scale: Scale, value: number) => Math.min(1, Math.max(0, scale.place(value)));
  const xOf = (value: number) => left + place(acrossScale, value) * (width - left - right);
  const yOf = (value: number) => height - bottom - place(upScale, value) * (height - top - bottom);

  const words = `${up} by ${across}: ${seen.length} points, ${scoreWords(Math.min(...ys))} to ${scoreWords(Math.max(...ys))}`;
  const chart = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words });
  for (const tick of inside(acrossScale)) {
    chart.append(drawn("line", { class: "grid", x1: xOf(tick), x2: xOf(tick), y1: top, y2: height - bottom }));
    chart.append(drawn("text", { class: "tick", x: xOf(tick), y: height - bottom + 13, "text-anchor": "middle" }, scoreWords(tick)));
  }
  for (const tick of inside(upScale)) {
    chart.append(drawn("line", { class: "grid", x1: left, x2: width - right, y1: yOf(tick), y2: yOf(tick) }));
    chart.append(drawn("text", { class: "tick", x: left - 5, y: yOf(tick) + 3, "text-anchor": "end" }, scoreWords(tick)));
  }
  if (comparesAxes)
    chart.append(drawn("line", { class: "equal", x1: left, y1: height - bottom, x2: width - right, y2: top }));
  chart.append(drawn("text", { class: "axis", x: (left + width - right) / 2, y: height - 5, "text-anchor": "middle" }, across));
  // What is chosen lies above the others.
  for (const point of [...seen].sort((a, b) => Number(a.isChosen) - Number(b.isChosen))) {
    const dot = drawn("circle", { class: point.isChosen ? "point chosen" : "point", cx: xOf(point.x), cy: yOf(point.y), r: point.isChosen ? 5 : 3 });
    dot.append(drawn("title", {}, point.label));
    if (point.choose) {
      dot.classList.add("can-be-chosen");
      dot.addEventListener("click", point.choose);
    }
    chart.append(dot);
  }
  figure.append(chart);
}

const inside = (scale: Scale): number[] => scale.ticks.filter((tick) => scale.place(tick) > -1e-6 && scale.place(tick) < 1 + 1e-6);
