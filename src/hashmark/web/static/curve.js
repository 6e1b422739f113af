// Win probability: the curve above the slider, and the chance of the turn that is shown.
export function winCurve(box, slider, address) {
  let points = []; // [turn, text], in order
  let turns = 1;

  async function load() {
    const response = await fetch(address, { headers: { "X-Part": "1" } });
    if (!response.ok) return;
    box.innerHTML = await response.text();
    const data = box.firstElementChild.dataset;
    points = JSON.parse(data.chances);
    turns = Math.max(1, Number(data.turns));
    box.hidden = !box.querySelector("svg");
    const mark = document.createElement("span");
    mark.className = "curve-mark";
    box.append(mark);
  }

  // A click on the curve goes to that place in the game, as the slider does.
  box.addEventListener("click", (event) => {
    const { left, width } = box.getBoundingClientRect();
    goTo(slider, Math.round(((event.clientX - left) / width) * turns));
  });

  return {
    load,
    show(board, turn) {
      const text = points.findLast(([at]) => at <= turn)?.[1] ?? "";
      const place = board.querySelector(".chance");
      if (place) place.textContent = text;
      box.querySelector(".curve-mark")?.style.setProperty("left", `${(100 * turn) / turns}%`);
    },
  };
}

export function goTo(slider, turn) {
  slider.value = Math.min(turn, Number(slider.max));
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}
