// What a page of an event shows.
(() => {
  const games = {};
  for (const game of document.querySelectorAll("[data-game]")) {
    const pieces = {};
    for (const use of game.querySelectorAll(".field .board use[x]")) {
      const [x, y] = [use.getAttribute("x"), use.getAttribute("y")].map((at) => at / 40);
      const letter = use.getAttribute("href")[1];
      pieces["abcdefgh"[x] + (8 - y)] = use.matches(".white") ? letter : letter.toLowerCase();
    }
    const clocks = {};
    for (const clock of game.querySelectorAll(".clock")) {
      clocks[clock.dataset.side] = { text: clock.textContent, runs: "runs" in clock.dataset };
    }
    const names = [...game.querySelectorAll(".player .name")].map((name) => name.textContent);
    games[game.dataset.game] = { plies: Number(game.dataset.plies), pieces, clocks, names };
  }
  const rows = [...document.querySelectorAll("#standings table:not(.cross) tbody tr")];
  const cells = (row) => [...row.cells].map((cell) => cell.textContent.trim());
  const standings = Object.fromEntries(rows.map(cells).map((row) => [row[1], row[2] + " " + row[3]]));
  const { clientWidth } = document.documentElement;
  const isWide = (element) => element.getBoundingClientRect().right > clientWidth + 1 ||
    (element instanceof HTMLElement && element.scrollWidth > clientWidth + 1);
  const isBeyond = (element) =>
    isWide(element) && !element.closest(".scroll, .skip, .shapes") && element.checkVisibility();
  const beyond = [...document.body.querySelectorAll("*")].filter(isBeyond).map((element) =>
    `${element.tagName}.${element.getAttribute("class")} ${element.textContent.slice(0, 30)}`);
  if (document.documentElement.scrollWidth > clientWidth) beyond.push("something scrolls");
  return { games, standings, beyond };
})()
