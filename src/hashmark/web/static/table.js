// The table: forms are sent in the background, changed parts are replaced, a stream says when.
import { answerLock } from "./answer_lock.js";
import { whole } from "./copy.js";
import { goTo, winCurve } from "./curve.js";
import { pickDice } from "./dice.js";
import { follow } from "./stream.js";
import { ballPlace, moveBall, pace, playback, raiseBanner, rollDice } from "./playback.js";

const main = document.getElementById("main");
const key = main.dataset.table;
const base = `/table/${key}`;
const live = document.getElementById("live");
const toast = document.getElementById("toast");
const slider = document.getElementById("turn");
const PAST = ["board", "field", "latest_play"]; // what the slider shows of an earlier turn
let looking = false; // back through the game
let busy = false; // a form is under way
let asks = 0; // how often the server was asked how the table looks, by forms too
let newest = 0; // which of these is shown
let seen = Number(main.dataset.turns); // turns that are shown, or about to be

// --- Parts -----------------------------------------------------------------------------------

const was = new Map(); // each part as the server has last rendered it
for (const part of main.querySelectorAll("[data-part]")) was.set(part.dataset.part, part.innerHTML);

const parse = (html) => new DOMParser().parseFromString(html, "text/html").body;

function place(parts, only) {
  const [changed, focus] = [[], []];
  for (const part of parts.querySelectorAll(":scope > [data-part]")) {
    const name = part.dataset.part;
    if (looking && PAST.includes(name) && !only) continue;
    const here = main.querySelector(`[data-part="${name}"]`);
    if (!here || was.get(name) === part.innerHTML) continue;
    was.set(name, part.innerHTML);
    const had = here.contains(document.activeElement);
    const open = [...here.querySelectorAll("details")].map((one) => one.open);
    const message = here.querySelector(".write input")?.value; // being typed
    const ball = ballPlace(here);
    here.replaceChildren(...document.adoptNode(part).childNodes);
    if (name === "field") { moveBall(here, ball); raiseBanner(here); }
    if (name === "latest_play") rollDice(here);
    if (name === "question") lock.lock();
    here.querySelectorAll("details").forEach((one, at) => { one.open = open[at] ?? false; });
    if (message) for (const one of here.querySelectorAll(".write input")) one.value = message;
    changed.push(name);
    if (had || name === "question") focus.push([here, had]);
  }
  prepare();
  for (const [here, had] of focus) focusIn(here, had);
  return changed;
}

function focusIn(part, had) {
  const nowhere = document.activeElement === document.body || !document.activeElement;
  if (had || nowhere) firstIn(part)?.focus({ preventScroll: true });
}

// The first answer; where answers are dice that are picked, the first of those.
function firstIn(part) {
  const answer = part.querySelector("[data-first]");
  if (!answer?.hidden) return answer;
  const other = part.querySelector(".answers button:not([hidden])");
  return other ?? main.querySelector('[data-part="game_sheet"] button:not([hidden])');
}

// While a form is under way nothing else is shown: the next question would stand there before the
// last answer is through, and a click on it be lost. And nothing that is older than what is shown.
async function refresh() {
  const mine = ++asks;
  const response = await fetch(`${base}/parts`, { headers: asksFor() });
  const html = await response.text();
  if (!response.ok || mine < newest) return;
  if (busy) refreshSoon();
  else shown(html, mine);
}

// A viewer who does not watch the plays asks for none of them.
const asksFor = () => {
  const watches = interval() && !skipping && !document.hidden;
  return watches ? { "X-Part": "1", "X-Seen-Turns": String(seen) } : { "X-Part": "1" };
};

// A response has the plays since those that were seen, and the table as it stands after them.
function shown(html, mine) {
  newest = mine;
  const parts = parse(html);
  const scenes = parts.querySelector("[data-scenes]");
  const fresh = [...scenes?.children ?? []].filter((one) => Number(one.dataset.scene) > seen);
  seen = Number(scenes?.dataset.turns ?? seen);
  more = scenes?.dataset.more === "yes";
  plays.add(looking ? [] : fresh, parts);
}

let more = false; // whether the last response had no room for further plays
let skipping = false; // over all plays up to the next decision
const lock = answerLock(main);
const interval = pace(document.getElementById("pace"), skip);
const plays = playback({
  interval,
  show(scene) {
    const changed = place(scene, PAST);
    curve.show(main, Number(scene.dataset.scene));
    if (changed.includes("latest_play")) announce();
  },
  waiting(on) {
    main.toggleAttribute("data-playing", on);
    if (on) showWaiting();
  },
  ended(parts) {
    if (more) return refreshSoon();
    skipping = false;
    const changed = place(parts);
    const begun = Boolean(main.querySelector('[data-part="field"]').firstElementChild);
    for (const id of ["panels", "pbp", "figures"]) document.getElementById(id).hidden = !begun;
    if (begun) main.querySelector('[data-part="pregame"]').replaceChildren();
    if (changed.includes("latest_play")) announce();
    if (changed.includes("talk")) live.textContent = main.querySelector(".messages li:last-child")?.textContent ?? "";
    renewPanels();
    renewCurve();
  },
});

