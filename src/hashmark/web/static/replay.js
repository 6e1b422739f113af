// A finished game, turn by turn; without this script the buttons are links.
import { whole } from "./copy.js";

const STEP_MS = 1600;
const main = document.getElementById("main");
const slider = document.getElementById("turn");
const status = document.getElementById("turn-status");
const play = document.getElementById("play");
let timer = null;

async function show(turn) {
  const at = Math.max(0, Math.min(turn, Number(slider.max)));
  slider.value = at;
  const response = await fetch(`/table/${main.dataset.table}/at/${at}`, { headers: { "X-Part": "1" } });
  if (!response.ok || Number(slider.value) !== at) return;
  const made = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const part of made.querySelectorAll("[data-part]")) {
    main.querySelector(`[data-part="${part.dataset.part}"]`)
      .replaceChildren(...document.adoptNode(part).childNodes);
  }
  status.value = `Turn ${at} of ${slider.max}`;
  history.replaceState(null, "", `?turn=${at}`);
}

const showSafely = (turn) => show(turn).catch(() => { status.value = "Can’t reach the server."; });

function stop() {
  clearInterval(timer);
  timer = null;
  play.textContent = "Play";
  play.ariaPressed = "false";
}

function start() {
  if (slider.value === slider.max) slider.value = 0;
  timer = setInterval(() => {
    if (slider.value === slider.max) stop();
    else showSafely(Number(slider.value) + 1);
  }, STEP_MS);
  play.textContent = "Pause";
  play.ariaPressed = "true";
}

main.addEventListener("click", (event) => {
  const link = event.target.closest("[data-turn], [data-step]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  stop();
  const { turn, step } = link.dataset;
  showSafely(turn === undefined ? Number(slider.value) + Number(step) : Number(turn));
});
slider.addEventListener("input", () => { stop(); showSafely(Number(slider.value)); });
play.addEventListener("click", () => { if (timer) stop(); else start(); });
slider.hidden = play.hidden = false;
whole(main);
