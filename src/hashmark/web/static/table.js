// The table: forms are sent in the background, changed parts are replaced, a stream says when.
import { whole } from "./copy.js";
import { pickDice } from "./dice.js";
import { follow } from "./stream.js";

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

// --- Parts -----------------------------------------------------------------------------------

const was = new Map(); // each part as the server has last rendered it
for (const part of main.querySelectorAll("[data-part]")) was.set(part.dataset.part, part.innerHTML);

function place(html, only) {
  const made = new DOMParser().parseFromString(html, "text/html");
  const [changed, focus] = [[], []];
  for (const part of made.querySelectorAll("body > [data-part]")) {
    const name = part.dataset.part;
    if (looking && PAST.includes(name) && !only) continue;
    const here = main.querySelector(`[data-part="${name}"]`);
    if (!here || was.get(name) === part.innerHTML) continue;
    was.set(name, part.innerHTML);
    const had = here.contains(document.activeElement);
    const open = [...here.querySelectorAll("details")].map((one) => one.open);
    const message = here.querySelector(".write input")?.value; // being typed
    here.replaceChildren(...document.adoptNode(part).childNodes);
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
  const response = await fetch(`${base}/parts`, { headers: { "X-Part": "1" } });
  const html = await response.text();
  if (!response.ok || mine < newest) return;
  if (busy) refreshSoon();
  else shown(html, mine);
}

function shown(html, mine) {
  newest = mine;
  const changed = place(html);
  const begun = Boolean(main.querySelector('[data-part="field"]').firstElementChild);
  for (const id of ["panels", "pbp"]) document.getElementById(id).hidden = !begun;
  if (begun) main.querySelector('[data-part="pregame"]').replaceChildren();
  if (changed.includes("latest_play")) announce();
  if (changed.includes("talk")) live.textContent = main.querySelector(".messages li:last-child")?.textContent ?? "";
  renewPanels();
}

function announce() {
  const latest = main.querySelector('[data-part="latest_play"]');
  const board = main.querySelector(".clock")?.textContent.trim() ?? "";
  live.textContent = `${latest.querySelector(".sentences")?.textContent.trim() ?? ""} ${board}`;
  const tray = latest.querySelector(".tray");
  if (tray && !("still" in document.documentElement.dataset)) {
    tray.classList.add("rolling");
    setTimeout(() => tray.classList.remove("rolling"), 700);
  }
}

function prepare() {
  pickDice(...["game_sheet", "question"].map((name) => main.querySelector(`[data-part="${name}"]`)));
  const still = document.getElementById("still");
  if (still) still.checked = "still" in document.documentElement.dataset;
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

async function send(form, button) {
  if (busy) return;
  busy = true;
  const mine = ++asks;
  form.setAttribute("aria-busy", "true");
  const fields = new URLSearchParams(new FormData(form, button ?? undefined));
  try {
    const response = await fetch(form.action, {
      method: "POST",
      headers: { "X-Part": "1" },
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
  const made = new DOMParser().parseFromString(html, "text/html");
  const part = made.querySelector('[data-part="invited"]');
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

// --- Keys ------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.matches("input:not([type=range]):not([type=checkbox]), select, textarea")) return;
  const asked = main.querySelector('[data-part="question"]');
  const pressed = event.key.toLowerCase();
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
    if (panel.dataset.panel === "odds") panel.open = false; // they were of another question
    else fill(panel);
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
  if (!looking) return refresh();
  const response = await fetch(`${base}/at/${at}`, { headers: { "X-Part": "1" } });
  if (response.ok && Number(slider.value) === at) place(await response.text(), PAST);
});

function slide(turns) {
  slider.max = turns;
  if (!looking) slider.value = turns;
  document.getElementById("slider").hidden = turns < 2;
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

prepare();
const kickOff = main.querySelector("form[data-kick-off]");
if (kickOff) send(kickOff); // nobody to wait for
slide(Number(slider.max));
if (document.activeElement === document.body) {
  for (const name of ["question", "pregame"]) {
    firstIn(main.querySelector(`[data-part="${name}"]`))?.focus({ preventScroll: true });
  }
}