const curve = winCurve(document.getElementById("curve"), slider, `${base}/curve`);
const shownTurn = () => (looking ? Number(slider.value) : seen);
function renewCurve() {
  curve.show(main, shownTurn());
  if (seen) curve.load().then(() => curve.show(main, shownTurn())).catch(() => {});
}

function skip() {
  skipping = plays.running;
  plays.skip();
}

// While plays are shown, the answered question is gone and the next one has not come.
function showWaiting() {
  const line = document.createElement("p");
  line.className = "waits";
  line.innerHTML = '<span class="pulse" aria-hidden="true"></span>Watch the play …'
    + ` <button type="button" data-skip>${main.dataset.skip} <kbd>Esc</kbd></button>`;
  main.querySelector('[data-part="question"]').replaceChildren(line);
  main.querySelector('[data-part="game_sheet"]').replaceChildren();
  for (const name of ["question", "game_sheet"]) was.delete(name);
}

function announce() {
  const latest = main.querySelector('[data-part="latest_play"]');
  const board = main.querySelector(".clock")?.textContent.trim() ?? "";
  const banner = main.querySelector(".banner")?.textContent.trim() ?? "";
  const sentences = latest.querySelector(".sentences")?.textContent.trim() ?? "";
  live.textContent = [banner, sentences, board].filter(Boolean).join(" ");
}

function prepare() {
  pickDice(...["game_sheet", "question"].map((name) => main.querySelector(`[data-part="${name}"]`)));
  for (const field of main.querySelectorAll("[data-random]")) {
    if (field.value) continue;
    const random = crypto.getRandomValues(new Uint32Array(3));
    field.value = [...random].map((one) => one.toString(36)).join("-");
  }
  whole(main);
}

function showError(message) {
  toast.textContent = message.charAt(0).toUpperCase() + message.slice(1);
  toast.hidden = false;
  clearTimeout(showError.timer);
  showError.timer = setTimeout(() => { toast.hidden = true; }, 6000);
}

// --- Forms -----------------------------------------------------------------------------------

const isAnswer = (form) => /\/table\/[^/]+\/(answer|roll)$/.test(form.action); // to a question of the game

async function send(form, button) {
  if (busy || (isAnswer(form) && lock.isLocked)) return;
  if (isAnswer(form)) lock.answer();
  busy = true;
  const mine = ++asks;
  form.setAttribute("aria-busy", "true");
  const fields = new URLSearchParams(new FormData(form, button ?? undefined));
  try {
    const response = await fetch(form.action, {
      method: "POST",
      headers: asksFor(),
      body: fields,
    });
    const text = await response.text();
    if (response.ok) {
      toast.hidden = true;
      if ("reset" in form.dataset) form.reset();
      if (form.dataset.into) into(form.dataset.into, text);
      else shown(text, mine);
      stream.resume(); // the stream of a finished game has ended, and an undo resumes it
    } else {
      showError(JSON.parse(text).detail);
      if (response.status === 409) refreshSoon();
    }
  } catch {
    showError("Can’t reach the server. Nothing was changed.");
  } finally {
    busy = false;
    form.removeAttribute("aria-busy");
  }
}

function into(name, html) {
  const part = parse(html).querySelector('[data-part="invited"]');
  const here = main.querySelector(`[data-part="${name}"]`);
  here.replaceChildren(...document.adoptNode(part).childNodes);
  const field = here.querySelector("input");
  field.id = `link-${name}`;
  here.querySelector("[data-copy]").dataset.copy = `#link-${name}`;
  field.focus();
  field.select();
}

main.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-live], [data-into]")) return;
  event.preventDefault();
  send(form, event.submitter);
});

main.addEventListener("click", (event) => {
  if (event.target.closest("button[data-skip]")) skip();
  const moment = event.target.closest("[data-turn]");
  if (moment) goTo(slider, Number(moment.dataset.turn));
});

