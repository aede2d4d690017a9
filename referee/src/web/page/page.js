"use strict";
// The server renders everything. This script follows the stream of events, fetches what has changed, and
// lets the clocks run. Without it the pages load themselves again from time to time.

const byId = (id) => document.getElementById(id);
const panel = () => byId("panel");
const isGamePage = location.pathname.startsWith("/game/");

// --- Games on the screen: only these are kept up to date ---

const seen = new Set();
const watched = new WeakSet();
const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) seen.add(target);
    else seen.delete(target);
  }
  findClocks();
}, { rootMargin: "200px" });

const watchGames = () => {
  for (const game of seen) if (!game.isConnected) seen.delete(game);
  for (const game of document.querySelectorAll("[data-game]")) {
    if (watched.has(game)) continue;
    watched.add(game);
    watcher.observe(game);
  }
};

// --- Clocks ---

const text = (ms) => {
  const tenths = Math.floor(Math.max(0, ms) / 100);
  const [h, m, s] = [Math.floor(tenths / 36000), Math.floor(tenths / 600) % 60, Math.floor(tenths / 10) % 60];
  const two = (n) => String(n).padStart(2, "0");
  if (h > 0) return `${h}:${two(m)}:${two(s)}`;
  return ms < 20000 ? `${m}:${two(s)}.${tenths % 10}` : `${m}:${two(s)}`;
};

// When each running clock had the time that its attribute gives.
const begun = new WeakMap();
// The running clocks on the screen.
let clocks = [];

const findClocks = () => {
  const now = performance.now();
  clocks = [];
  for (const clock of document.querySelectorAll(".clock[data-side]")) {
    const { runs, ms } = clock.dataset;
    if (runs === undefined) begun.delete(clock);
    else if (begun.get(clock)?.ms !== ms) begun.set(clock, { ms, at: now });
    if (runs !== undefined && seen.has(clock.closest("[data-game]"))) clocks.push(clock);
  }
};

// With many games on the screen, clocks are shown less often.
const MANY_GAMES = 8;
let tick = 0;

const runClocks = () => {
  tick += 1;
  if (seen.size > MANY_GAMES && tick % 4 !== 0) return;
  const now = performance.now();
  for (const clock of clocks) {
    const { ms, at } = begun.get(clock);
    const isDown = clock.dataset.runs === "down";
    const time = Number(ms) + (isDown ? at - now : now - at);
    const shown = text(time);
    if (clock.textContent !== shown) clock.textContent = shown;
    const isLow = isDown && time < 3000;
    if (clock.classList.contains("low") !== isLow) clock.classList.toggle("low", isLow);
  }
};

// A move stops a clock and starts the other one; the fragment that follows has the exact times.
const turnClocks = (event) => {
  // With many games a browser would do nothing else.
  if (seen.size > MANY_GAMES) return;
  const game = Number(panel()?.dataset.game) === event.game ? panel() : byId(`game-${event.game}`);
  if (!seen.has(game) || (game.id === "panel" && !("live" in game.dataset))) return;
  const [stops, starts] = [true, false].map((runs) =>
    [...game.querySelectorAll(".clock[data-side]")].find((clock) => "runs" in clock.dataset === runs));
  if (!stops || !starts) return;
  starts.dataset.runs = stops.dataset.runs;
  starts.classList.add("running");
  delete stops.dataset.runs;
  stops.classList.remove("running", "low");
  if (event.remaining_ms !== null) {
    stops.dataset.ms = event.remaining_ms;
    stops.textContent = text(event.remaining_ms);
  }
  begun.delete(stops);
  begun.set(starts, { ms: starts.dataset.ms, at: performance.now() });
  clocks = [...clocks.filter((clock) => clock !== stops), starts];
};

// --- Changes ---

// Makes an element equal to another one and keeps what is the same, so that focus and scrolling stay.
const morph = (old, fresh) => {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName || old.id !== fresh.id) {
    old.replaceWith(fresh);
    return;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  // What the viewer has unfolded stays so.
  const isKept = (name) => name === "open" && old.nodeName === "DETAILS";
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !isKept(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const children = [...fresh.childNodes];
  children.forEach((child, i) => {
    // What has a name is found again where it has moved, and what is new takes nobody's place.
    const same = child.id && [...old.children].find((other) => other.id === child.id);
    const place = old.childNodes[i] ?? null;
    const isNeeded = place?.id && children.some((other) => other.id === place.id);
    if (!same && (child.id || isNeeded)) {
      old.insertBefore(child, place);
      return;
    }
    if (same && same !== place) old.insertBefore(same, place);
    if (i < old.childNodes.length) morph(old.childNodes[i], child);
    else old.append(child);
  });
  while (old.childNodes.length > children.length) old.lastChild.remove();
};

const take = (html) => {
  const list = byId("moves");
  const wasAtEnd = list && list.scrollTop + list.clientHeight > list.scrollHeight - 40;
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const fresh of [...page.body.children]) {
    const old = fresh.id && byId(fresh.id);
    if (old) morph(old, document.adoptNode(fresh));
  }
  watchGames();
  findClocks();
  runClocks();
  if (wasAtEnd && "live" in (panel()?.dataset ?? {})) showCurrent();
};

const get = async (path) => {
  const answer = await fetch(path);
  if (answer.ok) take(await answer.text());
};

