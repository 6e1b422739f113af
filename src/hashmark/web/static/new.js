// A new game: what can be picked follows what was picked before.
const form = document.getElementById("new-game");
const picks = document.getElementById("picks");

async function renew() {
  const chosen = new URLSearchParams();
  for (const one of picks.querySelectorAll("[data-pick]")) chosen.set(one.dataset.pick, one.value);
  const against = form.elements.against.value;
  const coach = `coach:${form.elements.coach.value}`; // one of the radio buttons, or of the list
  const other = against === "coach" || against === "watch" ? coach : "human";
  const me = against === "watch" ? coach : "human";
  const away = form.elements.side?.value === "away";
  chosen.set("home", away ? other : me);
  chosen.set("away", away ? me : other);
  const focused = document.activeElement?.dataset?.pick;
  const answer = await fetch(`/new/${form.dataset.rules}/picks?${chosen}`);
  if (!answer.ok) return;
  picks.innerHTML = await answer.text();
  picks.querySelector(`[data-pick="${focused}"]`)?.focus();
}

if (picks) form.addEventListener("change", (event) => {
  if (event.target.matches("[data-pick], [name=against], [name=coach], [name=side]")) renew();
});
