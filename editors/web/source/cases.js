// SPDX-License-Identifier: Apache-2.0
// The pane of the cases: a text that is pasted, typed, loaded or dropped, and the name by which the sketch knows it (`//! cases: NAME`).

const MOST_BYTES = 16 << 20;
const find = (id) => document.getElementById(id);

export class Cases {
  /** @param onChange called with the name and the text, both may be empty */
  constructor(onChange) {
    this.onChange = onChange;
    const text = find("cases-text");
    text.addEventListener("input", () => this.changed());
    find("cases-name").addEventListener("input", () => this.changed());
    find("cases-file").addEventListener("change", ({ target }) => this.load(target.files[0]));
    text.addEventListener("dragover", (event) => event.preventDefault());
    text.addEventListener("drop", (event) => {
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      this.load(event.dataTransfer.files[0]);
    });
  }
  get name() {
    return find("cases-name").value.trim();
  }
  get text() {
    return find("cases-text").value;
  }
  put(name, text) {
    find("cases-name").value = name;
    find("cases-text").value = text;
    this.changed();
  }
  async load(file) {
    if (!file) return;
    if (file.size > MOST_BYTES) {
      find("cases-size").textContent = `${file.name} has ${file.size} bytes; a file of cases has at most ${MOST_BYTES}`;
      return;
    }
    this.put(file.name, await file.text());
  }
  changed() {
    const lines = this.text.split("\n").filter((line) => line.trim() !== "").length;
    find("cases-size").textContent = lines === 0 ? "" : `${lines} ${lines === 1 ? "line" : "lines"}`;
    this.onChange(this.name, this.text);
  }
}
