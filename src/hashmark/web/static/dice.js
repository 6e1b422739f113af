// Dice that are picked on the paper: a call that takes dice is chosen die by die, then laid.
// The choices are buttons of the paper anyway; here only those are shown that fit what is picked,
// and the same answers among the question's own are put away.
const FEW = 6; // choices that are shown side by side

export function pickDice(sheet, question) {
  const choices = [...sheet.querySelectorAll(".part-choices button[data-dice]")];
  const calls = new Set(choices.map((one) => one.value));
  putAway(question, calls);
  if (!choices.length || sheet.querySelector(".picks")) return;
  const named = new Set(choices.flatMap(diceOf));
  const dice = [...sheet.querySelectorAll(".part-tray [data-die]")]
    .filter((one) => named.has(one.dataset.die)).map(toggle);
  if (!dice.length) return;
  const status = document.createElement("p");
  status.className = "picks part-note";
  status.setAttribute("role", "status");
  choices[0].closest("ul").before(status);
  const show = () => narrow(dice, choices, status);
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
  const button = document.createElement("button");
  button.type = "button";
  button.className = die.className;
  button.dataset.die = die.dataset.die;
  button.ariaPressed = "false";
  button.append(...die.childNodes);
  die.replaceWith(button);
  return button;
}

// A die that goes with none of those picked before begins anew: nobody gets stuck.
function pick(die, dice, choices) {
  die.ariaPressed = String(die.ariaPressed !== "true");
  if (fit(choices, picked(dice)).length) return;
  for (const one of dice) one.ariaPressed = String(one === die);
}

function narrow(dice, choices, status) {
  const names = picked(dice);
  const left = names.length ? fit(choices, names) : [];
  const shown = left.length <= FEW ? left : left.filter((one) => diceOf(one).length === names.length);
  for (const one of choices) one.closest("li").hidden = !shown.includes(one);
  const more = left.length - shown.length;
  if (!names.length) status.textContent = "Pick a die to see your options.";
  else if (more) status.textContent = `${names.join(", ")}: ${left.length} options; pick another die.`;
  else status.textContent = left.length === 1 ? `${names.join(", ")}: press the button to confirm.` : `${names.join(", ")}: ${left.length} options.`;
}
