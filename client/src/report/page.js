"use strict";
// Sorts a table by the column whose heading is clicked; a second click turns it round. What has no
// value comes last either way.
for (const table of document.querySelectorAll("table.sorts")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const turn = head.ariaSort === "ascending" ? -1 : 1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.ariaSort = turn === 1 ? "ascending" : "descending";
      const value = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent;
      const compare = (one, other) => {
        const [a, b] = [value(one), value(other)];
        if (a === "" || b === "") return (a === "") - (b === "");
        return turn * a.localeCompare(b, "en", { numeric: true });
      };
      body.append(...[...body.rows].sort(compare));
    });
  });
}
