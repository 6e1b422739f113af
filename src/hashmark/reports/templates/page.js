"use strict";
// Optional: sorts tables, and shows the value under the pointer on a chart.
(() => {
  // --- Tables -------------------------------------------------------------------------------
  const words = new Intl.Collator("en", { numeric: true });

  function compare(one, other, up) {
    if (one === other) return 0;
    if (one === "" || other === "") return one === "" ? 1 : -1; // nothing comes last
    const order = typeof one === "number" && typeof other === "number"
      ? one - other : words.compare(String(one), String(other));
    return up ? order : -order;
  }

  function sort(table, at) {
    const head = table.tHead.rows[0].cells[at];
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => {
      const cell = row.cells[at];
      const value = cell.dataset.value;
      return { row, value: value === undefined ? cell.textContent.trim() : Number(value) };
    });
    const counts = rows.some((one) => typeof one.value === "number");
    const sorted = head.getAttribute("aria-sort");
    const up = sorted ? sorted === "descending" : !counts; // the most first, names from A
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    rows.sort((one, other) => compare(one.value, other.value, up));
    body.append(...rows.map((one) => one.row));
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    if (table.tBodies[0].rows.length < 2) continue;
    [...table.tHead.rows[0].cells].forEach((head, at) => {
      if (!head.textContent.trim()) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, at));
      head.append(button);
    });
  }

  // --- Charts -------------------------------------------------------------------------------
  const NEAR = 22; // pixels: how far a finger may miss
  const reading = document.createElement("div");
  reading.className = "reading";
  reading.setAttribute("role", "status");
  document.body.append(reading);
  let shown = null;

  function place() {
    const box = shown.getBoundingClientRect();
    const [wide, tall] = [reading.offsetWidth, reading.offsetHeight];
    const left = box.left + box.width / 2 - wide / 2;
    const over = box.top - tall - 8;
    reading.style.left = `${Math.max(4, Math.min(left, innerWidth - wide - 4))}px`;
    reading.style.top = `${over > 4 ? over : box.bottom + 8}px`;
  }

  function show(datum) {
    if (shown === datum) return;
    if (shown) shown.classList.remove("on");
    shown = datum;
    reading.textContent = datum ? datum.dataset.said : "";
    if (!datum) return;
    datum.classList.add("on");
    place();
  }

  function away(datum, x, y) {
    const box = datum.getBoundingClientRect();
    return Math.hypot(Math.max(box.left - x, 0, x - box.right),
      Math.max(box.top - y, 0, y - box.bottom));
  }

  function pointed(data, event) {
    const under = event.target.closest(".datum");
    if (under) return under;
    const far = data.map((datum) => away(datum, event.clientX, event.clientY));
    const least = Math.min(...far);
    return least <= NEAR ? data[far.indexOf(least)] : null;
  }

  function step(data, key) {
    const at = data.indexOf(shown);
    if (key === "ArrowRight" || key === "ArrowDown") return data[Math.min(at + 1, data.length - 1)];
    if (key === "ArrowLeft" || key === "ArrowUp") return data[Math.max(at - 1, 0)];
    if (key === "Home") return data[0];
    if (key === "End") return data[data.length - 1];
    return undefined;
  }

  for (const chart of document.querySelectorAll("svg.chart")) {
    const data = [...chart.querySelectorAll(".datum")];
    if (!data.length) continue;
    for (const datum of data) {
      const title = datum.querySelector("title");
      datum.dataset.said = title.textContent;
      title.remove(); // or the browser would show it a second time
    }
    chart.tabIndex = 0;
    for (const moved of ["pointermove", "pointerdown"]) {
      chart.addEventListener(moved, (event) => show(pointed(data, event)));
    }
    chart.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") show(null);
    });
    chart.addEventListener("focus", () => {
      if (chart.matches(":focus-visible") && !data.includes(shown)) show(data[0]);
    });
    chart.addEventListener("blur", () => show(null));
    chart.addEventListener("keydown", (event) => {
      const next = event.key === "Escape" ? null : step(data, event.key);
      if (next === undefined) return;
      event.preventDefault();
      show(next);
    });
  }
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("svg.chart")) show(null);
  });
  document.addEventListener("scroll", () => shown && place(), { passive: true, capture: true });
})();
