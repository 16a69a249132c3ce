// Sorts and filters the ranking. Without it the table is sorted by rank.
(() => {
  "use strict";
  const table = document.querySelector("#ranking table");
  if (!table) return;
  const body = table.tBodies[0];
  const heads = Array.from(table.tHead.rows[0].cells);
  const rows = Array.from(body.rows);

  // A number, or a text; null where the cell is empty.
  const key = (row, column) => {
    const cell = row.cells[column];
    if (!cell.classList.contains("number")) return cell.textContent;
    return cell.dataset.value === "" ? null : Number(cell.dataset.value);
  };
  const words = new Intl.Collator("en", {numeric: true});
  const compare = (a, b) => {
    if (typeof a === "string") return words.compare(a, b);
    return a === b ? 0 : a > b ? 1 : -1;
  };

  // What has no key comes last either way. Equals keep the order of their ranks.
  const sort = (column, descending) => {
    const keyed = rows.map((row) => ({row, key: key(row, column)}));
    keyed.sort((a, b) => {
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
      return descending ? compare(b.key, a.key) : compare(a.key, b.key);
    });
    body.append(...keyed.map((entry) => entry.row));
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", descending ? "descending" : "ascending");
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(column, head.getAttribute("aria-sort") === "ascending"));
    head.replaceChildren(button);
  });

  const tools = document.querySelector("#ranking .tools");
  const count = tools.querySelector("p");
  const all = count.textContent;
  count.setAttribute("role", "status");
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "Filter by id or status";
  input.setAttribute("aria-label", "Filter by id or status");
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row) => {
      const text = row.cells[1].textContent + "\n" + row.cells[2].textContent;
      row.hidden = !text.toLowerCase().includes(wanted);
      shown += row.hidden ? 0 : 1;
    });
    count.textContent = wanted === "" ? all : shown.toLocaleString("en") + " of these rows match";
  });
  const form = document.createElement("form");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.append(input);
  tools.append(form);
})();
