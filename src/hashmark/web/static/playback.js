// Playback: the plays since the last decision, one at a time, and the pace that the player chose.
const MILLISECONDS = { normal: 1400, fast: 650, straight: 0, off: 0 }; // per play
const BANNER_FACTOR = 1.6; // a touchdown stays a little longer
const MOVE_MILLISECONDS = 700; // the ball's way along the field
const KEY = "pace";

const stored = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
const store = (key, value) => { try { localStorage.setItem(key, value); } catch { /* not kept */ } };
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const isStill = () => calm.matches || "still" in document.documentElement.dataset;

// The control: remembered in this browser. Without a choice, people who want less motion see none.
export function pace(select, onChange) {
  const chosen = stored(KEY);
  select.value = chosen in MILLISECONDS ? chosen : calm.matches ? "straight" : "normal";
  const apply = () => document.documentElement.toggleAttribute("data-still", select.value === "off");
  select.addEventListener("change", () => { store(KEY, select.value); apply(); onChange(); });
  apply();
  return () => MILLISECONDS[select.value];
}

// `show(scene)` shows one play, `waiting(on)` says that more follow, `ended(html)` shows the table.
export function playback({ interval, show, waiting, ended }) {
  const queue = [];
  let [last, wake, running, skips] = [null, null, false, false];

  async function run() {
    running = true;
    waiting(true);
    while (queue.length && !skips) {
      const scene = queue.shift();
      show(scene);
      const factor = scene.querySelector(".banner") ? BANNER_FACTOR : 1;
      await new Promise((done) => { wake = done; setTimeout(done, interval() * factor); });
    }
    queue.length = 0;
    [running, skips, wake] = [false, false, null];
    waiting(false);
    ended(last);
  }

  return {
    get running() { return running; },
    // Take the plays of a response and the table as it stands after them.
    add(scenes, parts) {
      last = parts;
      if (interval() && !document.hidden) queue.push(...scenes);
      if (!running && queue.length) run();
      else if (!running) ended(last);
    },
    skip() {
      if (!running) return;
      skips = true;
      wake?.();
    },
  };
}

// --- Motion --------------------------------------------------------------------------------

export const ballPlace = (part) => {
  const numbers = part.querySelector(".ball-spot")?.getAttribute("transform")?.match(/-?[\d.]+/g);
  return numbers?.map(Number);
};

// The ball moves from where it was, and a banner appears.
export function moveBall(part, from) {
  const ball = part.querySelector(".ball-spot");
  const to = ballPlace(part);
  if (isStill() || !from || !to || (from[0] === to[0] && from[1] === to[1])) return;
  const at = ([x, y]) => ({ transform: `translate(${x}px, ${y}px)` });
  const middle = at([(from[0] + to[0]) / 2, Math.min(from[1], to[1]) - 34]);
  ball.animate([at(from), middle, at(to)], { duration: MOVE_MILLISECONDS, easing: "ease-in-out" });
}

export function rollDice(part) {
  const tray = part.querySelector(".tray");
  if (!tray || isStill()) return;
  tray.classList.add("rolling");
  setTimeout(() => tray.classList.remove("rolling"), MOVE_MILLISECONDS);
}

export function raiseBanner(part) {
  if (!isStill()) part.querySelector(".banner")?.classList.add("appears");
}
