"use strict";
// Tables of records: a click on a heading sorts by its column and a second one turns the order round,
// what has no value comes last either way; a search and a choice tell which records are shown, fifty on
// a page.
for (const table of document.querySelectorAll("table.sorts")) {
  const size = 50;
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  let rows = [...body.rows];
  let page = 0;
  const controls = table.closest("section").querySelector(".controls");
  const search = controls.querySelector("input");
  const kind = controls.querySelector("select");
  const [previous, next] = controls.querySelectorAll("button");
  const told = controls.querySelector("output");
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const number = new Intl.NumberFormat("en").format;

  const isShown = (row) =>
    texts.get(row).includes(search.value.trim().toLowerCase()) &&
    (kind.value === "" || row.dataset.kind === kind.value ||
      (kind.value === "missed" && row.dataset.kind === "differs"));
  const show = () => {
    const found = rows.filter(isShown);
    page = Math.max(0, Math.min(page, Math.ceil(found.length / size) - 1));
    const begin = page * size;
    const end = Math.min(begin + size, found.length);
    body.replaceChildren(...found.slice(begin, end));
    previous.disabled = page === 0;
    next.disabled = end === found.length;
    told.textContent = found.length === 0 ? "none" :
      `${number(begin + 1)}\u2013${number(end)} of ${number(found.length)}`;
  };
  const turn = (pages) => () => {
    page += pages;
    show();
  };
  const again = () => {
    page = 0;
    show();
  };
  previous.addEventListener("click", turn(-1));
  next.addEventListener("click", turn(1));
  search.addEventListener("input", again);
  kind.addEventListener("change", again);

  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const order = head.ariaSort === "ascending" ? -1 : 1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order === 1 ? "ascending" : "descending");
      const value = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent;
      const compare = (one, other) => {
        const [a, b] = [value(one), value(other)];
        if (a === "" || b === "") return (a === "") - (b === "");
        return order * a.localeCompare(b, "en", { numeric: true });
      };
      rows.sort(compare);
      again();
    });
  });
  controls.hidden = false;
  show();
}