// --- Keys ------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.matches("input:not([type=range]):not([type=checkbox]), select, textarea")) return;
  const asked = main.querySelector('[data-part="question"]');
  const pressed = event.key.toLowerCase();
  if (pressed === "escape") return skip();
  const chosen = [...asked.querySelectorAll("[data-key]:not([hidden]), [data-face]")]
    .find((one) => one.dataset.key === pressed || (typed.length === 0 && one.dataset.face === pressed));
  const whole = event.target.matches("button, a, summary");
  if (pressed === "enter" && !whole) asked.querySelector("[data-default]")?.click();
  else if (pressed === "u") main.querySelector('[data-command="u"]')?.click();
  else if (pressed === "?") toggle("odds");
  else if (pressed === "h") toggle("help");
  else if (pressed === "b") toggle("box");
  else if (asked.querySelector("[data-face]") && /^[0-9-]$/.test(pressed)) face(pressed, asked);
  else if (chosen) chosen.click();
  else return;
  if (pressed !== "enter" || !whole) event.preventDefault();
});

const typed = [];
function face(digit, asked) {
  typed.push(digit);
  clearTimeout(face.timer);
  const all = [...asked.querySelectorAll("[data-face]")].map((one) => one.dataset.face);
  const fits = all.filter((one) => one.startsWith(typed.join("")));
  const done = () => {
    const wanted = typed.splice(0).join("");
    asked.querySelector(`[data-face="${wanted}"]`)?.click();
  };
  if (fits.length === 0) typed.length = 0;
  else if (fits.length === 1 && fits[0] === typed.join("")) done();
  else face.timer = setTimeout(done, 700);
}

// --- Panels ----------------------------------------------------------------------------------

function toggle(name) {
  const panel = main.querySelector(`[data-panel="${name}"]`);
  if (!panel) return;
  panel.open = !panel.open;
  if (panel.open) panel.querySelector("summary").focus();
}

async function fill(panel) {
  const body = panel.querySelector(".panel-body");
  if (panel.dataset.panel === "odds" && !main.querySelector(".question")) {
    body.textContent = "The odds come with your next decision.";
    return;
  }
  if (!body.firstChild) body.textContent = "Loading …";
  try {
    const response = await fetch(`${base}/${panel.dataset.panel}`, { headers: { "X-Part": "1" } });
    if (response.ok) body.innerHTML = await response.text();
    else body.textContent = `${(await response.json()).detail}.`;
  } catch {
    body.textContent = "Can’t reach the server.";
  }
}

function renewPanels() {
  for (const panel of main.querySelectorAll(".panel[open]")) {
    fill(panel);
  }
}

for (const panel of main.querySelectorAll(".panel")) {
  panel.addEventListener("toggle", () => { if (panel.open) fill(panel); });
}

// --- Back through the game ---------------------------------------------------------------------

slider.addEventListener("input", async () => {
  const at = Number(slider.value);
  looking = at < Number(slider.max);
  document.getElementById("turn-status").value = looking ? `turn ${at} of ${slider.max}` : "now";
  main.classList.toggle("back", looking);
  markMoment(at);
  if (!looking) return refresh();
  const response = await fetch(`${base}/at/${at}`, { headers: { "X-Part": "1" } });
  if (!response.ok || Number(slider.value) !== at) return;
  place(parse(await response.text()), PAST);
  curve.show(main, at);
});

// The log follows the slider: the play that led to the moment on the field is marked.
function markMoment(at) {
  const lines = [...main.querySelectorAll(".to-turn")];
  const chosen = looking && lines.findLast((one) => Number(one.dataset.turn) >= at);
  for (const one of lines) one.toggleAttribute("data-chosen", one === chosen);
  if (chosen) chosen.scrollIntoView({ block: "nearest" });
}

function slide(turns) {
  slider.max = turns;
  if (!looking) slider.value = turns;
  document.getElementById("timeline").hidden = turns < 2;
}

// --- The stream --------------------------------------------------------------------------------

let waiting = null;
function refreshSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(() => { if (!busy) refresh().catch(() => {}); else refreshSoon(); }, 60);
}

let tableVersion = null;
const stream = follow(key, Number(main.dataset.number), {
  happening(feedEvent) {
    if (feedEvent.kind === "turn") slide(feedEvent.turn);
    if (feedEvent.kind === "undo") slide(feedEvent.turn - 1);
    refreshSoon();
  },
  table({ version, spectators }) {
    const watching = document.getElementById("spectators");
    watching.textContent = spectators === 1 ? "1 spectator" : `${spectators} spectators`;
    watching.hidden = !spectators;
    if (version !== tableVersion) refreshSoon();
    tableVersion = version;
  },
  lost(isLost) {
    main.classList.toggle("lost", isLost);
    if (isLost) tableVersion = null; // another server may answer next, which counts its own versions
  },
});

lock.lock();
prepare();
const kickOff = main.querySelector("form[data-kick-off]");
if (kickOff) send(kickOff); // no opponent to wait for
slide(Number(slider.max));
renewCurve();
if (document.activeElement === document.body) {
  for (const name of ["question", "pregame"]) {
    firstIn(main.querySelector(`[data-part="${name}"]`))?.focus({ preventScroll: true });
  }
}
