// A work that goes on: how far it is, as it happens; when it has ended, the page of its result.
import "./times.js";

const main = document.getElementById("main");
const says = document.getElementById("work-says");
const bar = document.getElementById("work-bar");
const count = new Intl.NumberFormat("en");

function show(told) {
  if (told.stopping) {
    says.textContent = "It is being stopped.";
  } else if (told.state === "waiting") {
    bar.removeAttribute("value");
    says.textContent = told.before
      ? `${told.before} ${told.before === 1 ? "work goes" : "works go"} first.` : "It is next.";
  } else if (told.total) {
    bar.max = told.total;
    bar.value = told.done;
    says.textContent = `${count.format(told.done)} of ${count.format(told.total)}`;
  } else {
    says.textContent = "It is being prepared.";
  }
}

if (bar) {
  const stream = new EventSource(`/api/works/${main.dataset.work}/stream`);
  stream.addEventListener("work", (event) => {
    const told = JSON.parse(event.data);
    if (told.state === "waiting" || told.state === "running") show(told);
    else {
      stream.close();
      location.reload();
    }
  });
  stream.onerror = () => document.body.classList.toggle("lost", stream.readyState !== EventSource.OPEN);
  stream.onopen = () => document.body.classList.remove("lost");
}
