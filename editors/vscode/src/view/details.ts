// SPDX-License-Identifier: Apache-2.0
// The variant that is chosen: what stands in each hole, its worst case, its program.
import type { FromView } from "../ranking/messages";
import { grouped, scoreWords } from "../ranking/words";
import type { RankingRow } from "../server/protocol";
import { element, make } from "./page";

type Send = (message: FromView) => void;

function linkOf(text: string, says: string, click: () => void): HTMLElement {
  const link = make("button", text, { type: "button", class: "link", title: says });
  link.addEventListener("click", click);
  return link;
}

export function showDetails(row: RankingRow, send: Send): void {
  element("details").hidden = false;
  element("title").textContent = `#${row.variant} · ${scoreWords(row.score)}`;
  element("choices").replaceChildren(...row.choices.map(({ hole, range, text }) => {
    const item = make("li", "");
    item.append(linkOf(`?${hole}`, "Show the hole", () => send({ kind: "reveal", range })), " ", make("code", text));
    return item;
  }));
  const worst = element("worst");
  worst.replaceChildren();
  if (row.worst) {
    const { row: number, line, expected, actual, inputs } = row.worst;
    const given = inputs.map(({ name, value }) => `${name} = ${value}`).join(", ");
    const words = `row ${grouped(number)}`;
    worst.append("Worst case: ", line === undefined ? words : linkOf(words, "Open the row", () => send({ kind: "openCase", line })));
    worst.append(`: expected ${expected}, actual ${actual}${given ? ` (${given})` : ""}`);
  }
}
export function showProgram(text: string): void {
  element("program").textContent = text;
}
export function hideDetails(): void {
  element("details").hidden = true;
}
