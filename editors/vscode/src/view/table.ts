// SPDX-License-Identifier: Apache-2.0
// The table of the ranking: a click or the arrow keys choose a row, a click on a column's name sorts.
import { grouped, scoreWords } from "../ranking/words";
import type { RankingRow } from "../server/protocol";
import { differences } from "./differences";
import { element, make } from "./page";
import { clicked, columns, sorted, type Column, type Order } from "./sorting";

const names: Record<Column, string> = {
  rank: "Rank",
  variant: "Variant",
  score: "Score",
  passed: "Exact",
  fuel: "Fuel",
  bytes: "Bytes",
  text: "Choices",
};
const numberWords = (value: number | undefined): string => (value === undefined ? "" : grouped(value));

export class Table {
  private rows: readonly RankingRow[] = [];
  private words = new Map<RankingRow, string>();
  private order: Order = { column: "rank", isDescending: false };
  private chosen: string | undefined;
  private readonly body = element("rows");

  /** `choose`: a row was chosen. `open`: its details are wanted. */
  constructor(
    private readonly choose: (row: RankingRow) => void,
    private readonly open: () => void,
  ) {
    this.body.parentElement?.setAttribute("role", "grid");
    this.body.addEventListener("keydown", (event) => this.take(event));
  }
  show(rows: readonly RankingRow[], chosen: string | undefined): void {
    const words = differences(rows);
    this.rows = rows;
    this.words = new Map(rows.map((row, number) => [row, words[number] ?? ""]));
    this.chosen = chosen;
    this.draw();
  }
  mark(variant: string): void {
    this.chosen = variant;
    for (const row of this.lines()) this.markLine(row);
  }

  private draw(): void {
    const hadFocus = this.body.contains(document.activeElement);
    element("head").replaceChildren(...columns.map((column) => this.headOf(column)));
    this.body.replaceChildren(...sorted(this.rows, this.order).map((row) => this.lineOf(row)));
    // The keyboard comes into the table at one row.
    const lines = this.lines(), entry = lines.find((line) => line.dataset["variant"] === this.chosen) ?? lines[0];
    if (entry) entry.tabIndex = 0;
    if (hadFocus) entry?.focus();
  }
  private headOf(column: Column): HTMLElement {
    const { column: by, isDescending } = this.order, isSorted = by === column;
    const head = make("th", "", { scope: "col", class: column, "aria-sort": !isSorted ? "none" : isDescending ? "descending" : "ascending" });
    const button = make("button", names[column], { type: "button" });
    if (isSorted) button.append(make("span", isDescending ? " ▼" : " ▲", { "aria-hidden": "true" }));
    button.addEventListener("click", () => {
      this.order = clicked(this.order, column);
      this.draw();
      element("head").querySelector<HTMLElement>(`.${column} button`)?.focus();
    });
    head.append(button);
    return head;
  }
  private lineOf(row: RankingRow): HTMLElement {
    const line = make("tr", "", { tabindex: "-1", "data-variant": row.variant, title: row.text ?? "" });
    const cells: Record<Column, string> = {
      rank: grouped(row.rank),
      variant: `#${row.variant}`,
      score: scoreWords(row.score),
      passed: numberWords(row.passed),
      fuel: numberWords(row.fuel),
      bytes: numberWords(row.bytes),
      text: this.words.get(row) ?? "",
    };
    line.append(...columns.map((column) => make("td", cells[column], { class: column })));
    line.addEventListener("click", () => this.pick(row));
    line.addEventListener("dblclick", () => this.open());
    this.markLine(line);
    return line;
  }
  private markLine(line: HTMLElement): void {
    const isChosen = line.dataset["variant"] === this.chosen;
    line.setAttribute("aria-selected", String(isChosen));
    line.tabIndex = isChosen ? 0 : -1;
  }
  private lines(): HTMLElement[] {
    return [...this.body.children].filter((one): one is HTMLElement => one instanceof HTMLElement);
  }
  private pick(row: RankingRow): void {
    this.mark(row.variant);
    this.choose(row);
  }
  private take(event: KeyboardEvent): void {
    const lines = this.lines(), at = lines.findIndex((line) => line === document.activeElement);
    if (at < 0) return;
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1, PageDown: at + 10, PageUp: at - 10 };
    const to = moves[event.key];
    if (to !== undefined) {
      const line = lines[Math.min(lines.length - 1, Math.max(0, to))];
      const row = this.rows.find(({ variant }) => variant === line?.dataset["variant"]);
      if (row) this.pick(row);
      line?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      const row = this.rows.find(({ variant }) => variant === lines[at]?.dataset["variant"]);
      if (row) this.pick(row);
      this.open();
    } else return;
    event.preventDefault();
  }
}