// What is to be fetched, and how long to wait between two fetches in milliseconds.
const wanted = { games: new Set(), all: false, event: false, panel: false };
const PAUSE = { update: 300, manyGames: 1000, event: 1000 };
let isBusy = false;
// Whether the referee has ended.
let isOver = false;
let eventAt = -PAUSE.event;
let gamesAt = -PAUSE.manyGames;

const next = () => {
  const cards = [...wanted.games].filter((number) => seen.has(byId(`game-${number}`)));
  if (wanted.panel && panel()) {
    wanted.panel = false;
    return panelPath();
  }
  if (wanted.all) {
    wanted.all = false;
    wanted.games.clear();
    return "/fragment/games";
  }
  const isTime = seen.size <= MANY_GAMES || isOver || performance.now() - gamesAt > PAUSE.manyGames;
  if (cards.length > 0 && isTime) {
    gamesAt = performance.now();
    cards.forEach((number) => wanted.games.delete(number));
    return `/fragment/games?numbers=${cards.join(",")}`;
  }
  if (wanted.event && (isOver || performance.now() - eventAt > PAUSE.event)) {
    wanted.event = false;
    eventAt = performance.now();
    return "/fragment/event";
  }
  return null;
};

const update = async () => {
  if (isBusy || document.hidden) return;
  isBusy = true;
  try {
    let path;
    do {
      path = next();
      if (path) await get(path);
      // A referee that ends is there for a moment only.
    } while (path && isOver);
  } catch {
    // The stream tells when the server is back.
  }
  isBusy = false;
};

// --- The stream ---

const announce = (text) => { byId("announce").textContent = text; };

const everything = () => {
  wanted.panel = isGamePage;
  wanted.all = wanted.event = !isGamePage;
};

const onEvent = (event) => {
  const isShown = event.game !== undefined && Number(panel()?.dataset.game) === event.game;
  switch (event.event) {
    case "move":
      turnClocks(event);
      // fallthrough
    case "thinking":
    case "clock":
      if (isShown) wanted.panel = true;
      else if (byId(`game-${event.game}`)) wanted.games.add(event.game);
      else if (!isGamePage && event.event === "move" && !byId("games")?.querySelector("[data-game]")) wanted.all = true;
      return;
    case "result":
      announce(`Game ${event.game}, ${event.white} against ${event.black}: ${event.result}. ${event.reason}`);
      // The end is shown for a while.
      setTimeout(() => { wanted.all = !isGamePage; }, 16000);
      if (isShown) wanted.panel = true;
      else wanted.games.add(event.game);
      break;
    case "snapshot":
      everything();
      break;
    case "start":
      isOver = false;
      break;
    case "end":
      isOver = true;
      everything();
      update();
      return;
    case "game":
    case "withdrawn":
      if (isShown) wanted.panel = true;
      wanted.all = !isGamePage;
      break;
  }
  wanted.event = !isGamePage;
};

// The stream goes on after the event that the page has been rendered with.
let seq = Number(document.body.dataset.seq);

const follow = () => {
  const source = new EventSource(`/api/stream?after=${seq}`);
  source.onopen = () => { byId("connection").hidden = true; };
  source.onerror = () => {
    if (isOver) {
      source.close();
      return;
    }
    byId("connection").hidden = false;
    // A browser gives up after some errors.
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
  };
  source.onmessage = (message) => {
    const event = JSON.parse(message.data);
    seq = event.seq;
    onEvent(event);
  };
};

// --- Steps through a game ---

// The position that the viewer has asked for: a number of half-moves, or null for the present one.
const query = new URLSearchParams(location.search);
const look = { ply: query.has("ply") ? Number(query.get("ply")) : null, side: query.get("side") };

const lookQuery = () => {
  const parts = [];
  if (look.ply !== null) parts.push(`ply=${look.ply}`);
  if (look.side === "black") parts.push("side=black");
  return parts.length > 0 ? `?${parts.join("&")}` : "";
};

const panelPath = () => `/fragment/game/${panel().dataset.game}${lookQuery()}`;

const showCurrent = () => {
  const [list, current] = [byId("moves"), byId("moves")?.querySelector("[aria-current]")];
  if (!current) return;
  const [box, row] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  if (row.top < box.top + 40 || row.bottom > box.bottom - 20) {
    list.scrollTop += row.top - box.top - list.clientHeight / 2;
  }
};

const go = async (ply) => {
  const last = Number(panel().dataset.plies);
  look.ply = ply === null || ply >= last ? null : Math.max(0, ply);
  if (isGamePage) history.replaceState(null, "", location.pathname + lookQuery());
  wanted.panel = true;
  await update();
  showCurrent();
};

const steps = {
  first: () => go(0),
  back: () => go((look.ply ?? Number(panel().dataset.plies)) - 1),
  next: () => go(look.ply === null ? null : look.ply + 1),
  last: () => go(null),
  turn: () => {
    look.side = look.side === "black" ? null : "black";
    return go(look.ply);
  },
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("#panel a[data-ply], #panel a[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  if (link.dataset.step) steps[link.dataset.step]();
  else go(Number(link.dataset.ply));
});

const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", f: "turn" };
document.addEventListener("keydown", (event) => {
  const step = keys[event.key];
  if (!step || !isGamePage || !panel() || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  steps[step]();
});

// --- Start ---

watchGames();
findClocks();
setInterval(runClocks, 100);
setInterval(update, PAUSE.update);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) everything();
});
showCurrent();
follow();
