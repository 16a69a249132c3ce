// SPDX-License-Identifier: Apache-2.0
// The script of the ranking view: shows what the extension says, and says what is clicked.
import type { FromView, ToView, ViewState } from "../ranking/messages";
import { grouped, progress, scoreWords, summary } from "../ranking/words";
import type { Ranking, RankingRow } from "../server/protocol";
import { drawChart } from "./chart";
import { hideDetails, showDetails, showProgram } from "./details";
import { element, the } from "./page";
import { Table } from "./table";

declare function acquireVsCodeApi(): { postMessage(message: FromView): void; setState(state: ViewState): void };
const editor = acquireVsCodeApi();
const send = (message: FromView): void => editor.postMessage(message);

/** How many rows *Show more* adds. */
const more = 500;
let ranking: Ranking | undefined;
let chosen: RankingRow | undefined;

const rowsOf = (): readonly RankingRow[] => ranking?.rows ?? [];
const table = new Table(choose, () => element("fill").focus());

function choose(row: RankingRow): void {
  chosen = row;
  showDetails(row, send);
  showProgram("…");
  send({ kind: "show", variant: row.variant });
  drawCharts();
}
function chooseVariant(variant: string): void {
  const row = rowsOf().find((one) => one.variant === variant);
  if (!row) return;
  table.mark(variant);
  choose(row);
}

function drawCharts(): void {
  drawChart(element("scores"), {
    points: rowsOf().map(({ rank, score, variant }) => ({
      x: rank,
      y: Number(score),
      label: `#${variant}: ${scoreWords(score)}`,
      isChosen: variant === chosen?.variant,
      choose: () => chooseVariant(variant),
    })),
    across: "rank",
    up: "score",
    comparesAxes: false,
  });
  const values = ranking?.charts?.actualAgainstExpected ?? [];
  drawChart(element("values"), {
    points: values.map(([expected, actual]) => ({
      x: expected,
      y: actual,
      label: `expected ${scoreWords(expected)}, actual ${scoreWords(actual)}`,
      isChosen: false,
    })),
    across: "expected",
    up: "actual",
    comparesAxes: true,
  });
}

function sayProblem(words: string | undefined): void {
  const problem = element("problem");
  problem.hidden = words === undefined;
  problem.textContent = words ?? "";
}

function show(uri: string, next: Ranking): void {
  ranking = next;
  editor.setState({ uri });
  element("file").textContent = decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1));
  element("summary").textContent = summary(next);
  sayProblem(next.problem);
  const bar = the("progress", HTMLProgressElement), done = progress(next);
  bar.hidden = next.state !== "running";
  if (done === undefined) bar.removeAttribute("value");
  else bar.value = done;

  const rows = rowsOf();
  element("content").hidden = rows.length === 0;
  // A program without holes is ranked, too.
  the("fillBest", HTMLButtonElement).disabled = rows.length === 0 || next.variants === "1";
  const before = chosen;
  chosen = rows.find(({ variant }) => variant === before?.variant);
  table.show(rows, chosen?.variant);
  const total = next.total ?? rows.length;
  const [some, all] = [grouped(rows.length), grouped(total)];
  element("shown").textContent = rows.length < total ? `The best ${some} of ${all}; columns sort these.` : `All ${all}.`;
  element("more").hidden = rows.length >= total;
  drawCharts();
  if (!chosen) hideDetails();
  else if (JSON.stringify(chosen) !== JSON.stringify(before)) choose(chosen);
}

window.addEventListener("message", ({ data }: MessageEvent<ToView>) => {
  switch (data.kind) {
    case "ranking":
      show(data.file, data.ranking);
      break;
    case "program":
      if (data.variant === chosen?.variant) showProgram(data.text);
      break;
    case "problem":
      sayProblem(data.words);
      break;
  }
});
const clicks: Record<string, () => FromView | undefined> = {
  fillBest: () => ({ kind: "fillBest" }),
  more: () => ({ kind: "rows", count: rowsOf().length + more }),
  fill: () => chosen && { kind: "fill", variant: chosen.variant },
  keep: () => chosen && { kind: "keep", variant: chosen.variant },
};
for (const [id, said] of Object.entries(clicks))
  element(id).addEventListener("click", () => {
    const message = said();
    if (message) send(message);
  });
send({ kind: "ready" });
