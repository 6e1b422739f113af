// The what-if form: a slider next to every number, the new shares on 1st & 10, and a summary of
// the changes. Without this script the form sends the numbers alone.
const form = document.getElementById("whatif");
const changed = document.getElementById("changed");
const slides = form ? [...form.querySelectorAll(".slide")] : [];
const points = new Map(); // by what a slide changes
const now = new Map();

function percent(part) {
  return `${Math.round(part * 100)} %`;
}

// As the plan does it: the group gains a share, the others shrink in proportion.
function reshare(shares, group, more) {
  const mine = group.reduce((sum, call) => sum + shares.get(call), 0);
  const wanted = Math.min(1, Math.max(0, mine + more));
  if (mine >= 1 || (mine === 0 && group.length > 1)) return shares;
  return new Map([...shares].map(([call, share]) => {
    if (!group.includes(call)) return [call, (share * (1 - wanted)) / (1 - mine)];
    return [call, mine ? (share * wanted) / mine : wanted];
  }));
}

function sharesOf(kind) {
  return new Map([...now].filter(([what]) => what.startsWith(`${kind} `)));
}

function after() {
  let plays = sharesOf("play");
  const passes = [...plays.keys()].filter((what) => /pass|screen/.test(what));
  plays = reshare(plays, passes, points.get("passes"));
  for (const what of plays.keys()) plays = reshare(plays, [what], points.get(what));
  let formations = sharesOf("formation");
  formations.set("blitzes", now.get("blitzes"));
  formations = reshare(formations, ["blitzes"], points.get("blitzes"));
  for (const what of formations.keys()) {
    if (what !== "blitzes") formations = reshare(formations, [what], points.get(what));
  }
  const hurry = Math.min(1, Math.max(0, now.get("tempo") + points.get("tempo")));
  const thrown = passes.reduce((sum, what) => sum + plays.get(what), 0);
  return new Map([...plays, ...formations, ["tempo", hurry], ["passes", thrown]]);
}

function named(slide) {
  return slide.querySelector("label").textContent.toLowerCase();
}

function change(more, what) {
  const unit = Math.abs(more) === 1 ? "percentage point" : "percentage points";
  return `${Math.abs(more)} ${unit} ${more > 0 ? "more" : "fewer"} ${what}`;
}

function fourth() {
  const rule = form.elements.fourth;
  if (rule.value === "real") return [];
  const most = form.elements["fourth-to-go-most"].value;
  const where = most ? ` on 4th & ${most}${most === "1" ? "" : " or less"}` : " on fourth down";
  return [`${rule.selectedOptions[0].textContent.split(":")[0].trim()}${where}`];
}

function rules() {
  return [...form.querySelectorAll(".rule-row")].flatMap((row) => {
    const field = (name) => row.querySelector(`[name$="-${name}"]`);
    const more = Number(field("points").value);
    if (!more) return [];
    const what = field("what").selectedOptions[0].textContent;
    const down = field("down").value ? ` on ${field("down").selectedOptions[0].textContent}` : "";
    return [`${change(more, what)}${down}`];
  });
}

function show() {
  for (const slide of slides) {
    points.set(slide.dataset.slide, (Number(slide.querySelector("[type=number]").value) || 0) / 100);
  }
  const then = after();
  const changes = [];
  for (const slide of slides) {
    const what = slide.dataset.slide;
    const [was, is] = [percent(now.get(what)), percent(then.get(what))];
    slide.querySelector("output").textContent = was === is ? was : `${was} → ${is}`;
    slide.classList.toggle("moved", points.get(what) !== 0);
    const more = Math.round(points.get(what) * 100);
    if (more) changes.push(change(more, named(slide)));
  }
  changes.push(...fourth(), ...rules());
  changed.hidden = !changes.length;
  changed.textContent = changes.length ? `Changed: ${changes.join("; ")}.` : "";
}

for (const slide of slides) {
  now.set(slide.dataset.slide, Number(slide.dataset.now));
  const number = slide.querySelector("[type=number]");
  const range = document.createElement("input");
  Object.assign(range, { type: "range", min: -40, max: 40, step: 1, value: 0 });
  range.setAttribute("aria-label", `${slide.querySelector("label").textContent}, change in percentage points`);
  slide.insertBefore(range, number);
  range.addEventListener("input", () => {
    number.value = range.value === "0" ? "" : range.value;
    show();
  });
  number.addEventListener("input", () => {
    range.value = number.value || 0;
  });
}
if (form) {
  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(show));
  form.classList.add("live");
  show();
  // Browsers restore what was typed at about this time when somebody returns to the page.
  addEventListener("pageshow", () => setTimeout(() => {
    for (const slide of slides) {
      const number = slide.querySelector("[type=number]");
      slide.querySelector("[type=range]").value = number.value || 0;
    }
    show();
  }));
}
