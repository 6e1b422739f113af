// Dice that are picked on the paper: a call that takes dice is chosen die by die, then laid.
// The choices are buttons of the paper anyway; here only those are shown that fit what is picked,
// and the same answers among the question's own are put away. A die that cannot be picked stays a
// button: it says why.
const FEW = 6; // choices that are shown side by side

export function pickDice(sheet, question) {
  const choices = [...sheet.querySelectorAll(".part-choices button[data-dice]")];
  const calls = new Set(choices.map((one) => one.value));
  putAway(question, calls);
  if (!choices.length || sheet.querySelector(".picks")) return;
  const named = new Set(choices.flatMap(diceOf));
  const all = [...sheet.querySelectorAll(".part-tray [data-die]")].map((one) => toggle(one, named.has(one.dataset.die)));
  const dice = all.filter((one) => one.ariaPressed);
  if (!dice.length) return;
  const list = choices[0].closest("ul");
  const note = sheet.querySelector(".pick-rule");
  const rule = note?.textContent ?? "";
  note?.remove();
  const status = document.createElement("p");
  status.className = "picks part-note";
  status.setAttribute("role", "status");
  list.before(status);
  const show = () => narrow(dice, choices, status, rule);
  for (const die of all) {
    die.addEventListener("click", () => {
      const refused = pick(die, dice, choices);
      show();
      if (refused) status.textContent = `${refused} ${rule}`;
      status.toggleAttribute("data-refused", Boolean(refused));
    });
  }
  show();
}

const diceOf = (choice) => choice.dataset.dice.split(" ");
const isPicked = (die) => die.ariaPressed === "true";
const labelOf = (die) => die.dataset.label || die.dataset.die;
const fit = (choices, dice) => choices.filter((one) => dice.every((die) => diceOf(one).includes(die.dataset.die)));
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const listed = (dice) => new Intl.ListFormat("en-US").format(dice.map(labelOf));

function putAway(question, calls) {
  const answers = [...question.querySelectorAll(".answers button[name=call]")];
  for (const one of answers) one.hidden = calls.has(one.value);
  const hint = question.querySelector(".pick-hint");
  if (hint) hint.hidden = !answers.some((one) => one.hidden);
}

function toggle(die, takes) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = die.className;
  for (const name of ["die", "label"]) if (die.dataset[name]) button.dataset[name] = die.dataset[name];
  if (takes) button.ariaPressed = "false";
  else button.ariaDisabled = "true";
  button.append(...die.childNodes);
  die.replaceWith(button);
  return button;
}

// Picks or puts back a die; returns why it cannot be picked, if so. What was picked stays picked.
function pick(die, dice, choices) {
  if (!die.ariaPressed) return `The ${labelOf(die)} cannot be picked now.`;
  const others = dice.filter((one) => isPicked(one) && one !== die);
  if (!isPicked(die) && !fit(choices, [...others, die]).length) {
    return `The ${labelOf(die)} does not go with the ${listed(others)}; put one back first.`;
  }
  die.ariaPressed = String(!isPicked(die));
  return "";
}

function narrow(dice, choices, status, rule) {
  const taken = dice.filter(isPicked);
  const left = taken.length ? fit(choices, taken) : [];
  const shown = left.length <= FEW ? left : left.filter((one) => diceOf(one).length === taken.length);
  for (const one of choices) one.closest("li").hidden = !shown.includes(one);
  const named = capital(listed(taken));
  if (!taken.length) status.textContent = `Pick a die to see your options. ${rule}`.trim();
  else if (left.length > shown.length) status.textContent = `${named}: ${left.length} options; pick another die.`;
  else status.textContent = left.length === 1 ? `${named}: press the button to confirm.` : `${named}: ${left.length} options.`;
}
