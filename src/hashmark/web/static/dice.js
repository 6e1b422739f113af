// Dice that are picked on the paper: a call that takes dice is chosen die by die, then laid.
// The choices are buttons of the paper anyway; here only those are shown that fit what is picked,
// and the same answers among the question's own are put away.
const FEW = 6; // choices that are shown side by side

export function pickDice(paper, question) {
  const choices = [...paper.querySelectorAll(".part-choices button[data-dice]")];
  const calls = new Set(choices.map((one) => one.value));
  putAway(question, calls);
  if (!choices.length || paper.querySelector(".picks")) return;
  const named = new Set(choices.flatMap(diceOf));
  const dice = [...paper.querySelectorAll(".part-tray [data-die]")]
    .filter((one) => named.has(one.dataset.die)).map(toggle);
  if (!dice.length) return;
  const said = document.createElement("p");
  said.className = "picks part-note";
  said.setAttribute("role", "status");
  choices[0].closest("ul").before(said);
  const show = () => narrow(dice, choices, said);
  for (const die of dice) die.addEventListener("click", () => { pick(die, dice, choices); show(); });
  show();
}

const diceOf = (choice) => choice.dataset.dice.split(" ");
const picked = (dice) => dice.filter((one) => one.ariaPressed === "true").map((one) => one.dataset.die);
const fit = (choices, names) => choices.filter((one) => names.every((name) => diceOf(one).includes(name)));

function putAway(question, calls) {
  const answers = [...question.querySelectorAll(".answers button[name=call]")];
  for (const one of answers) one.hidden = calls.has(one.value);
  const hint = question.querySelector(".pick-hint");
  if (hint) hint.hidden = !answers.some((one) => one.hidden);
}

function toggle(die) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = die.className;
  made.dataset.die = die.dataset.die;
  made.ariaPressed = "false";
  made.append(...die.childNodes);
  die.replaceWith(made);
  return made;
}

// A die that goes with none of those picked before begins anew: nobody gets stuck.
function pick(die, dice, choices) {
  die.ariaPressed = String(die.ariaPressed !== "true");
  if (fit(choices, picked(dice)).length) return;
  for (const one of dice) one.ariaPressed = String(one === die);
}

function narrow(dice, choices, said) {
  const names = picked(dice);
  const left = names.length ? fit(choices, names) : [];
  const shown = left.length <= FEW ? left : left.filter((one) => diceOf(one).length === names.length);
  for (const one of choices) one.closest("li").hidden = !shown.includes(one);
  const more = left.length - shown.length;
  if (!names.length) said.textContent = "Pick a die to see what can be done with it.";
  else if (more) said.textContent = `${names.join(", ")}: ${left.length} ways, pick another die.`;
  else said.textContent = left.length === 1 ? `${names.join(", ")}: press to do it.` : `${names.join(", ")}: ${left.length} ways.`;
}
