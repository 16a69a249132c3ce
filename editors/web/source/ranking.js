// SPDX-License-Identifier: Apache-2.0
// The ranking of a sketch's variants: a table to walk through by keys, the program of the variant that is chosen, and charts. Asks the
// server when it says that something is new, with one question at a time.
import { chartOfBest, chartOfScores } from "./charts.js";

const PAGE = 100;
const METHOD_NOT_FOUND = -32601;

const find = (id) => document.getElementById(id);
const digits = (text) => String(text).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
const counted = (count, noun) => `${digits(count)} ${noun}${String(count) === "1" ? "" : "s"}`;
const scoreText = (score) => (typeof score === "number" ? String(Number(score.toPrecision(6))) : String(score));
const cell = (name, text, className) => {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
};

function worstText(worst, scoreName) {
  if (!worst) return "";
  const inputs = (worst.inputs ?? []).map(({ name, value }) => `${name} = ${value}`).join(", ");
  return `Worst case by ${scoreName}, row ${worst.row}: ${inputs}; expected ${worst.expected}, got ${worst.actual}`;
}

export class Ranking {
  /** @param ask (method, params) → a promise of the answer
   *  @param uri of the document
   *  @param highlight (text, element): the text as code
   *  @param canSearch says whether the server can look for more
   *  @param onFill called with an edit of the workspace */
  constructor({ ask, uri, highlight, canSearch, onFill }) {
    Object.assign(this, { ask, uri, highlight, canSearch, onFill });
    this.answer = null;
    this.count = PAGE;
    this.chosen = null;
    this.isAsking = this.isStale = false;
    find("more").addEventListener("click", () => {
      this.count += PAGE;
      this.refresh();
    });
    find("fill").addEventListener("click", () => this.fill());
    const rows = find("rows");
    rows.addEventListener("click", (event) => this.choose(event.target.closest("tr")?.dataset.variant));
    rows.addEventListener("dblclick", () => this.fill());
    rows.addEventListener("keydown", (event) => this.takeKey(event));
  }

  /** Asks anew. What comes meanwhile is asked behind it. */
  async refresh() {
    this.isStale = true;
    if (this.isAsking) return;
    this.isAsking = true;
    while (this.isStale) {
      this.isStale = false;
      try {
        this.show(await this.ask("komuz/ranking", { textDocument: { uri: this.uri }, first: 0, count: this.count }));
      } catch (error) {
        const problem = error.code === METHOD_NOT_FOUND ? "this server ranks no variants" : (error.message ?? String(error));
        this.show({ state: "failed", problem, rows: [], total: 0 });
      }
    }
    this.isAsking = false;
  }
  /** Of a document that has just been put in the place of another. */
  reset() {
    this.count = PAGE;
    this.chosen = null;
    find("chosen").hidden = true;
  }

  show(answer) {
    this.answer = answer;
    const rows = answer.rows ?? [];
    find("ranking").dataset.state = answer.state;
    find("ranking-state").textContent = this.stateText(answer);
    find("ranking-problem").textContent = answer.problem ?? "";
    find("ranking-problem").hidden = !answer.problem;
    find("ranking-scroll").hidden = rows.length === 0;
    // A program without holes has its score, too.
    const isSketch = Number(answer.variants) !== 1;
    find("search").hidden = rows.length === 0 || !isSketch || !this.canSearch();
    find("fill").hidden = !isSketch;
    find("score-name").textContent = answer.score ?? "score";
    find("more").hidden = rows.length >= (answer.total ?? 0) || rows.length < this.count;
    this.showRows(rows);
    const points = answer.charts?.actualAgainstExpected ?? [];
    find("charts").replaceChildren(...[chartOfScores(rows.map((row) => row.score), answer.score ?? "score"), chartOfBest(points)].filter(Boolean));
    const still = rows.find((row) => row.variant === this.chosen) ?? rows[0];
    this.choose(still?.variant, false);
  }
  stateText({ state, variants, evaluated, isSample, failed, cases, lowerIsBetter }) {
    if (state === "none" || state === "failed") return "";
    if (variants === undefined) return "…";
    const parts = [counted(variants, "variant")];
    if (cases) parts.push(`${counted(cases.rows, "case")} of ${cases.file}`);
    if (lowerIsBetter !== undefined) parts.push(`${lowerIsBetter ? "smaller" : "larger"} is better`);
    if (isSample) parts.push(`a sample of ${digits(evaluated)}`);
    else if (state === "running") parts.push(`${digits(evaluated)} evaluated`);
    if (failed) parts.push(`${digits(failed)} failed`);
    return parts.join(" · ") + (state === "running" ? " …" : "");
  }
  showRows(rows) {
    const body = find("rows");
    const hadFocus = body.contains(document.activeElement);
    body.replaceChildren(
      ...rows.map((row) => {
        const made = document.createElement("tr");
        made.dataset.variant = row.variant;
        made.tabIndex = -1;
        made.append(
          cell("td", digits(row.rank), "number"),
          cell("td", "#" + row.variant, "number"),
          cell("td", row.score == null ? row.status : scoreText(row.score), "number"),
          cell("td", row.text, "program"),
        );
        return made;
      }),
    );
    this.hadFocus = hadFocus;
  }

  rowOf(variant) {
    return [...find("rows").rows].find((row) => row.dataset.variant === variant);
  }
  /** Shows the program of a variant. `isMoved`: the person has gone there. */
  async choose(variant, isMoved = true) {
    const row = variant === undefined ? null : this.rowOf(variant);
    if (!row) {
      this.chosen = null;
      find("chosen").hidden = true;
      return;
    }
    for (const other of find("rows").rows) {
      other.tabIndex = other === row ? 0 : -1;
      other.setAttribute("aria-selected", String(other === row));
    }
    if (isMoved || this.hadFocus) row.focus({ preventScroll: !isMoved });
    this.hadFocus = false;
    this.chosen = variant;
    const { version, rows } = this.answer;
    let filled;
    try {
      filled = await this.ask("komuz/fill", { textDocument: { uri: this.uri }, variant });
    } catch (error) {
      filled = { text: "", problem: error.message ?? String(error) };
    }
    // Another one was chosen meanwhile, or the sketch is another one.
    if (this.chosen !== variant || this.answer.version !== version) return;
    this.filled = filled?.edit ? filled : null;
    find("chosen").hidden = false;
    find("chosen-title").textContent = `Variant #${variant}`;
    find("fill").disabled = !this.filled;
    find("worst").textContent = filled?.problem ?? worstText(rows.find((one) => one.variant === variant)?.worst, this.answer.score ?? "score");
    this.highlight(filled?.text ?? "", find("chosen-program"));
  }
  fill() {
    if (this.filled) this.onFill(this.filled.edit);
  }
  focus() {
    (this.rowOf(this.chosen) ?? find("rows").rows[0])?.focus();
  }

  takeKey(event) {
    const rows = [...find("rows").rows];
    const at = rows.indexOf(event.target.closest("tr"));
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -rows.length, End: rows.length };
    if (event.key === "Enter") this.fill();
    else if (event.key in steps) this.choose(rows[Math.min(Math.max(at + steps[event.key], 0), rows.length - 1)]?.dataset.variant);
    else return;
    event.preventDefault();
  }
}
